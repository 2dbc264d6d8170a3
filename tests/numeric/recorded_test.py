#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that families can be read, changed and written (recorded.py) and shown (show.py)."""

import contextlib
import dataclasses
import io
import pathlib
import shutil
import sys
import tempfile
import unittest
import unittest.mock
import zipfile

import numpy as np

import recorded
import show

ALL = recorded.DATA


def printed(*arguments):
    """The output of show.py, and the message with which it exits, or None."""
    with contextlib.redirect_stdout(io.StringIO()) as out, unittest.mock.patch.object(sys, "argv", ["", *arguments]):
        problem = show.main()
    return out.getvalue(), problem


def contents(family):
    return {one.name: (one.entry, one.text, dict(one.arrays)) for one in family.values()}


class Families(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        for name in ("old", "versions"):
            for file in recorded.DATA.glob(f"{name}.*"):
                shutil.copy(file, self.folder)
        self.enterContext(unittest.mock.patch.object(recorded, "DATA", self.folder))
        recorded.opened.cache_clear()
        self.addCleanup(recorded.opened.cache_clear)

    def family(self, name):
        return recorded.family(self.folder / name)

    def test_all_that_is_stored_belongs_to_a_case(self):
        families = [recorded.family(ALL / name) for name in recorded.families(ALL)]
        files = {family.file(ending) for family in families for ending in ("json", "jaxprs", "npz")}
        self.assertEqual(files, set(ALL.iterdir()))
        for family in families:
            self.assertEqual(sorted(family.arrays.names), sorted(family))

    def test_the_same_cases_give_the_same_files(self):
        texts = {file.name: file.read_bytes() for file in self.folder.glob("*.j*")}
        self.family("versions").save()
        first = {file.name: file.read_bytes() for file in self.folder.iterdir()}
        self.family("versions").save()
        self.assertEqual(first, {file.name: file.read_bytes() for file in self.folder.iterdir()})
        self.assertEqual(texts, {name: first[name] for name in texts})

    def test_a_new_case_changes_no_other(self):
        family, before = self.family("old"), contents(self.family("old"))
        values = np.array([[1.5, -0.0], [np.nan, 2]])
        arrays = {"in0": values, "out0": values.T} | {f"arr_{i}": np.float32(i) for i in (10, 9)}
        entry = {"inputs": ["float64"], "outputs": ["float64"], "args": "--opset 24"}
        text = "{ lambda ; a:f64[2,2]. let  in (a,) }\n"
        family["a.new"] = recorded.case(
            "old", "a.new", entry, text, {n: recorded.to_npy(array) for n, array in arrays.items()}
        )
        family.save()
        after = contents(self.family("old"))
        new = self.family("old")["a.new"]
        self.assertEqual((after.pop("a.new")[:2], after), ((entry, text), before))
        np.testing.assert_array_equal(new.inputs()[0], values)
        np.testing.assert_array_equal(new.outputs()[0], values.T)
        self.assertEqual((list(new.weights), new.options, new.records), (["arr_9", "arr_10"], ["--opset", "24"], [""]))

    def test_a_sample_has_one_case_in_n(self):
        cases = [case for name in recorded.families(ALL) for case in recorded.family(ALL / name).values()]
        self.assertTrue(all(case.in_sample(1) for case in cases))
        self.assertAlmostEqual(sum(case.in_sample(6) for case in cases) / len(cases), 1 / 6, delta=0.01)

    def test_a_removed_case_is_gone_from_all_files(self):
        family = self.family("old")
        name = sorted(family)[1]
        del family[name]
        family.save()
        self.assertNotIn(name.encode(), b"".join(file.read_bytes() for file in self.folder.glob("old.*")))

    def test_texts_that_cannot_be_told_apart_are_refused(self):
        family = self.family("old")
        name = sorted(family)[0]
        for text in ("no newline", f"{recorded.HEADER}as a header\n"):
            family[name] = dataclasses.replace(family[name], text=text)
            self.assertRaises(ValueError, family.save)
        file = self.folder / "old.jaxprs"
        file.write_text(file.read_text().replace(f"{recorded.HEADER}{name}\n", ""))
        self.assertRaises(ValueError, self.family, "old")

    def test_show_prints_and_extracts(self):
        name = "versions/jit.repeated_constants_0.4.20"
        shown, _ = printed(name)
        case = recorded.find(name)
        for part in (case.text, "weights arr_0: float32[3]\n", "argument 0: float32[3]\n", "result 0: float32[3]\n"):
            self.assertIn(part, shown)
        listed, _ = printed("--list", "^versions/jit", "--extract", str(self.folder / "files"))
        base = self.folder / "files" / name
        self.assertIn(f"{base}.jaxpr -w {base}.weights.npz\n", listed)
        self.assertEqual(pathlib.Path(f"{base}.jaxpr").read_text(), case.text)
        self.assertEqual(zipfile.ZipFile(f"{base}.weights.npz").namelist(), ["arr_0.npy"])
        with np.load(f"{base}.npz") as arrays:
            np.testing.assert_array_equal(arrays["out0"], case.outputs()[0])

    def test_show_renames(self):
        before, old = contents(self.family("versions")), contents(self.family("old"))
        name = next(iter(before))
        self.assertEqual(printed(f"versions/{name}", "--rename", "old/a.moved")[1], None)
        old["a.moved"] = before.pop(name)
        self.assertEqual((contents(self.family("versions")), contents(self.family("old"))), (before, old))
        recorded.opened.cache_clear()
        self.assertIn("is a case already", printed("old/a.moved", "--rename", f"versions/{next(iter(before))}")[1])
        self.assertIn("no case is called", printed("old/none")[1])


if __name__ == "__main__":
    unittest.main()
