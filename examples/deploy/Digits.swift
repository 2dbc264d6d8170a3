// SPDX-License-Identifier: Apache-2.0
// Recognizes digits with ONNX Runtime on iOS and macOS: the Swift package github.com/microsoft/onnxruntime-swift-package-manager
import Foundation
import OnnxRuntimeBindings

final class Digits {
    private let environment: ORTEnv
    private let session: ORTSession

    /// `path`: Bundle.main.path(forResource: "digits", ofType: "onnx")!
    init(path: String) throws {
        environment = try ORTEnv(loggingLevel: .warning)
        session = try ORTSession(env: environment, modelPath: path, sessionOptions: nil)
    }

    /// The digit in an image of 28 x 28 numbers from 0 to 1.
    func digit(of pixels: [Float]) throws -> Int {
        let data = NSMutableData(bytes: pixels, length: pixels.count * MemoryLayout<Float>.stride)
        let image = try ORTValue(tensorData: data, elementType: .float, shape: [1, 28, 28, 1])
        let results = try session.run(withInputs: ["image": image], outputNames: ["logits"], runOptions: nil)
        let bytes = try results["logits"]!.tensorData() as Data
        let logits = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        return logits.indices.max { logits[$0] < logits[$1] }!
    }
}
