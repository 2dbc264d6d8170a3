#!/usr/bin/env python3
"""What the command line promises: exit codes, which stream gets what, and that a failure leaves files alone."""
import json
import os
import pathlib
import tempfile
import unittest

from tool import root, run

identity = "{ lambda ; a:f32[2,3]. let b:f32[2,3] = neg a in (b,) }\n"
batched = "{ lambda ; a:f32[B,3]. let b:f32[B,3] = neg a in (b,) }\n"
unknown = """{ lambda ; a:f32[2]. let
    b:f32[2] = frobnicate a
    c:f32[2] = neg b
    d:f32[2] = transmogrify[k=1] c
    e:f32[2] = frobnicate d
  in (e,) }
"""
mnist = root / "examples/mnist_cnn/mnist_cnn.jaxpr"
weights = root / "examples/mnist_cnn/weights.npz"


class in_a_folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, content):
        (self.folder / name).write_text(content)
        return name

    def run_here(self, *arguments, **options):
        return run(*arguments, cwd=self.folder, **options)

    def files(self):
        return sorted(os.listdir(self.folder))


class usage(in_a_folder):
    def test_help_and_version_go_to_stdout(self):
        shown = run("--help")
        self.assertEqual(shown.code, 0)
        self.assertIn(b"Examples:", shown.out)
        self.assertEqual(shown.err, "")
        self.assertRegex(run("--version").out.decode(), r"^jax2onnx \d+\.\d+\.\d+\n$")

    def test_wrong_usage_is_code_1(self):
        self.file("m.jaxpr", identity)
        for arguments in [[], ["--no-such-flag"], ["m.jaxpr", "--opset", "5"], ["m.jaxpr", "--opset", "x"], ["m.jaxpr", "--dim", "B"],
                          ["m.jaxpr", "--dim", "B=-1"], ["m.jaxpr", "--shape-info", "maybe"], ["m.jaxpr", "second.jaxpr"]]:  # fmt: skip
            with self.subTest(arguments=arguments):
                failed = self.run_here(*arguments)
                self.assertEqual(failed.code, 1, failed.err)
                self.assertIn("--help", failed.err)
                self.assertEqual(failed.out, b"")
        self.assertEqual(self.files(), ["m.jaxpr"])

    def test_underscores_stand_for_dashes(self):
        self.file("m.jaxpr", identity)
        self.assertEqual(self.run_here("m.jaxpr", "--input_names", "in_put", "--output_names=y").code, 0)
        self.assertIn(b"in_put", (self.folder / "m.onnx").read_bytes())

    def test_completion_scripts_name_every_option(self):
        for shell in ["bash", "zsh", "fish"]:
            self.assertIn("opset", run("--completion", shell).out.decode())


class conversion(in_a_folder):
    def test_default_output_is_the_input_with_onnx(self):
        self.file("m.jaxpr", identity)
        done = self.run_here("m.jaxpr")
        self.assertEqual((done.code, done.out), (0, b""))
        self.assertEqual(self.files(), ["m.jaxpr", "m.onnx"])
        self.assertIn("m.jaxpr -> m.onnx", done.err)

    def test_quiet_prints_nothing(self):
        self.file("m.jaxpr", identity)
        done = self.run_here("m.jaxpr", "-q")
        self.assertEqual((done.code, done.out, done.err), (0, b"", ""))

    def test_standard_streams(self):
        piped = run("-", "-o", "-", "-q", stdin=identity.encode())
        self.assertEqual((piped.code, piped.err), (0, ""))
        self.assertEqual(piped.out[0], 8)  # ir_version comes first
        self.file("m.jaxpr", identity)
        self.run_here("m.jaxpr", "-q")
        self.assertEqual(piped.out, (self.folder / "m.onnx").read_bytes())

    def test_same_bytes_every_time(self):
        first = run(mnist, "-w", weights, "-o", "-", "-q")
        self.assertEqual(first.code, 0, first.err)
        self.assertEqual(first.out, run(mnist, "-w", weights, "-o", "-", "-q").out)

    def test_dim_fixes_a_symbol(self):
        self.file("m.jaxpr", batched)
        self.assertIn(b"float[B, 3]", self.run_here("m.jaxpr", "--emit", "text").out)
        self.assertIn(b"float[4, 3]", self.run_here("m.jaxpr", "--emit", "text", "--dim", "B=4").out)

    def test_without_weights_constants_become_inputs_and_the_summary_says_so(self):
        done = run(mnist, "-o", self.folder / "m.onnx")
        self.assertEqual(done.code, 0, done.err)
        self.assertIn("became inputs", done.err)

    def test_check_writes_nothing(self):
        self.file("m.jaxpr", identity)
        self.assertEqual(self.run_here("m.jaxpr", "--check").code, 0)
        self.assertEqual(self.files(), ["m.jaxpr"])

    def test_external_data_goes_beside_the_model(self):
        done = run(mnist, "-w", weights, "-o", self.folder / "m.onnx", "--external-data")
        self.assertEqual(done.code, 0, done.err)
        self.assertEqual(self.files(), ["m.onnx", "m.onnx.data"])
        self.assertLess((self.folder / "m.onnx").stat().st_size, (self.folder / "m.onnx.data").stat().st_size)


