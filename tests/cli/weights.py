#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The mapping of weights to constants, the messages if they do not fit, and where their bytes are written."""

import json
import os
import re
import struct
import subprocess
import unittest
import zipfile

from arrays import npy, npz, raw_safetensors, safetensors
from folder import in_a_folder
from tool import program

layer = """{ lambda a:f32[16,32] b:f32[32]; c:f32[16]. let
    d:f32[32] = dot_general[dimension_numbers=(([0], [0]), ([], [])) preferred_element_type=float32] c a
    e:f32[32] = add d b
  in (e,) }
"""
kernel, bias = npy((16, 32), 2.0), npy((32,), 3.0)


class mapping(in_a_folder):
    def setUp(self):
        super().setUp()
        self.file("m.jaxpr", layer)

    def names(self, *arguments):
        """The names of the initializers of the textual form, in order."""
        done = self.run_here("m.jaxpr", "--emit", "text", "-q", *arguments)
        self.assertEqual(done.code, 0, done.err)
        return re.findall(r'^  float\[[\d, ]*\] "?(\w+)"?,?  # \d+ bytes', done.out.decode(), re.MULTILINE)

    def error(self, *arguments):
        done = self.run_here("m.jaxpr", *arguments)
        self.assertEqual(done.code, 2, done.err)
        self.assertEqual([f for f in self.files() if f.endswith(".onnx")], [])
        return done.err

    def test_members_in_order_and_keys_are_names(self):
        self.file("w.npz", npz(arr_0=kernel, arr_1=bias))
        self.assertEqual(self.names("-w", "w.npz"), ["arr_0", "arr_1"])
        self.file("w.npz", npz(kernel=kernel, bias=bias))
        self.assertEqual(self.names("-w", "w.npz"), ["kernel", "bias"])

    def test_several_files_one_after_another(self):
        self.file("kernel.npy", kernel)
        self.file("b.npz", npz(bias=bias))
        self.assertEqual(self.names("-w", "kernel.npy", "-w", "b.npz"), ["kernel", "bias"])

    def test_a_map_chooses_by_key(self):
        self.file("w.npz", npz(spare=kernel, bias=bias, kernel=kernel))
        self.file("map.json", json.dumps(["kernel", "bias"]))
        self.assertEqual(self.names("-w", "w.npz", "--weights-map", "map.json"), ["kernel", "bias"])

    def test_the_metadata_of_a_file_say_the_order_and_a_map_wins(self):
        shapes = {"bias": (32,), "spare": (16, 32), "kernel": (16, 32)}
        self.file("w.safetensors", safetensors(shapes, {"jax2onnx.constvars": json.dumps(["kernel", "bias"])}))
        self.assertEqual(self.names("-w", "w.safetensors"), ["kernel", "bias"])
        self.file("map.json", json.dumps(["spare", "bias"]))
        self.assertEqual(self.names("-w", "w.safetensors", "--weights-map", "map.json"), ["spare", "bias"])

    def test_the_metadata_of_a_file_name_inputs_and_outputs(self):
        names = {"jax2onnx.inputs": '["image"]', "jax2onnx.outputs": '["score, softmax"]'}
        self.file("w.safetensors", safetensors({"kernel": (16, 32), "bias": (32,)}, names))
        shown = self.run_here("m.jaxpr", "-w", "w.safetensors", "--emit", "text").out.decode()
        self.assertIn('(float[16] image) => (float[32] "score, softmax")', shown)
        shown = self.run_here("m.jaxpr", "-w", "w.safetensors", "--emit", "text", "--input-names", "x").out.decode()
        self.assertIn('(float[16] x) => (float[32] "score, softmax")', shown)
        self.file("w.safetensors", safetensors({"kernel": (16, 32), "bias": (32,)}, {"jax2onnx.inputs": "image"}))
        self.assertIn("w.safetensors: 'jax2onnx.inputs': the JSON text is damaged", self.error("-w", "w.safetensors"))

    def test_the_model_is_the_same_however_the_weights_are_stored(self):
        self.file(
            "m.jaxpr",
            """{ lambda a:f32[32]; b:f32[32]. let
    c:f32[32] = mul a 2.0:f32[]
    d:f32[32] = add b c
  in (d,) }
""",
        )
        self.file("stored.npz", npz(bias=bias))
        self.file("deflated.npz", npz(zipfile.ZIP_DEFLATED, bias=bias))
        self.file("swapped.npz", npz(bias=npy((32,), 3.0, ">f4")))
        self.file("w.safetensors", safetensors({"bias": (32,)}, fill=3.0))
        models = [
            self.run_here("m.jaxpr", "-q", "-o", "-", "-w", w).out
            for w in ("stored.npz", "deflated.npz", "swapped.npz", "w.safetensors")
        ]
        self.assertNotIn(b"Mul", models[0])
        self.assertEqual(models, models[:1] * 4)

    def test_file_order_where_nothing_says_another(self):
        self.file("w.safetensors", safetensors({"kernel": (16, 32), "bias": (32,)}))
        self.assertEqual(self.names("-w", "w.safetensors"), ["kernel", "bias"])

    def test_a_mismatch_lists_every_array_that_does_not_fit(self):
        self.file("w.safetensors", safetensors({"bias": (32,), "kernel": (16, 32)}))
        said = self.error("-w", "w.safetensors")
        self.assertIn("constvar a is f32[16,32], 'bias' is F32[32]", said)
        self.assertIn("constvar b is f32[32], 'kernel' is F32[16,32]", said)
        self.assertIn("--weights-map", said)

    def test_a_wrong_dtype_is_a_mismatch(self):
        self.file("w.npz", npz(arr_0=npy((16, 32), descr="<f8"), arr_1=bias))
        said = self.error("-w", "w.npz")
        self.assertIn("'arr_0' is <f8[16,32]", said)
        self.assertIn("the shapes fit, but elements do not", said)
        self.assertNotIn("--weights-map", said)

    def test_a_wrong_number_lists_both_sides(self):
        self.file("w.npz", npz(kernel=kernel))
        said = self.error("-w", "w.npz")
        self.assertIn("closes over 2 arrays, but 1 weight is given", said)
        self.assertRegex(said, r"b:f32\[32\] +-\n")

    def test_weights_that_are_none_or_not_asked_for(self):
        self.file("none.npz", npz())
        self.assertIn("none.npz: has no arrays, but the jaxpr closes over 2 arrays", self.error("-w", "none.npz"))
        self.file("w.npz", npz(kernel=kernel))
        self.file("m.jaxpr", "{ lambda ; a:f32[2]. let b:f32[2] = neg a in (b,) }")
        self.assertIn("convert it without weights", self.error("-w", "w.npz"))
        self.assertEqual(self.run_here("m.jaxpr", "-w", "none.npz", "-o", "m.onnx").code, 0)

    def test_inner_constants_that_are_missing_are_shown_in_the_text(self):
        self.file(
            "m.jaxpr",
            """{ lambda a:f32[32]; b:f32[32]. let
    c:f32[32] = jit[name=f jaxpr={ lambda d:f32[32]; e:f32[32]. let g:f32[32] = mul d e in (g,) }] b
    h:f32[32] = add a c
  in (h,) }
""",
        )
        self.file("w.npz", npz(arr_0=bias))
        said = self.error("-w", "w.npz")
        self.assertIn("m.jaxpr:2:43: error[weights.count]", said)
        self.assertIn("\n  d:f32[32]                -\n", said)
        self.assertIn("examples/export.py", said)

    def test_a_map_that_is_wrong(self):
        self.file("w.npz", npz(kernel=kernel, bias=bias))
        self.file("again.npz", npz(bias=bias))
        for content, more, said in [
            ('["kernel", "bia"]', [], "no array 'bia'"),
            ('{"a": 1}', [], "map.json: an object is not expected"),
            ("[1]", [], "a number is not expected"),
            ("[", [], "damaged at byte 2"),
            ('["kernel", "bias"]', ["-w", "again.npz"], "2 weights are called 'bias'"),
        ]:
            with self.subTest(content=content):
                self.file("map.json", content)
                self.assertIn(said, self.error("-w", "w.npz", "--weights-map", "map.json", *more))

    def test_what_is_no_weights_file(self):
        self.file("text.txt", layer)
        self.file("empty.npz", "")
        self.assertIn("is not a .npz", self.error("-w", "text.txt"))
        self.assertIn("is not a .npz", self.error("-w", "m.jaxpr"))
        self.assertIn("is empty", self.error("-w", "empty.npz"))
        self.assertEqual(self.run_here("m.jaxpr", "-w", ".").code, 4)

    def test_8_bit_arrays_have_the_type_of_the_text(self):
        for text_type, stored, data, said in [
            ("bool", "BOOL", [0, 1, 1, 0], None),
            ("bool", "BOOL", [0, 1, 2, 255], "'a' is BOOL[4] with byte 2 at 2"),
            ("bool", "U8", [0, 1, 1, 0], "'a' is U8[4]"),
            ("i8", "I8", [0, 1, 1, 255], None),
            ("i8", "U8", [0, 1, 1, 0], "'a' is U8[4]"),
            ("u8", "I8", [0, 1, 1, 0], "'a' is I8[4]"),
            ("f8_e4m3fn", "F8_E4M3", [56, 64, 68, 127], None),
            ("f8_e4m3fn", "U8", [56, 64, 68, 127], None),
            ("f8_e4m3fn", "F8_E5M2", [56, 64, 68, 127], "'a' is F8_E5M2[4]"),
            ("i4", "U8", [7, 8, 15, 0], None),
            ("i4", "U8", [200, 7, 8, 255], "'a' is U8[4] with byte 200 at 0"),
            ("u4", "U8", [255, 7, 8, 0], "'a' is U8[4] with byte 255 at 0"),
        ]:
            with self.subTest(text_type=text_type, stored=stored, data=data):
                self.file("m.jaxpr", f"{{ lambda a:{text_type}[4]; b:f32[]. let c:f32[] = sin b in (a, c) }}\n")
                self.file("w.safetensors", raw_safetensors("a", stored, [4], bytes(data)))
                if said:
                    self.assertIn(said, self.error("-w", "w.safetensors"))
                else:
                    self.assertEqual(self.run_here("m.jaxpr", "-w", "w.safetensors", "--dry-run").code, 0)

    def test_pickles_are_refused(self):
        pickle = npy((16, 32)).replace(b"'<f4'", b"'|O' ")
        self.file("w.npz", npz(arr_0=pickle, arr_1=bias))
        self.assertEqual(self.run_here("m.jaxpr", "-w", "w.npz").code, 6)


