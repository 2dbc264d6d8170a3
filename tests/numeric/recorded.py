# SPDX-License-Identifier: Apache-2.0
"""Recorded cases. No other file knows the format of data/:

    FAMILY.json     the entry of each case, a line each: dtypes, tolerances and so on
    FAMILY.jaxprs   the texts in the order of their names, each after a line `=== PRIMITIVE.NAME`
    FAMILY.npz      PRIMITIVE.NAME/in0, in1, ... out0, ...; with symbolic dimensions again at other sizes: in0_b, ...;
                    the closed-over arrays, if any: arr_0, ...

A family is a dictionary of cases: assign, delete or move them, then save(). The same cases give the same bytes, so
adding a case does not change the others. Texts and entries need only Python; arrays need NumPy and ml_dtypes.
"""

import collections.abc
import dataclasses
import functools
import io
import json
import pathlib
import re
import shlex
import zipfile
import zlib

DATA = pathlib.Path(__file__).resolve().parent / "data"
HEADER = "=== "


@dataclasses.dataclass
class case:
    """A text and its recorded data."""

    family: str
    name: str
    entry: dict
    text: str
    arrays: collections.abc.Mapping  # the bytes of .npy files, by name

    def __str__(self):
        return f"{self.family}/{self.name}"

    @property
    def options(self):
        """The options of the tool for this case."""
        return shlex.split(self.entry.get("args", ""))

    @property
    def records(self):
        """The suffixes of the arrays' names, one for each recorded choice of sizes."""
        return ["", "_b"][: self.entry.get("sizes", 1)]

    def inputs(self, record=""):
        return [typed(from_npy(self.arrays[f"in{i}{record}"]), t) for i, t in enumerate(self.entry["inputs"])]

    def outputs(self, record=""):
        return [typed(from_npy(self.arrays[f"out{i}{record}"]), t) for i, t in enumerate(self.entry["outputs"])]

    @property
    def weights(self):
        """The bytes of the closed-over arrays, in order."""
        names = sorted((n for n in self.arrays if n.startswith("arr_")), key=lambda n: int(n[4:]))
        return {name: self.arrays[name] for name in names}

    def in_sample(self, every):
        """True if a sample of one case in `every` has this one. Only the name decides."""
        return zlib.crc32(str(self).encode()) % every == 0

    def extract(self, folder):
        """Writes the text and the weights; returns the tool's arguments for them."""
        folder.mkdir(parents=True, exist_ok=True)
        text, weights = folder / f"{self.name}.jaxpr", folder / f"{self.name}.weights.npz"
        text.write_text(self.text, encoding="utf-8")
        if not self.weights:
            return [text]
        pack(weights, self.weights)
        return [text, "-w", weights]


class family(dict):
    """The cases of one family, by name. `path` has no extension."""

    def __init__(self, path):
        super().__init__()
        self.path = pathlib.Path(path)
        self.arrays = archive(self.file("npz"))
        entries = json.loads(self.read("json") or "{}")
        before, *parts = re.split(rf"^{HEADER}(.*)\n", self.read("jaxprs"), flags=re.MULTILINE)
        names, texts = parts[::2], parts[1::2]
        if before or names != sorted(entries):
            raise ValueError(f"{self.file('jaxprs')} does not have the cases of {self.file('json').name} in order")
        for name, text in zip(names, texts):
            self[name] = case(self.path.name, name, entries[name], text, members(self.arrays, name))

    def file(self, ending):
        return self.path.with_name(f"{self.path.name}.{ending}")

    def read(self, ending):
        return self.file(ending).read_text(encoding="utf-8") if self.file(ending).exists() else ""

    def save(self):
        cases = [self[name] for name in sorted(self)]
        for one in cases:
            if not one.text.endswith("\n") or re.search(f"^{HEADER}", one.text, re.MULTILINE):
                raise ValueError(f"{one}: the text has no last newline, or a line that starts with {HEADER!r}")
        lines = [f"{json.dumps(one.name)}: {json.dumps(one.entry)}" for one in cases]
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.file("json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
        self.file("jaxprs").write_text("".join(f"{HEADER}{c.name}\n{c.text}" for c in cases), encoding="utf-8")
        arrays = {f"{c.name}/{name}": c.arrays[name] for c in cases for name in sorted(c.arrays)}
        pack(self.file("npz"), arrays, zipfile.ZIP_DEFLATED)


class archive:
    """An .npz of a family, which is read when the first array is needed."""

    def __init__(self, path):
        self.path = path

    @functools.cached_property
    def zip(self):
        return zipfile.ZipFile(io.BytesIO(self.path.read_bytes()))

    @functools.cached_property
    def names(self):
        """The names of the arrays, by case."""
        found = {}
        for member in self.zip.namelist():
            one, _, array = member.removesuffix(".npy").rpartition("/")
            found.setdefault(one, []).append(array)
        return found


class members(collections.abc.Mapping):
    """The arrays of one case in an archive."""

    def __init__(self, archive, name):
        self.archive, self.name = archive, name

    def __getitem__(self, array):
        return self.archive.zip.read(f"{self.name}/{array}.npy")

    def __iter__(self):
        return iter(self.archive.names.get(self.name, []))

    def __len__(self):
        return len(self.archive.names.get(self.name, []))


def families(data=DATA):
    """The names of the recorded families."""
    return sorted(path.name.removesuffix(".json") for path in data.glob("*.json"))


def cases(names=(), only="", data=DATA):
    """The cases of these families, or of all, whose names match."""
    for name in names or families(data):
        yield from (one for one in opened(data / name).values() if re.search(only, one.name))


@functools.cache
def opened(path):
    """A family for reading."""
    return family(path)


def find(name):
    """The case FAMILY/PRIMITIVE.NAME. Raises a LookupError if there is none."""
    home, _, own = name.partition("/")
    if own not in opened(DATA / home):
        raise LookupError(f"no case is called {name}")
    return opened(DATA / home)[own]


def from_file(path):
    """A text without recorded data, with the weights beside it."""
    weights = path.with_suffix(".weights.npz")
    arrays = {}
    if weights.exists():
        with zipfile.ZipFile(weights) as packed:
            arrays = {name.removesuffix(".npy"): packed.read(name) for name in packed.namelist()}
    return case(path.parent.name, path.stem, {}, path.read_text(encoding="utf-8"), arrays)


def pack(path, arrays, compression=zipfile.ZIP_STORED):
    """Writes an .npz; the same arrays give the same bytes."""
    with zipfile.ZipFile(path, "w") as packed:
        for name, data in arrays.items():
            packed.writestr(zipfile.ZipInfo(f"{name}.npy"), data, compression, 9)  # the date of ZipInfo is 1980


def to_npy(array):
    import numpy as np

    data = io.BytesIO()
    np.save(data, array, allow_pickle=False)
    return data.getvalue()


def from_npy(data):
    import numpy as np

    return np.load(io.BytesIO(data))


def typed(array, dtype):
    """The stored array with its dtype. NumPy stores the types of ml_dtypes as raw bits."""
    import ml_dtypes
    import numpy as np

    if dtype == "key":
        return array
    want = np.dtype(getattr(ml_dtypes, dtype, None) or dtype)
    return array if array.dtype == want else array.view(want)
