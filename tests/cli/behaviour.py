#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The promises of the command line: exit codes, output streams, and unchanged files after a failure."""

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import termios
import time
import unittest

from arrays import npy, npz, safetensors, sparse_safetensors
from folder import in_a_folder
from tool import program, root, run, sanitized

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


class usage(in_a_folder):
    def test_help_and_version_go_to_stdout(self):
        shown = run("--help")
        self.assertEqual(shown.code, 0)
        self.assertIn(b"Examples:", shown.out)
        self.assertEqual(shown.err, "")
        stated = re.search(r'VERSION_STRING "(.+)"', (root / "include/jax2onnx/version.hpp").read_text())[1]
        self.assertEqual(run("--version").out.decode(), f"jax2onnx {stated}\n")

    def test_wrong_usage_is_code_1(self):
        self.file("m.jaxpr", identity)
        for arguments in [
            ["--no-such-flag"],
            ["m.jaxpr", "--opset", "5"],
            ["m.jaxpr", "--opset", "x"],
            ["m.jaxpr", "--dim", "B"],
            ["m.jaxpr", "--dim", "B=-1"],
            ["m.jaxpr", "--shape-info", "maybe"],
            ["m.jaxpr", "second.jaxpr", "-o", "m.onnx"],
        ]:
            with self.subTest(arguments=arguments):
                failed = self.run_here(*arguments)
                self.assertEqual(failed.code, 1, failed.err)
                self.assertIn("--help", failed.err)
                self.assertEqual(failed.out, b"")
        self.assertEqual(self.files(), ["m.jaxpr"])

    def test_usage_errors_say_what_was_meant(self):
        self.file("m.jaxpr", batched)
        for arguments, said in [
            (["--weigths", "w.npz"], "there is no option --weigths, did you mean '--weights'?"),
            (["--no-fuse=layernormalization"], "there is no 'layernormalization', did you mean 'LayerNormalization'?"),
            (
                ["--custom-op", "pure_callback=Fn"],
                "--custom-op: expected PRIMITIVE=DOMAIN:OP, found 'pure_callback=Fn'",
            ),
            (["--shard", "4/4"], "--shard: expected I/N with I from 0 to N - 1, found '4/4'"),
            (["--shard", "1of4"], "--shard: expected I/N with I from 0 to N - 1, found '1of4'"),
            (["--emit", "onx"], "--emit: expected onnx, text, found 'onx'"),
            (["--opset"], "--opset: a value is missing"),
            (["--opset", "18", "--opset", "20"], "--opset: given more than once: 18, 20"),
            (["-o", "a.onnx", "-o", "b.onnx"], "--output: given more than once: a.onnx, b.onnx"),
            (["--opset", "18.5"], "--opset: expected a number from 17 to "),
            (["--opset", ""], "found ''"),
            (["--unroll", "-1"], "--unroll: expected a number from 0 to 256, found '-1'"),
            (["--check=false"], "--check: takes no value"),
            (["-o=a.onnx"], "-o=a.onnx: only long options take a =: --output=a.onnx"),
            (["--report=json"], "--report: 'json' is a format; expected a file: --report=report.json"),
            (["--report=.md"], "--report: '.md' is a format; expected a file: --report=report.md"),
            (["--report=r.xyz"], "--report: expected FILE.html, FILE.json or FILE.md, found 'r.xyz'"),
            (["--report", "json"], "'json' is one argument too many; the value of --report follows a =: --report=json"),
            (["--no-fuse", "Gelu"], "the value of --no-fuse follows a =: --no-fuse=Gelu"),
            (["--input-names", "a,,b"], "--input-names: name 2 of 'a,,b' is empty"),
            (["--output-names", "a,"], "--output-names: name 2 of 'a,' is empty"),
            (["--inputs-as-nchw", ""], "--inputs-as-nchw: name 1 of '' is empty"),
            (["--no-fuse=,"], "--no-fuse: name 1 of ',' is empty"),
            (["--dim", "B=2,C=3"], "--dim: expected one NAME=SIZE with a size of 0 or more, found 'B=2,C=3'"),
            (["--dim", "=4"], "--dim: expected one NAME=SIZE with a size of 0 or more, found '=4'"),
            (["--list-primitives"], "--list-primitives: takes no model, found 'm.jaxpr'"),
            (["--completion", "bash"], "--completion: takes no model, found 'm.jaxpr'"),
            (["--inspect", "-o", "shown"], "--output: has no effect with --inspect"),
            (["--check", "--report"], "--report: has no effect with --check"),
            (["--dump-jaxpr", "--opset", "18"], "--opset: has no effect with --dump-jaxpr"),
            (["--check", "--inspect"], " does not go with "),
            (["-opset", "21"], "-opset: a long option has two dashes: --opset"),
            (["-opset=21"], "-opset=21: a long option has two dashes: --opset"),
            (["--report="], "--report: a value must follow the ="),
            (["-w", "-o", "m.onnx"], "expected a file, found the option '-o'"),
            (["-o", ""], "found an empty name"),
            (["--dim", "B=2", "--dim", "B=3"], "'B' is both 2 and 3"),
            (["--dim", "B=2", "--dim", "B"], "--dim: expected one NAME=SIZE with a size of 0 or more, found 'B'"),
            (["--custom-op", "f=a:B", "--custom-op", "f=a:C"], "--custom-op: 'f' is both a:B and a:C"),
            (["--limit", "time=3"], "--limit: expected variables, nodes, bytes, terms, depth, output, found 'time'"),
            (["--weight-format", "int2"], "--weight-format: expected float16, bfloat16, int8, int4, found 'int2'"),
            (["--compute", "int8"], "--compute: expected float32, float16, found 'int8'"),
            (["--weights-map", "-q"], "--weights-map: expected a file, found the option '-q'"),
            (["-q", "-v"], "excludes"),
            (["--report=w.txt", "--external-data=w.txt"], "the same file as the external data"),
            (["-o", "m.md", f"--report={self.folder}/m.md"], "the same output as the model"),
            (["--json"], "--json: goes with --inspect, --targets, --list-primitives or --list-rewrites"),
        ]:
            with self.subTest(arguments=arguments):
                failed = self.run_here("m.jaxpr", *arguments)
                self.assertEqual(failed.code, 1)
                self.assertIn(said, failed.err)
        self.assertEqual(self.files(), ["m.jaxpr"])

    def test_what_lists_reads_nothing_else(self):
        for arguments, said in [
            (["--list-primitives", "--opset", "18"], "--opset: has no effect with --list-primitives"),
            (["--completion", "bash", "--list-rewrites"], " does not go with "),
            (["--list-rewrites=markdown", "--json"], "--json: does not go with =markdown"),
            (["-", "-o", "models/"], "--output: names a folder; standard input needs a file: -o FILE"),
            (["--report-diff", "a.json"], "--report-diff: expected A.json B.json; values found: 1"),
            (["--report-diff", "a.json", "b.json", "c.json"], "expected A.json B.json; values found: 3"),
            (["--no-fuse", "Gelu", "m.jaxpr"], "the value of --no-fuse follows a =: --no-fuse=Gelu"),
        ]:
            with self.subTest(arguments=arguments):
                failed = self.run_here(*arguments)
                self.assertEqual((failed.code, failed.out), (1, b""))
                self.assertIn(said, failed.err)
        self.assertEqual(self.run_here("--list-primitives", "-q", "--color=never").code, 0)

    def test_names_behind_two_dashes_are_files(self):
        self.file("--my_net.jaxpr", identity)
        self.assertEqual(self.run_here("-q", "--", "--my_net.jaxpr").code, 0)
        self.assertEqual(self.files(), ["--my_net.jaxpr", "--my_net.onnx"])

    def test_underscores_stand_for_dashes(self):
        self.file("m.jaxpr", identity)
        self.assertEqual(self.run_here("m.jaxpr", "--input_names", "in_put", "--output_names=y").code, 0)
        self.assertIn(b"in_put", (self.folder / "m.onnx").read_bytes())

    def test_assume_finite_leaves_out_what_keeps_nan(self):
        self.file(
            "m.jaxpr", "{ lambda ; a:f32[2,3]. let b:f32[2] = reduce_max[axes=(1,) out_sharding=None] a in (b,) }"
        )
        self.assertIn(b"Abs", self.run_here("m.jaxpr", "--emit", "text").out)
        finite = self.run_here("m.jaxpr", "--emit", "text", "--assume-finite")
        self.assertEqual(finite.code, 0)
        self.assertIn(b"ReduceMax", finite.out)
        self.assertNotIn(b"Abs", finite.out)

    def test_weights_are_stored_in_fewer_bits(self):
        self.file(
            "m.jaxpr",
            "{ lambda a:f32[64,64]; b:f32[2,64]. let "
            "c:f32[2,64] = dot_general[dimension_numbers=(([1], [0]), ([], []))] b a in (c,) }",
        )
        header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (64, 64), }".ljust(117) + b"\n"
        npy = b"\x93NUMPY\x01\x00v\x00" + header + bytes(64 * 64 * 4)
        (self.folder / "w.npy").write_bytes(npy)
        sizes = {}
        for form in ["float16", "int8", "int4"]:
            done = self.run_here("m.jaxpr", "-w", "w.npy", "-q", "--weight-format", form)
            self.assertEqual((done.code, done.err), (0, ""))
            sizes[form] = (self.folder / "m.onnx").stat().st_size
        self.assertLess(sizes["int4"], 3700)
        self.assertLess(sizes["int8"], 5000)
        self.assertLess(sizes["float16"], 9000)
        self.assertNotEqual(self.run_here("m.jaxpr", "-w", "w.npy", "--weight-format", "int2").code, 0)

    def test_models_compute_in_float16(self):
        product = "dot_general[dimension_numbers=(([1], [0]), ([], []))]"
        self.file("m.jaxpr", f"{{ lambda a:f32[64,64]; b:f32[2,64]. let c:f32[2,64] = {product} b a in (c,) }}")
        header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (64, 64), }".ljust(117) + b"\n"
        for number, code in [(1.0, ""), (1e6, "rewrite.beyond-range")]:
            numbers = struct.pack("<f", number) * 64 * 64
            (self.folder / "w.npy").write_bytes(b"\x93NUMPY\x01\x00v\x00" + header + numbers)
            done = self.run_here("m.jaxpr", "-w", "w.npy", "--compute", "float16")
            self.assertEqual(done.code, 0)
            self.assertIn(code, done.err)
            self.assertEqual((self.folder / "m.onnx").stat().st_size < 9000, number == 1.0)

    def test_examples_of_the_document(self):
        page = (root / "docs/command-line.md").read_text()
        block = re.search(r"## Options\n\n```sh\n(.*?)```", page, re.S)[1]
        lines = [line for line in block.splitlines() if not line.startswith(("jax2onnx export", "source"))]
        self.assertGreater(len(lines), 10)
        product = "dot_general[dimension_numbers=(([1], [0]), ([], []))]"
        self.file("model.jaxpr", f"{{ lambda w:f32[400,8]; a:f32[B,400]. let b:f32[B,8] = {product} a w in (b,) }}")
        (self.folder / "weights.npz").write_bytes(npz(w=npy((400, 8))))
        (self.folder / "model.safetensors").write_bytes(safetensors({"w": (400, 8)}))
        self.assertEqual(self.run_here("model.jaxpr", "-q", "-o", "big.onnx").code, 0)
        for line in lines:
            with self.subTest(line=line):
                shell = ["bash", "-c", f'jax2onnx() {{ "$JAX2ONNX_TOOL" "$@"; }}\n{line}']
                environment = {**os.environ, "JAX2ONNX_TOOL": str(program)}
                done = subprocess.run(shell, cwd=self.folder, env=environment, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_some_targets_compute_in_float16_by_themselves(self):
        self.file("m.jaxpr", identity)
        for target, said in [
            ("tensorrt", "has its own setting"),
            ("tract", "use one of the targets portable, ort, ort-contrib, ort-gpu, web, generic"),
        ]:
            failed = self.run_here("m.jaxpr", "--compute", "float16", "--target", target)
            self.assertEqual(failed.code, 2)
            self.assertIn(f"--compute float16 does not go with --target {target}", failed.err)
            self.assertIn(said, failed.err)
        self.assertEqual(self.files(), ["m.jaxpr"])


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

    def test_dev_stdout_is_standard_output(self):
        self.file("m.jaxpr", identity)
        self.assertEqual(self.run_here("m.jaxpr", "-o", "/dev/stdout", "-q").out[0], 8)
        with open(self.folder / "n.onnx", "wb") as out:
            subprocess.run([program, "m.jaxpr", "-o", "/dev/fd/1", "-q"], cwd=self.folder, stdout=out, check=True)
        self.assertEqual(self.read("n.onnx")[0], 8)

    def test_same_bytes_every_time(self):
        first = run(mnist, "-w", weights, "-o", "-", "-q")
        self.assertEqual(first.code, 0, first.err)
        self.assertEqual(first.out, run(mnist, "-w", weights, "-o", "-", "-q").out)

    def test_dim_fixes_a_symbol(self):
        self.file("m.jaxpr", batched)
        self.assertIn(b"float[B, 3]", self.run_here("m.jaxpr", "--emit", "text").out)
        self.assertIn(b"float[4, 3]", self.run_here("m.jaxpr", "--emit", "text", "--dim", "B=4").out)

    def test_a_dim_that_the_text_has_not(self):
        self.file("m.jaxpr", batched)
        failed = self.run_here("m.jaxpr", "--dim", "b=4", "--dim", "B=2")
        self.assertEqual(failed.code, 2)
        self.assertIn("convert.dim]: the text has no symbolic dimension 'b'\n", failed.err)
        self.assertIn("  = help: use a symbolic dimension of the text: B", failed.err)
        self.assertEqual(self.run_here("m.jaxpr", "--dim", f"B={2**62}").code, 6)

    def test_inputs_and_outputs_have_the_names_that_were_given_or_none(self):
        self.file("m.jaxpr", "{ lambda ; a:f32[B,2,3,4] c:f32[2]. let b:f32[B,2,3,4] = neg a in (b, c) }\n")
        for arguments in [
            ["--input-names", "x,x"],
            ["--input-names", "x", "--output-names", "x"],
            ["--input-names", "a,b,c"],
            ["--input-names", "input_1"],
            ["--output-names", "y\nz"],
            ["--inputs-as-nchw", "2"],
            ["--inputs-as-nchw", "x"],
            ["--outputs-as-nchw", "-1"],
        ]:
            with self.subTest(arguments=arguments):
                failed = self.run_here("m.jaxpr", *arguments)
                self.assertEqual(failed.code, 2)
                self.assertIn("error[convert.names]", failed.err)
        for name in ["0", "input_0", "x"]:
            names = ["--input-names", "x"] if name == "x" else []
            done = self.run_here("m.jaxpr", "--emit", "text", "--inputs-as-nchw", name, *names)
            self.assertIn(b"float[B, 4, 2, 3]", done.out)

    def test_without_weights_constants_become_inputs_and_the_summary_says_so(self):
        done = run(mnist, "-o", self.folder / "m.onnx")
        self.assertEqual(done.code, 0, done.err)
        self.assertIn("became inputs", done.err)

    def test_weights_without_their_option_are_explained(self):
        self.file("m.jaxpr", identity)
        failed = self.run_here("m.jaxpr", "w.npz")
        self.assertEqual(failed.code, 1)
        self.assertIn("'w.npz' is one argument too many; give weights with -w: -w w.npz", failed.err)

    def test_several_models_are_converted_in_one_call_with_a_line_for_each(self):
        self.file("a.jaxpr", identity)
        self.file("b.jaxpr", "{ lambda ; a:f32[2]. let b:f32[2] = sni a in (b,) }")
        self.file("c.jaxpr", "{ lambda ; a:f32[2]. let b:f32[2] = sin a in (b,) }")
        done = self.run_here("a.jaxpr", "b.jaxpr", "c.jaxpr", "-o", f"{self.folder}/")
        self.assertEqual(done.code, 3)
        self.assertIn("no lowering for primitive 'sni', did you mean 'sin'?", done.err)
        self.assertIn("c.onnx, ", done.err)
        self.assertIn(" (opset 22): 1 equation -> 1 node\n", done.err)
        self.assertTrue(done.err.endswith("1 of 3 models failed\n"))
        self.assertEqual(self.files(), ["a.jaxpr", "a.onnx", "b.jaxpr", "c.jaxpr", "c.onnx"])
        self.assertIn("c.jaxpr: ok\n", self.run_here("a.jaxpr", "c.jaxpr", "--check").err)
        self.assertEqual(self.run_here("a.onnx", "a.onnx", "--inspect").code, 0)
        for arguments, said in [
            (["c.jaxpr", "-o", "m.onnx"], "--output: 2 models need a folder: -o DIR/"),
            (["c.jaxpr", "--report=r.html"], "--report: one file cannot have the reports of 2 models"),
            (["a.jaxpr"], "--output: a.jaxpr and a.jaxpr would both write a.onnx"),
            (["c.jaxpr", "--external-data=w.bin"], "a.jaxpr and c.jaxpr would both write w.bin"),
        ]:
            with self.subTest(arguments=arguments):
                failed = self.run_here("a.jaxpr", *arguments)
                self.assertEqual(failed.code, 1)
                self.assertIn(said, failed.err)

    def test_standard_input_is_read_if_no_model_is_named(self):
        done = self.run_here("--emit", "text", stdin=b"{ lambda ; a:f32[2]. let b:f32[2] = sin a in (b,) }")
        self.assertEqual(done.code, 0, done.err)
        self.assertIn(b"Sin (", done.out)
        terminal, end = pty.openpty()
        try:
            typed = subprocess.run([program], stdin=end, capture_output=True, timeout=60)
        finally:
            os.close(terminal)
            os.close(end)
        self.assertEqual(typed.returncode, 1)
        self.assertIn(b"MODEL is required", typed.stderr)

    def test_the_summary_counts_in_the_singular_too(self):
        self.file("m.jaxpr", "{ lambda ; a:f32[2]. let b:f32[2] = sin a in (b,) }")
        self.assertIn("1 equation -> 1 node\n", self.run_here("m.jaxpr", "-o", "m.onnx").err)

    def test_a_dry_run_converts_and_writes_nothing(self):
        self.file("m.jaxpr", identity)
        self.assertEqual(self.run_here("m.jaxpr", "--dry-run").code, 0)
        self.file("m.jaxpr", "{ lambda ; a:f32[2]. let b:f32[2] = no_such_primitive a in (b,) }")
        self.assertEqual(self.run_here("m.jaxpr", "--dry-run").code, 3)
        self.assertEqual(self.files(), ["m.jaxpr"])

    def test_weights_are_no_jaxpr(self):
        refused = run(weights, "-o", self.folder / "m.onnx")
        self.assertEqual(refused.code, 2)
        self.assertIn(f"{weights}: has arrays, not a jaxpr: jax2onnx MODEL.jaxpr -w {weights}", refused.err)

    def test_an_output_may_be_a_folder(self):
        self.file("m.jaxpr", identity)
        (self.folder / "models").mkdir()
        self.assertEqual(self.run_here("m.jaxpr", "-o", "models/").code, 0)
        self.assertEqual(self.run_here("m.jaxpr", "-o", f"{self.folder}/new/one/").code, 0)
        self.assertTrue((self.folder / "new/one/m.onnx").exists())
        self.assertEqual(self.run_here("m.jaxpr", "-o", "m.jaxpr/").code, 4)
        self.assertEqual([file.name for file in (self.folder / "models").iterdir()], ["m.onnx"])

    def test_check_reads_the_text_only(self):
        self.file("m.jaxpr", "{ lambda ; a:f32[2]. let b:f32[2] = no_such_primitive a in (b,) }")
        checked = self.run_here("m.jaxpr", "--check")
        self.assertEqual((checked.code, checked.out, checked.err), (0, b"", "m.jaxpr: ok\n"))
        self.assertEqual(self.run_here("m.jaxpr", "--check", "-q").err, "")
        self.file("m.jaxpr", "{ lambda ; a:f32[2]. let b:f32[2] = sin a in (c,) }")
        self.assertEqual(self.run_here("m.jaxpr", "--check").code, 2)
        self.assertEqual(self.files(), ["m.jaxpr"])

    def test_external_data_goes_beside_the_model(self):
        done = run(mnist, "-w", weights, "-o", self.folder / "m.onnx", "--external-data")
        self.assertEqual(done.code, 0, done.err)
        model, data = self.files()
        self.assertEqual(model, "m.onnx")
        self.assertRegex(data, r"^m\.onnx\.[0-9a-f]{16}\.data$")
        self.assertIn(data.encode(), self.read(model))
        self.assertLess(len(self.read(model)), len(self.read(data)))

    def test_external_data_may_be_named_data(self):
        self.assertEqual(run(mnist, "-w", weights, "-o", self.folder / "m.onnx", "--external-data=data", "-q").code, 0)
        self.assertEqual(self.files(), ["data", "m.onnx"])

    def test_the_mode_of_an_old_file_stays(self):
        self.file("m.jaxpr", identity)
        for name, arguments in [("m.onnx", []), ("r.md", ["--report=r.md"]), ("t", ["--emit", "text", "-o", "t"])]:
            self.file(name, "old")
            (self.folder / name).chmod(0o640)
            self.assertEqual(self.run_here("m.jaxpr", *arguments).code, 0)
            self.assertEqual((self.folder / name).stat().st_mode & 0o777, 0o640)
            self.assertNotEqual(self.read(name), b"old")

    def test_a_replaced_link_passes_on_the_mode_of_its_file(self):
        self.file("m.jaxpr", identity)
        self.file("old", "old")
        (self.folder / "old").chmod(0o640)
        plain = (self.folder / "m.jaxpr").stat().st_mode & 0o777
        for link, file, mode in [("to-old.onnx", "old", 0o640), ("to-none.onnx", "none", plain)]:
            (self.folder / link).symlink_to(file)
            self.assertEqual(self.run_here("m.jaxpr", "-o", link).code, 0)
            self.assertFalse((self.folder / link).is_symlink())
            self.assertEqual((self.folder / link).stat().st_mode & 0o777, mode)
        self.assertEqual(self.read("old"), b"old")


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
        for arguments in [
            ["none.jaxpr"],
            ["."],
            ["m.jaxpr", "-o", "no/such/folder/m.onnx"],
            ["m.jaxpr", "-w", "none.npz"],
        ]:
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

    def test_a_report_that_cannot_be_written_shows_before_the_work(self):
        self.file("m.jaxpr", identity)
        self.assertEqual(self.run_here("m.jaxpr", "--report=no/r.md").code, 4)
        self.assertEqual(self.files(), ["m.jaxpr"])

    def test_messages_hold_nothing_that_a_terminal_acts_on(self):
        self.file("m\033[31m.jaxpr", "{ lambda ; a:f32[2]. let b:f32[2] = sin c in (b,) }  # \033]0;owned\007\n")
        said = self.run_here("m\033[31m.jaxpr").err
        self.assertIn(r"m\u{1b}[31m.jaxpr:1", said)
        self.assertFalse(re.search(r"[\x00-\x09\x0b-\x1f\x7f]", said + self.run_here("no\033[31mne.jaxpr").err))

    def test_nothing_that_is_printed_holds_what_a_terminal_acts_on(self):
        text = "{ lambda ; a:f32[2]. let b:f32[2] = sin a in (b,) }\n"
        name = "m\033[31m\u202e\u200b\x9b.jaxpr"
        self.file(name, text.replace("sin a", "sin[k='\u202e\033'] a"))
        (self.folder / (name + ".ok")).write_text(text)
        for arguments in [
            [name],
            [name + ".ok"],
            [name + ".ok", "--report", "-o", "m.onnx"],
            [name + ".ok", "--report=r.json", "-o", "m.onnx"],
            [name + ".ok", "--inspect"],
            ["--opset", "\033[31m\u202e"],
            ["--\033[31m\u202e"],
            [name + ".ok", "--input-names", "\u202e\033"],
            [name + ".ok", "--dim", "\u202e\033=3"],
            [name + ".ok", "-w", "\u202e\033.npz"],
            [name + ".ok", "-o", "\u202e/\033.onnx"],
            ["no" + name],
        ]:
            with self.subTest(arguments=arguments):
                done = self.run_here(*arguments)
                said = done.err + done.out.decode()
                if (self.folder / "r.json").exists():
                    said += self.read("r.json").decode()
                self.assertFalse(re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e]", said), said)

    def test_text_that_is_not_utf8_or_not_visible_is_code_2(self):
        for name, said in [
            (b"\xff", "1:18: error[parse.encoding]"),
            (b"a\xed\xa0\x80", "1:19: error[parse.encoding]"),
            ("x\u202ey".encode(), "1:19: error[parse.invisible]"),
            ("x\u200by".encode(), "1:19: error[parse.invisible]"),
            (b"x\x1by", "1:19: error[parse.invisible]"),
        ]:
            with self.subTest(name=name):
                self.file("m.jaxpr", b"{ lambda ; a:f32[%s]. let b:f32[%s] = neg a in (b,) }\n" % (name, name))
                failed = self.run_here("m.jaxpr")
                self.assertEqual(failed.code, 2)
                self.assertIn(said, failed.err)
        self.file("m.jaxpr", batched.replace("B", "größe"))
        self.assertEqual(self.run_here("m.jaxpr", "-q").code, 0)
        self.assertIn("größe".encode(), self.read("m.onnx"))

    @unittest.skipIf(sanitized, "AddressSanitizer reserves more address space")
    def test_a_text_of_any_source_has_a_limit(self):
        limit = ["prlimit", f"--as={3 << 30}", "--", program]
        for arguments, source in [(["-"], "/dev/zero"), (["/dev/zero"], None)]:
            with self.subTest(arguments=arguments), open(source or os.devnull) as text:
                tool = subprocess.run(
                    [*limit, *arguments, "-o", "m.onnx"], cwd=self.folder, stdin=text, capture_output=True
                )
                self.assertEqual(tool.returncode, 6, tool.stderr)

    def test_colours_are_for_terminals(self):
        self.file("m.jaxpr", unknown)
        self.assertNotIn("\033", self.run_here("m.jaxpr").err)
        self.assertIn("\033", self.run_here("m.jaxpr", "--color", "always").err)

    def test_python_source_is_shown_in_problems(self):
        self.file(
            "m.jaxpr",
            """{ lambda ; a:f32[2]. let
    b:f32[2] = frobnicate[
      k=1
    ] a                     # /home/me/net.py:12:4 (block)
                            # [layer_0/dense]
  in (b,) }
""",
        )
        for arguments in [[], ["--source-info", "strip"]]:
            said = self.run_here("m.jaxpr", *arguments).err
            self.assertIn("'frobnicate', from /home/me/net.py:12:4 (block), in layer_0/dense", said)

    def test_a_full_output_is_code_4(self):
        self.file("m.jaxpr", identity)
        for arguments in [
            ["m.jaxpr", "-o", "-"],
            ["m.jaxpr", "--emit", "text"],
            ["m.jaxpr", "--inspect"],
            ["m.jaxpr", "--report"],
            ["--list-primitives"],
            ["--list-rewrites"],
            ["--completion", "bash"],
            ["--help"],
            ["--version"],
        ]:
            with self.subTest(arguments=arguments), open("/dev/full", "wb") as full:
                tool = subprocess.run(
                    [program, *arguments], cwd=self.folder, stdout=full, stderr=subprocess.PIPE, text=True
                )
                self.assertEqual(tool.returncode, 4, tool.stderr)

    def test_a_closed_output_is_code_4_and_no_file_takes_its_place(self):
        self.file("m.jaxpr", identity)
        shell = f"'{program}' m.jaxpr --report=r.md "
        self.assertEqual(
            subprocess.run(shell + "-o - >&-", shell=True, cwd=self.folder, stderr=subprocess.DEVNULL).returncode, 4
        )
        for asked in ["--help", "--version"]:
            closed = subprocess.run(f"'{program}' {asked} >&-", shell=True, stderr=subprocess.PIPE)
            self.assertEqual(closed.returncode, 4)
            self.assertIn(b"standard output: cannot write", closed.stderr)
        self.assertEqual(subprocess.run(shell + "-v <&- >&- 2>&-", shell=True, cwd=self.folder).returncode, 0)
        self.assertTrue(self.read("r.md").startswith(b"# m.jaxpr"))
        self.assertNotIn(b"equations", self.read("m.onnx"))

    def test_a_reader_that_goes_away_is_no_defect(self):
        tool = subprocess.Popen(
            [program, mnist, "-o", "-", "-w", weights], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        tool.stdout.close()
        self.assertNotEqual(tool.wait(), 70)


class terminal(in_a_folder):
    """Standard error is a terminal; the model is written to a pipe that is read late."""

    def setUp(self):
        super().setUp()
        self.file(
            "m.jaxpr",
            "{ lambda a:f32[64,4096]; b:f32[64]. let\n    c:f32[4096] = dot_general[dimension_numbers="
            "(([0], [0]), ([], [])) preferred_element_type=float32] b a\n  in (c,) }\n",
        )
        sparse_safetensors(self.folder / "w.safetensors", {"a": (64, 4096)})

    def shown(self, *arguments, environment=None, columns=80):
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.addCleanup(os.close, ours)
        settings = {**os.environ, "TERM": "xterm", **(environment or {})}
        tool = subprocess.Popen(
            [program, *arguments], cwd=self.folder, stdout=subprocess.PIPE, stderr=theirs, env=settings, bufsize=0
        )
        os.close(theirs)
        tool.stdout.read(1)  # the conversion has begun
        time.sleep(0.7)
        tool.stdout.read()
        tool.stdout.close()
        tool.wait()
        return everything(ours).decode()

    def test_long_work_shows_its_progress_and_wipes_it(self):
        said = self.shown("m.jaxpr", "-w", "w.safetensors", "-o", "-")
        self.assertRegex(said, r"\rwriting \d.*of 1\.0 MB \(\d+ %\) \.\.\.")
        self.assertIn("\r\033[Km.jaxpr -> <stdout>", said)

    def test_progress_fits_into_a_narrow_terminal(self):
        said = self.shown("m.jaxpr", "-w", "w.safetensors", "-o", "-", columns=20)
        self.assertRegex(said, r"\rwriting [^\r]{11}\x1b\[K\r")

    def test_no_progress_when_quiet_or_on_a_dumb_terminal(self):
        self.assertEqual(self.shown("m.jaxpr", "-w", "w.safetensors", "-o", "-", "-q"), "")
        self.assertNotIn(
            "writing", self.shown("m.jaxpr", "-w", "w.safetensors", "-o", "-", environment={"TERM": "dumb"})
        )

    def test_no_color(self):
        self.file("bad.jaxpr", unknown)
        self.assertIn("\033[1;31m", self.shown("bad.jaxpr", environment={"NO_COLOR": ""}))
        self.assertNotIn("\033", self.shown("bad.jaxpr", environment={"NO_COLOR": "1"}))


def everything(terminal):
    """Reads all output of a terminal whose other end is closed."""
    pieces = []
    try:
        while piece := os.read(terminal, 1 << 16):
            pieces.append(piece)
    except OSError:  # reading past the end of a terminal fails
        pass
    return b"".join(pieces)


class reports(in_a_folder):
    def test_report_in_json(self):
        self.file("m.jaxpr", identity)
        self.assertEqual(self.run_here("m.jaxpr", "--report=r.json").code, 0)
        report = json.loads((self.folder / "r.json").read_text())
        self.assertEqual(report["result"], "converted")
        self.assertEqual(report["model"]["primitives"], {"neg": 1})

    def test_the_extension_of_a_report_has_any_case(self):
        self.file("m.jaxpr", identity)
        self.assertEqual(self.run_here("m.jaxpr", "--report=R.JSON").code, 0)
        self.assertEqual(json.loads(self.read("R.JSON"))["result"], "converted")

    def test_report_of_a_failure(self):
        self.file("m.jaxpr", unknown)
        self.assertEqual(self.run_here("m.jaxpr", "--report=r.json").code, 3)
        report = json.loads((self.folder / "r.json").read_text())
        self.assertEqual([p["line"] for p in report["problems"]], [2, 4])

    def test_what_reports_tell(self):
        done = run(
            mnist, "-w", weights, "-o", self.folder / "m.onnx", f"--report={self.folder}/r.json", "--external-data"
        )
        self.assertEqual(done.code, 0, done.err)
        model = json.loads(self.read("r.json"))["model"]
        self.assertEqual((model["opset"], model["ir_version"]), (22, 10))
        self.assertEqual(sum(model["operators"].values()), model["nodes"])
        self.assertEqual(sum(model["primitives"].values()), model["equations"])
        self.assertEqual(model["inputs"], [{"name": "input_0", "type": "f32[B,28,28,1]"}])
        self.assertGreater(model["weights"]["bytes"], 0)
        self.assertEqual(
            model["bytes"], {"model": len(self.read("m.onnx")), "data": len(self.read(model["data_file"]))}
        )
        self.assertEqual(set(model["seconds"]), {"parse", "lower", "rewrite", "write"})
        run(mnist, "-w", weights, "-o", self.folder / "m.onnx", f"--report={self.folder}/r.md")
        text = self.read("r.md").decode()
        for part in [
            "Opset 22",
            "## Inputs",
            "f32[B,28,28,1]",
            "## Contents",
            "| `Conv` |",
            "Weights:",
            "Written:",
            "| write |",
        ]:
            self.assertIn(part, text)

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
        as_json = json.loads(self.run_here("m.jaxpr", "--inspect", "--json").out)
        self.assertEqual(
            list(as_json), ["input", "inputs", "closed_over", "closed_over_inside", "outputs", "primitives"]
        )
        self.assertIn({"primitive": "frobnicate", "count": 2, "supported": False}, as_json["primitives"])
        self.file("m.jaxpr", unknown.replace("frobnicate", "cumsun"))
        self.assertIn(b"no lowering, did you mean 'cumsum'?", self.run_here("m.jaxpr", "--inspect").out)
        self.assertEqual(self.files(), ["m.jaxpr"])

    def test_list_primitives(self):
        self.assertRegex(run("--list-primitives").out.decode(), r"(?m)^add +Add")
        self.assertIn(b"| `add` |", run("--list-primitives=markdown").out)
        rows = json.loads(run("--list-primitives", "--json").out)
        self.assertEqual([set(row) for row in rows], [{"primitive", "onnx", "refuses"}] * len(rows))
        self.assertIn("add", [row["primitive"] for row in rows])

    def test_list_rewrites(self):
        self.assertRegex(run("--list-rewrites").out.decode(), r"(?m)^Relu +fuse +Max\(x, 0\) -> Relu\(x\)")
        self.assertIn(b"| `Relu` |", run("--list-rewrites=markdown").out)
        rows = json.loads(run("--list-rewrites", "--json").out)
        self.assertEqual([row["equation"] for row in rows if row["rule"] == "Relu"], ["Max(x, 0) -> Relu(x)"])

    def test_targets(self):
        body, cond = "c:f32[]. let d:f32[] = mul c 2.0 in (d,)", "e:f32[]. let f:bool[] = lt e 9.0 in (f,)"
        loop = f"body_jaxpr={{ lambda ; {body} }} body_nconsts=0 cond_jaxpr={{ lambda ; {cond} }} cond_nconsts=0"
        text = f"{{ lambda ; a:f32[]. let\n  b:f32[] = while[{loop}] a\nin (b,) }}"
        told = run("-", "--targets", stdin=text.encode())
        self.assertRegex(told.out.decode(), r"(?m)^openvino  runs$")
        self.assertRegex(told.out.decode(), r"(?m)^tract     has no Loop \(1 node, line 2\); --unroll with a larger ")
        rows = json.loads(run("-", "--targets", "--json", stdin=text.encode()).out)
        self.assertEqual(rows["mnn"], {"target": "portable", "obstacles": []})
        self.assertIsNone(rows["tract"]["target"])
        self.assertEqual(rows["tract"]["obstacles"][0]["operator"], "Loop")
        warned = run("-", "--target", "tract", "--emit", "text", stdin=text.encode())
        self.assertEqual(warned.code, 0)
        self.assertRegex(
            warned.err,
            r"2:\d+: warning\[convert.obstacle\]: tract has no Loop: 1 node will not work there \(the first is Loop\)",
            warned.err,
        )

    def test_an_onnx_file_is_optimized(self):
        pair = "{ lambda ; a:f32[2]. let b:f32[2] = max a 0.0:f32[] in (b,) }"
        self.run_here("-", "-o", "plain.onnx", "--no-fuse", stdin=pair.encode())
        self.assertIn(b"\n  Max ", self.run_here("inspect", "plain.onnx").out)
        done = self.run_here("optimize", "plain.onnx", "-o", "small.onnx", "--target", "ort")
        self.assertEqual(done.code, 0)
        self.assertRegex(done.err, r"size +1 node -> 1 node")
        contents = json.loads(self.run_here("inspect", "small.onnx", "--json").out)
        self.assertEqual(contents["operators"], {"Relu": 1})
        self.assertEqual(contents["inputs"][0]["type"], "f32[2]")
        self.assertEqual(contents["runs_in"]["tract"], [])
        again = self.run_here("optimize", "small.onnx", "-o", "-")
        self.assertEqual(self.run_here("small.onnx", "-o", "-").out, again.out)

    def test_what_an_onnx_file_has_no_use_for_is_refused(self):
        self.run_here("-", "-o", "a.onnx", stdin=identity.encode())
        before = self.read("a.onnx")
        for arguments, said in [
            (["optimize", "a.onnx"], "--output: is missing: it names the optimized model"),
            (["a.onnx", "-w", "w.npz", "-o", "b.onnx"], "--weights: is for jaxprs, and a.onnx is an ONNX file"),
            (["optimize", "a.jaxpr", "-o", "b.onnx"], "optimize: takes an ONNX file, found 'a.jaxpr'"),
            (["export", "my_model:f", "-o", "b.onnx"], "export: needs the Python package"),
        ]:
            refused = self.run_here(*arguments)
            self.assertEqual((refused.code, self.files()), (1, ["a.onnx"]))
            self.assertIn(said, refused.err)
        self.assertEqual(self.run_here("optimize", "a.onnx", "-o", "a.onnx").code, 6)
        self.assertEqual(self.read("a.onnx"), before)
        self.file("damaged.onnx", before[:20])
        self.assertEqual(self.run_here("inspect", "damaged.onnx").code, 2)
        self.assertEqual(self.run_here("inspect", "none.onnx").code, 4)

    def test_targets_that_a_model_of_their_own_suits(self):
        text = b"{ lambda ; a:f32[2]. let b:bool[2] = convert_element_type[new_dtype=bool weak_type=False] a in (b,) }"
        self.assertRegex(run("-", "--targets", stdin=text).out.decode(), r"(?m)^rten      runs with --target rten$")

    def test_dump_of_a_dump_is_the_same(self):
        once = run(mnist, "--dump-jaxpr").out
        self.assertEqual(once, run("-", "--dump-jaxpr", stdin=once).out)


if __name__ == "__main__":
    unittest.main()
