# SPDX-License-Identifier: Apache-2.0
"""Checks that the extension module of a wheel for Windows or macOS needs only the system's libraries and Python's.

python examine_extension.py WHEEL [FILE]    FILE gets the functions of python3.dll, as a list of what a DLL exports
"""

import pathlib
import re
import sys
import tempfile
import zipfile

import macholib.mach_o
import macholib.MachO
import pefile

SYSTEM = (
    r"(kernel32|advapi32|ntdll|api-ms-win-crt-[a-z]+-l1-1-0|python3)\.dll"
    r"|/usr/lib/(libSystem\.B|libc\+\+(abi)?\.1)\.dylib"
)


def windows(data, exports):
    """The DLLs of a PE file. Forwards the functions of python3.dll to CPython's own DLL, named in `exports`."""
    found = {e.dll.decode().lower(): e.imports for e in pefile.PE(data=data).DIRECTORY_ENTRY_IMPORT}
    if exports:
        own = exports.stem.split("-")[-1]
        lines = [f"  {i.name.decode()} = {own}.{i.name.decode()}" for i in found["python3.dll"]]
        exports.write_text("EXPORTS\n" + "\n".join(lines) + "\n")
    return list(found), "win"


def macos(data):
    """The dylibs of a Mach-O file, and the first version of macOS that it is for."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        (header,) = macholib.MachO.MachO(file.name).headers
    found, version = [], None
    for load, command, rest in header.commands:
        if load.cmd in (macholib.mach_o.LC_LOAD_DYLIB, macholib.mach_o.LC_LOAD_WEAK_DYLIB):
            found.append(rest.rstrip(b"\0").decode())
        elif load.cmd in (macholib.mach_o.LC_BUILD_VERSION, macholib.mach_o.LC_VERSION_MIN_MACOSX):
            packed = getattr(command, "minos", None) or command.version
            version = f"macosx_{packed >> 16}_{packed >> 8 & 255}"
    return found, version


wheel, *rest = map(pathlib.Path, sys.argv[1:])
with zipfile.ZipFile(wheel) as archive:
    (name,) = [n for n in archive.namelist() if n.startswith("jax2onnx_cpp/_core.") and not n.endswith(".pyi")]
    data = archive.read(name)
libraries, system = windows(data, *rest or [None]) if name.endswith(".pyd") else macos(data)
print(f"{name}: {len(data)} bytes, for {system}, with {', '.join(sorted(libraries))}")
others = [library for library in libraries if not re.fullmatch(SYSTEM, library)]
if others or f"-{system}_" not in wheel.name:
    sys.exit(f"{wheel.name}: {system}, {others}")
