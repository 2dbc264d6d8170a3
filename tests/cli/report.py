# SPDX-License-Identifier: Apache-2.0
"""The contents of reports about nodes, weights, equations and rules."""

import json
import math
import struct
import sys
import unittest
import zipfile
from fractions import Fraction

from arrays import npy, npz, raw_safetensors
from folder import in_a_folder

CALLS = """let relu = { lambda ; h:f32[2,3]. let
    i:f32[2,3] = max h 0.0:f32[]    # net.py:3:4 (relu)
    # [inner]
  in (i,) } in
{ lambda a:f32[4,3]; b:f32[2,4]. let
    c:f32[2,3] = dot_general[dimension_numbers=(([1], [0]), ([], []))] b a    # net.py:7:4 (apply)
    # [net/dense]
    d:f32[2,3] = jit[name=relu jaxpr=relu] c
    e:f32[2,3] = sin d
    f:f32[2,3] = jit[name=relu jaxpr=relu] e
  in (f,) }
"""
ONE = "{{ lambda a:{0}; b:{0}. let c:{0} = {1} a b in (c,) }}"
SYMBOLIC = """{ lambda ; a:f32[B,4] b:f32[4,3]. let
    c:f32[B,3] = dot_general[dimension_numbers=(([1], [0]), ([], []))] a b
  in (c,) }"""


