# SPDX-License-Identifier: Apache-2.0
"""Weights files for the tests, made with the standard library."""

import io
import json
import math
import struct
import zipfile


def npy(shape, fill=1.0, descr="<f4"):
    header = repr({"descr": descr, "fortran_order": False, "shape": tuple(shape)}).encode()
    header += b" " * (-(10 + len(header) + 1) % 64) + b"\n"
    data = struct.pack({"<f4": "<f", ">f4": ">f", "<f8": "<d"}[descr], fill) * math.prod(shape)
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


def npz(compression=zipfile.ZIP_STORED, **arrays):
    """An archive whose members have the order of the keyword arguments."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in arrays.items():
            archive.writestr(zipfile.ZipInfo(name + ".npy"), content, compression)
    return out.getvalue()


def safetensors(shapes, metadata=None, fill=1.0):
    """float32 tensors {name: shape}, one after another."""
    header, data = {"__metadata__": metadata} if metadata else {}, b""
    for name, shape in shapes.items():
        tensor = struct.pack("<f", fill) * math.prod(shape)
        header[name] = {"dtype": "F32", "shape": list(shape), "data_offsets": [len(data), len(data) + len(tensor)]}
        data += tensor
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def raw_safetensors(name, dtype, shape, data):
    """One tensor of any type."""
    text = json.dumps({name: {"dtype": dtype, "shape": shape, "data_offsets": [0, len(data)]}}).encode()
    return struct.pack("<Q", len(text)) + text + data


def sparse_safetensors(path, shapes, metadata=None):
    """Writes float32 tensors of these shapes to a sparse file: the data are holes."""
    sizes = {name: 4 * math.prod(shape) for name, shape in shapes.items()}
    header, end = {"__metadata__": metadata} if metadata else {}, 0
    for name, shape in shapes.items():
        header[name] = {"dtype": "F32", "shape": list(shape), "data_offsets": [end, end + sizes[name]]}
        end += sizes[name]
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        file.truncate(8 + len(text) + end)
