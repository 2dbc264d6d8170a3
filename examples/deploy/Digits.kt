// SPDX-License-Identifier: Apache-2.0
// Recognizes digits with ONNX Runtime on Android: implementation("com.microsoft.onnxruntime:onnxruntime-android:1.30.0")
import ai.onnxruntime.OnnxTensor
import ai.onnxruntime.OrtEnvironment
import java.nio.FloatBuffer

/** [model] has the bytes of the file: context.assets.open("digits.onnx").readBytes() */
class Digits(model: ByteArray) : AutoCloseable {
    private val environment = OrtEnvironment.getEnvironment()
    private val session = environment.createSession(model)

    /** The digit in an image of 28 x 28 numbers from 0 to 1. */
    fun digitOf(pixels: FloatArray): Int {
        val shape = longArrayOf(1, 28, 28, 1)
        OnnxTensor.createTensor(environment, FloatBuffer.wrap(pixels), shape).use { image ->
            session.run(mapOf("image" to image)).use { results ->
                val logits = (results.get("logits").get() as OnnxTensor).floatBuffer
                return (0..9).maxByOrNull { logits.get(it) }!!
            }
        }
    }

    override fun close() = session.close()
}