class graphs(in_a_folder):
    def report(self, text, *options):
        self.file("m.jaxpr", text)
        done = self.run_here("m.jaxpr", "-o", "m.onnx", "--report=r.json", *options)
        self.assertEqual(done.code, 0, done.err)
        return json.loads(self.read("r.json"))

    def calls(self):
        self.file("w.npz", npz(a=npy((4, 3))))
        return self.report(CALLS, "-w", "w.npz")

    def test_nodes_name_their_equations_and_callers(self):
        r = self.calls()
        graph = r["graph"]
        self.assertEqual(r["source"], {"name": "m.jaxpr", "text": CALLS})
        self.assertEqual([n["op"] for n in graph["nodes"]], ["MatMul", "Relu", "Sin", "Relu"])
        product, first, sine, second = [graph["equations"][n["equation"]] for n in graph["nodes"]]
        self.assertEqual(
            product,
            {
                "primitive": "dot_general",
                "line": 6,
                "end_line": 6,
                "source": "net.py:7:4 (apply)",
                "scope": "net/dense",
            },
        )
        self.assertEqual((first["primitive"], first["line"], first["scope"]), ("max", 2, "inner"))
        self.assertEqual((second["primitive"], second["line"]), ("max", 2))
        self.assertNotIn("caller", sine)
        callers = [graph["equations"][e["caller"]] for e in (first, second)]
        self.assertEqual([(c["calls"], c["line"]) for c in callers], [("relu", 8), ("relu", 10)])

    def test_values_connect_nodes(self):
        graph = self.calls()["graph"]
        values, nodes = graph["values"], graph["nodes"]
        self.assertEqual(nodes[0]["outputs"], nodes[1]["inputs"])
        weight = graph["weights"][values[nodes[0]["inputs"][1]]["weight"]]
        self.assertEqual((weight["elements"], weight["bytes"], weight["content"]), (12, 48, ["1.0"] * 12))
        self.assertEqual(graph["types"][values[nodes[0]["outputs"][0]]["type"]], "f32[2,3]")
        main = graph["blocks"][0]
        self.assertEqual(values[main["inputs"][0]]["name"], "input_0")
        self.assertEqual(main["outputs"], [{"name": "output_0", "value": nodes[3]["outputs"][0]}])

    def test_passes_that_added_nodes(self):
        self.file("m.jaxpr", "{ lambda ; a:bf16[3]. let b:bf16[3] = tanh a in (b,) }")
        self.run_here("m.jaxpr", "--report=r.json")
        graph = json.loads(self.read("r.json"))["graph"]
        made = {n["op"]: graph["events"][n["made_by"]] for n in graph["nodes"] if "made_by" in n}
        self.assertEqual(made, {"Cast": {"rule": "legalize"}})

    def test_rules_that_made_nodes_or_declined(self):
        graph = self.calls()["graph"]
        made = [graph["events"][n["made_by"]] for n in graph["nodes"] if n["op"] == "Relu"]
        self.assertEqual([(e["rule"], e["replaced"]) for e in made], [("Relu", "Max")] * 2)
        self.assertEqual([r["applied"] for r in graph["rules"] if r["rule"] == "Relu"], [2])
        text = """{ lambda ; a:f32[2,3,4] b:f32[4,5] c:f32[5]. let
            d:f32[2,3,5] = dot_general[dimension_numbers=(([2], [0]), ([], []))] a b
            e:f32[2,3,5] = broadcast_in_dim[broadcast_dimensions=(2,) shape=(2, 3, 5)] c
            f:f32[2,3,5] = add d e
          in (f,) }"""
        add = [n for n in self.report(text, "--target=ort")["graph"]["nodes"] if n["op"] == "Add"]
        self.assertEqual(add[0]["declined"], [{"rule": "Gemm", "reason": "the operands are not matrices"}])

    def test_costs(self):
        product, relu = self.calls()["graph"]["nodes"][:2]
        self.assertEqual((product["flops"], product["bytes"]), (2 * 2 * 3 * 4, 4 * (2 * 4 + 4 * 3 + 2 * 3)))
        self.assertEqual((relu["flops"], relu["bytes"]), (6, 4 * 12))
        self.assertNotIn("symbolic", product)
        product = self.report(SYMBOLIC)["graph"]["nodes"][0]
        self.assertEqual((product["flops"], product["symbolic"]), (2 * 3 * 4, True))
        self.assertEqual(self.report(SYMBOLIC, "--dim", "B=5")["graph"]["nodes"][0]["flops"], 5 * 2 * 3 * 4)

    def test_a_body_belongs_to_its_node(self):
        r = self.report(
            """{ lambda ; a:f32[50,3] b:f32[3]. let
            c:f32[3] = scan[_split_transpose=False jaxpr={ lambda ; d:f32[3] e:f32[3]. let
              g:f32[3] = sin d
              f:f32[3] = add g e
              in (f,) } length=50 linear=(False, False) num_carry=1 num_consts=0
              reverse=False unroll=1] b a
            in (c,) }"""
        )
        blocks, nodes = r["graph"]["blocks"], r["graph"]["nodes"]
        owner = nodes[blocks[1]["node"]]
        self.assertIn(owner["op"], ["Scan", "Loop"])
        self.assertEqual(owner["attributes"][blocks[1]["attribute"]], {"block": 1})
        self.assertEqual([n["op"] for n in nodes if n["block"] == 1 and n["op"] == "Add"], ["Add"])
        self.assertEqual(len(nodes), r["model"]["nodes"])

    def test_reports_without_a_graph(self):
        self.file("m.jaxpr", ONE.format("f32[3]", "frobnicate"))
        self.assertEqual(self.run_here("m.jaxpr", "--report=r.json").code, 3)
        report = json.loads(self.read("r.json"))
        self.assertNotIn("graph", report)
        self.assertIn("frobnicate", report["source"]["text"])

    def test_a_page_has_the_same_data(self):
        text = ONE.format("f32[3]", "add").replace("add", "</script><b>")
        self.file("m.jaxpr", text)
        self.assertEqual(self.run_here("m.jaxpr", "--report=r.html").code, 2)
        self.run_here("m.jaxpr", "--report=r.json")
        page = self.read("r.html").decode()
        data = page.partition('id="data">')[2].partition("</script>")[0]
        self.assertEqual(json.loads(data), json.loads(self.read("r.json")))
        self.assertNotIn("</script><b>", page)
        self.assertLess(len(page), 1_500_000)