class failure(in_a_folder):
    def test_every_unsupported_primitive_is_reported_at_once(self):
        self.file("m.jaxpr", unknown)
        failed = self.run_here("m.jaxpr")
        self.assertEqual((failed.code, failed.out), (3, b""))
        self.assertIn("m.jaxpr:2:", failed.err)
        self.assertIn("'frobnicate'", failed.err)
        self.assertIn("2 uses", failed.err)
        self.assertIn("'transmogrify'", failed.err)
        self.assertEqual(self.files(), ["m.jaxpr"])

    def test_malformed_text_is_code_2_and_an_old_model_stays(self):
        self.file("m.jaxpr", identity[:40])
        self.file("m.onnx", "old")
        failed = self.run_here("m.jaxpr")
        self.assertEqual(failed.code, 2)
        self.assertIn("m.jaxpr:1:", failed.err)
        self.assertEqual((self.folder / "m.onnx").read_text(), "old")
        self.assertEqual(self.files(), ["m.jaxpr", "m.onnx"])

    def test_weights_that_do_not_fit_are_code_2(self):
        self.file("m.jaxpr", "{ lambda a:f32[2]; b:f32[2]. let c:f32[2] = add a b in (c,) }\n")
        self.assertEqual(self.run_here("m.jaxpr", "-w", weights).code, 2)

    def test_input_and_output_errors_are_code_4(self):
        self.file("m.jaxpr", identity)
        for arguments in [["none.jaxpr"], ["."], ["m.jaxpr", "-o", "no/such/folder/m.onnx"], ["m.jaxpr", "-w", "none.npz"]]:
            with self.subTest(arguments=arguments):
                self.assertEqual(self.run_here(*arguments).code, 4)
        self.assertEqual(self.files(), ["m.jaxpr"])

    def test_input_files_are_not_overwritten(self):
        self.file("m.jaxpr", identity)
        self.assertEqual(self.run_here("m.jaxpr", "-o", "m.jaxpr").code, 6)
        self.assertEqual((self.folder / "m.jaxpr").read_text(), identity)

    def test_hostile_nesting_is_refused(self):
        self.file("m.jaxpr", "{ lambda ; a:f32[2]. let b:f32[2] = p[x=" + "(" * 100000 + "] a in (b,) }\n")
        self.assertIn(self.run_here("m.jaxpr").code, (2, 6))

    def test_colours_are_for_terminals(self):
        self.file("m.jaxpr", unknown)
        self.assertNotIn("\033", self.run_here("m.jaxpr").err)
        self.assertIn("\033", self.run_here("m.jaxpr", "--color", "always").err)


class reports(in_a_folder):
    def test_report_in_json(self):
        self.file("m.jaxpr", identity)
        self.assertEqual(self.run_here("m.jaxpr", "--report=r.json").code, 0)
        report = json.loads((self.folder / "r.json").read_text())
        self.assertEqual(report["result"], "converted")
        self.assertEqual(report["model"]["primitives"], {"neg": 1})

    def test_report_of_a_failure(self):
        self.file("m.jaxpr", unknown)
        self.assertEqual(self.run_here("m.jaxpr", "--report=r.json").code, 3)
        report = json.loads((self.folder / "r.json").read_text())
        self.assertEqual([p["line"] for p in report["problems"]], [2, 4])

    def test_report_on_standard_output(self):
        self.file("m.jaxpr", identity)
        done = self.run_here("m.jaxpr", "-q", "--report")
        self.assertTrue(done.out.startswith(b"# m.jaxpr: converted"))

    def test_inspect(self):
        self.file("m.jaxpr", unknown)
        shown = self.run_here("m.jaxpr", "--inspect")
        self.assertEqual(shown.code, 0)
        self.assertIn(b"4 equations", shown.out)
        self.assertRegex(shown.out.decode(), r"frobnicate +2  no lowering")
        self.assertEqual(self.files(), ["m.jaxpr"])

    def test_list_primitives(self):
        self.assertRegex(run("--list-primitives").out.decode(), r"(?m)^add +Add")
        self.assertIn(b"| `add` |", run("--list-primitives=markdown").out)

    def test_dump_of_a_dump_is_the_same(self):
        once = run(mnist, "--dump-jaxpr").out
        self.assertEqual(once, run("-", "--dump-jaxpr", stdin=once).out)


if __name__ == "__main__":
    unittest.main()