class placement(in_a_folder):
    def setUp(self):
        super().setUp()
        self.file("m.jaxpr", layer)
        self.file("w.safetensors", safetensors({"kernel": (16, 32), "bias": (32,)}))

    def convert(self, *arguments):
        return self.run_here("m.jaxpr", "-w", "w.safetensors", *arguments)

    def test_external_data_of_a_given_name(self):
        self.assertEqual(self.convert("--external-data=weights.bin", "-q").code, 0)
        self.assertIn("weights.bin", self.files())
        self.assertIn(b"weights.bin", self.read("m.onnx"))

    def test_data_of_a_given_name_can_be_replaced(self):
        for fill in [1.0, 2.0]:
            self.file("w.safetensors", safetensors({"kernel": (16, 32), "bias": (32,)}, fill=fill))
            self.assertEqual(self.convert("--external-data=weights.bin", "-q").code, 0)
            self.assertEqual(self.files(), ["m.jaxpr", "m.onnx", "w.safetensors", "weights.bin"])
            self.assertEqual(self.read("weights.bin")[:4], struct.pack("<f", fill))

    def test_the_data_of_the_old_model_go(self):
        self.assertEqual(self.convert("--external-data", "-q").code, 0)
        first = self.files()
        self.file("w.safetensors", safetensors({"kernel": (16, 32), "bias": (32,)}, fill=2.0))
        self.assertEqual(self.convert("--external-data", "-q").code, 0)
        self.assertNotEqual(self.files(), first)
        self.assertEqual(len(self.files()), len(first))
        self.assertEqual(self.convert("-q").code, 0)
        self.assertEqual(self.files(), ["m.jaxpr", "m.onnx", "w.safetensors"])

    def test_weights_that_are_cut_short_meanwhile_are_an_error(self):
        """The tool waits for its text, a pipe, before it reads weights, so the test needs no delay."""
        self.file(
            "m.jaxpr", layer.replace("[16,32]", "[512,1024]").replace("[32]", "[1024]").replace("f32[16]", "f32[512]")
        )
        shapes = {"kernel": (512, 1024), "bias": (1024,)}
        for placement in [[], ["--external-data"], ["--external-data=reference"]]:
            for length in [0, 100, 5000, 1 << 20]:
                self.file("w.safetensors", safetensors(shapes))
                with self.subTest(placement=placement, length=length):
                    done = cut_while_running(self.folder, "w.safetensors", length, placement)
                    self.assertEqual(done.returncode, 4, done.stderr)
                    self.assertIn(b"was truncated", done.stderr)
                    self.assertEqual(self.files(), ["m.jaxpr", "map", "w.safetensors"])

    def test_a_reference_copies_nothing(self):
        done = self.convert("--external-data=reference", "-q")
        self.assertEqual(done.code, 0, done.err)
        self.assertEqual(self.files(), ["m.jaxpr", "m.onnx", "w.safetensors"])
        self.assertIn(b"w.safetensors", self.read("m.onnx"))
        self.assertLess(len(self.read("m.onnx")), 1000)

    def test_a_reference_to_compressed_arrays_is_a_copy_and_a_warning(self):
        self.file(
            "m.jaxpr",
            """{ lambda a:f32[16,32]; b:f32[4,32]. let
    c:f32[32,16] = transpose[permutation=(1, 0)] a
    d:f32[4,16] = dot_general[dimension_numbers=(([1], [0]), ([], [])) preferred_element_type=float32] b c
  in (d,) }
""",
        )
        array = npy((16, 32))
        self.file("w.npz", npz(zipfile.ZIP_DEFLATED, a=array))
        done = self.run_here("m.jaxpr", "-w", "w.npz", "--external-data=reference")
        self.assertEqual(done.code, 0, done.err)
        self.assertIn("warning[weights.copied]: w.npz: the model gets copies of 1 of 1 arrays", done.err)
        self.assertIn("numpy.savez", done.err)
        self.assertNotIn(b"Transpose", self.read("m.onnx"))
        self.file("w.npz", npz(a=array))
        done = self.run_here("m.jaxpr", "-w", "w.npz", "--external-data=reference")
        self.assertNotIn("weights.copied", done.err)
        self.assertIn(b"w.npz", self.read("m.onnx"))

    def test_what_is_referred_to_is_not_turned(self):
        self.file(
            "m.jaxpr",
            """{ lambda a:f32[16,32]; b:f32[4,32]. let
    c:f32[32,16] = transpose[permutation=(1, 0)] a
    d:f32[4,16] = dot_general[dimension_numbers=(([1], [0]), ([], [])) preferred_element_type=float32] b c
  in (d,) }
""",
        )
        self.file("w.safetensors", safetensors({"kernel": (16, 32)}))
        self.assertEqual(self.convert("-q").code, 0)
        self.assertNotIn(b"Transpose", self.read("m.onnx"))
        self.assertEqual(self.convert("--external-data=reference", "-q").code, 0)
        self.assertEqual(self.files(), ["m.jaxpr", "m.onnx", "w.safetensors"])

    def test_a_reference_out_of_the_folder_is_refused(self):
        (self.folder / "sub").mkdir()
        done = self.convert("--external-data=reference", "-o", "sub/m.onnx")
        self.assertEqual(done.code, 6)
        self.assertIn("--external-data to copy", done.err)
        self.assertEqual(list((self.folder / "sub").iterdir()), [])

    def test_no_input_is_written_over(self):
        self.file("map.json", '["kernel", "bias"]')
        before = {name: self.read(name) for name in self.files()}
        (self.folder / "link").symlink_to("w.safetensors")
        for arguments in [
            ["-o", "m.jaxpr"],
            ["-o", "w.safetensors"],
            ["-o", "./link"],
            ["-o", "map.json"],
            ["--external-data=w.safetensors"],
            ["--external-data=m.jaxpr"],
            ["--external-data=m.onnx"],
            ["--emit", "text", "-o", "m.jaxpr"],
            ["--report=map.json", "--dry-run"],
        ]:
            with self.subTest(arguments=arguments):
                self.assertEqual(self.convert("--weights-map", "map.json", *arguments).code, 6)
        self.assertEqual({name: self.read(name) for name in before}, before)
        self.assertFalse([name for name in self.files() if name.startswith(".")])

    def test_combinations_that_make_no_sense_are_usage_errors(self):
        for arguments in [
            ["-o", "-", "--external-data"],
            ["--emit", "text", "--external-data"],
            ["-o", "m.md", "--report=m.md"],
            ["-o", "-", "--report"],
        ]:
            with self.subTest(arguments=arguments):
                self.assertEqual(self.convert(*arguments).code, 1)
        self.assertEqual(self.run_here("m.jaxpr", "--weights-map", "map.json").code, 1)
        self.assertEqual(self.files(), ["m.jaxpr", "w.safetensors"])


def cut_while_running(folder, weights, length, arguments):
    """Cuts a file short after the tool has read its header, while the tool waits for the weights map, a pipe."""
    pipe = folder / "map"
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    tool = subprocess.Popen(
        [program, "m.jaxpr", "-w", weights, "--weights-map", "map", *arguments], cwd=folder, stderr=subprocess.PIPE
    )
    with open(pipe, "w") as to:  # the tool has opened the pipe, and so read the headers
        os.truncate(folder / weights, length)
        to.write('["kernel", "bias"]')
    said = tool.communicate(timeout=60)[1]
    return subprocess.CompletedProcess(tool.args, tool.returncode, None, said)


if __name__ == "__main__":
    unittest.main()