class differences(in_a_folder):
    def write(self, name, text, *options):
        self.file("m.jaxpr", text)
        self.run_here("m.jaxpr", "--dry-run", f"--report={name}", *options)

    def compare(self):
        done = self.run_here("--report-diff", "a.json", "b.json")
        self.assertEqual(done.code, 0, done.err)
        return done.out.decode()

    def test_equal_reports(self):
        self.write("a.json", CALLS)
        self.write("b.json", CALLS)
        self.assertIn("Nothing differs", self.compare())

    def test_before_and_after_rewrites(self):
        self.write("a.json", CALLS, "--no-fuse")
        self.write("b.json", CALLS)
        text = self.compare()
        self.assertIn("| `Relu` |  | 2 |", text)
        self.assertIn("| `Max` | 2 |  |", text)
        self.assertIn("Max -> f32[2,3]", text)
        self.assertNotIn("## Inputs", text)

    def test_types_weights_and_failures(self):
        self.file("w.npz", npz(a=npy((4, 3))))
        self.write("a.json", CALLS, "-w", "w.npz")
        self.file("w.npz", npz(a=npy((4, 3), 2.0)))
        self.write("b.json", CALLS.replace("b:f32[2,4]", "b:f32[B,4]").replace("f32[2,3]", "f32[B,3]"), "-w", "w.npz")
        text = self.compare()
        self.assertIn("| `input_0` | f32[2,4] | f32[B,4] |", text)
        self.assertRegex(text, r"(?s)## Weights.*`a` \| f32\[4,3\] .*1\.0.* \| f32\[4,3\] .*2\.0")
        self.write("b.json", ONE.format("f32[3]", "frobnicate"))
        self.assertIn("| `result` | converted | failed |", self.compare())

    def test_a_page_has_both_reports(self):
        self.write("a.json", CALLS, "--no-fuse")
        self.write("b.json", CALLS)
        done = self.run_here("--report-diff", "a.json", "b.json", "--report=d.html")
        self.assertEqual((done.code, done.out), (0, b""), done.err)
        page = self.read("d.html").decode()
        for mark, file in [('id="data">', "b.json"), ('id="before-data">', "a.json")]:
            data = page.partition(mark)[2].partition("</script>")[0]
            self.assertEqual(json.loads(data), json.loads(self.read(file)))
        self.run_here("--report-diff", "a.json", "b.json", "--report=d.md")
        self.assertEqual(self.read("d.md").decode(), self.compare())

    def test_a_page_needs_two_graphs_and_a_file_of_its_own(self):
        self.write("a.json", CALLS)
        self.write("b.json", ONE.format("f32[3]", "frobnicate"))
        done = self.run_here("--report-diff", "a.json", "b.json", "--report=d.html")
        self.assertEqual(done.code, 2)
        self.assertIn("b.json: is the report of a failed conversion", done.err)
        self.assertEqual(self.run_here("--report-diff", "a.json", "a.json", "--report=d.json").code, 1)
        self.file("a.html", self.read("a.json"))
        self.assertEqual(self.run_here("--report-diff", "a.json", "a.html", "--report=a.html").code, 6)

    def test_what_is_no_report(self):
        self.write("a.json", CALLS)
        for content in ["", "[]", "{}", '{"format": 1}', '{"format": 1, "model": 3}']:
            self.file("b.json", content)
            done = self.run_here("--report-diff", "a.json", "b.json")
            self.assertEqual(done.code, 2, content)
            self.assertIn("b.json: is not a JSON report", done.err)
            self.assertIn("--report=FILE.json writes one", done.err)
        self.assertEqual(self.run_here("--report-diff", "a.json", "none.json").code, 4)
        self.assertEqual(self.run_here("--report-diff", "a.json").code, 1)


class weights(in_a_folder):
    def weight(self, jax, dtype, numbers, data):
        """The report's entry for an array of these elements."""
        t = f"{jax}[{len(numbers)}]"
        self.file("w.safetensors", raw_safetensors("a", dtype, [len(numbers)], data))
        self.file("m.jaxpr", ONE.format(t, "add" if jax != "bool" else "or"))
        done = self.run_here("m.jaxpr", "-w", "w.safetensors", "-o", "m.onnx", "--report=r.json", "--target=generic")
        self.assertEqual(done.code, 0, done.err)
        graph = json.loads(self.read("r.json"))["graph"]
        return next(w for w in graph["weights"] if w["elements"] == len(numbers))

    def check(self, jax, dtype, numbers, data):
        w = self.weight(jax, dtype, numbers, data)
        finite = [x for x in numbers if math.isfinite(x)]
        self.assertEqual(w["least"], min(finite))
        self.assertEqual(w["greatest"], max(finite))
        mean = float(sum(map(Fraction, finite)) / len(finite))
        self.assertAlmostEqual(w["mean"], mean, delta=1e-12 * max(map(abs, finite)))
        self.assertEqual(w["zeros"], numbers.count(0))
        self.assertEqual(w.get("nans", 0), sum(map(math.isnan, numbers)))
        self.assertEqual(w.get("infinities", 0), sum(map(math.isinf, numbers)))
        h = w["histogram"]
        counts = [0] * len(h["counts"])
        for x in finite:
            counts[math.floor((Fraction(x) - Fraction(h["begin"])) / Fraction(h["width"]))] += 1  # exactly
        self.assertEqual(h["counts"], counts)
        self.assertTrue(counts[0] and counts[-1], counts)
        self.assertTrue(20 <= len(counts) <= 40 or h["width"] <= 1, h)

    def test_types(self):
        wave = [math.sin(12.9 * i) * 3 for i in range(1000)]
        single = [struct.unpack("<f", struct.pack("<f", x))[0] for x in wave]
        half = [struct.unpack("<e", struct.pack("<e", x))[0] for x in wave]
        self.check("f32", "F32", single, struct.pack("<1000f", *single))
        self.check("f16", "F16", half, struct.pack("<1000e", *half))
        integers = [i % 241 - 120 for i in range(1000)]
        self.check("i8", "I8", integers, struct.pack("<1000b", *integers))
        self.check("i32", "I32", integers, struct.pack("<1000i", *integers))
        brain = [struct.unpack("<f", struct.pack("<f", x)[2:].rjust(4, b"\0"))[0] for x in single]
        self.check("bf16", "BF16", brain, b"".join(struct.pack("<f", x)[2:] for x in brain))

    def test_numbers_far_apart_and_not_finite(self):
        for numbers in [
            [float(10**i) for i in range(30)] + [-1e-30, math.nan, math.inf, -math.inf, 0.0],
            [1e-45 * i for i in range(20)],
            [3e38, -3e38] * 10,
            [1 + i * 2**-23 for i in range(100)],
        ]:
            numbers = [struct.unpack("<f", struct.pack("<f", x))[0] for x in numbers]
            self.check("f32", "F32", numbers, struct.pack(f"<{len(numbers)}f", *numbers))

    def test_doubles(self):
        for numbers in [
            [1e16 + 2 * i for i in range(100)],
            [0.0] * 70_000 + [1e-30 * i for i in range(100)],
            [5e-324 * i for i in range(50)],
            [1.2e308, -1.2e308, 5e-324] * 9,
        ]:
            self.check("f64", "F64", numbers, struct.pack(f"<{len(numbers)}d", *numbers))

    def test_equal_elements_have_no_histogram(self):
        w = self.weight("f32", "F32", [2.5] * 40, struct.pack("<40f", *[2.5] * 40))
        self.assertEqual((w["least"], w["greatest"], w["mean"]), (2.5, 2.5, 2.5))
        self.assertNotIn("histogram", w)

    def test_compressed_arrays(self):
        numbers = [float(i * i % 10007) for i in range(100_000)]
        header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (100000,)}  \n"
        content = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + struct.pack("<100000f", *numbers)
        self.file("w.npz", npz(zipfile.ZIP_DEFLATED, a=content))
        self.file("m.jaxpr", ONE.format("f32[100000]", "add"))
        done = self.run_here("m.jaxpr", "-w", "w.npz", "-o", "m.onnx", "--report=r.json")
        self.assertEqual(done.code, 0, done.err)
        (w,) = [w for w in json.loads(self.read("r.json"))["graph"]["weights"] if w["elements"] == len(numbers)]
        self.assertEqual((w["greatest"], sum(w["histogram"]["counts"])), (max(numbers), len(numbers)))

    def test_more_than_a_batch(self):
        numbers = [float(i % 4096 - 2048) for i in range(200_000)]
        self.check("f32", "F32", numbers, struct.pack(f"<{len(numbers)}f", *numbers))


if __name__ == "__main__":
    sys.exit(unittest.main())
