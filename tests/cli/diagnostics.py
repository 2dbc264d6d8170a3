#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the wording of diagnostics: converts each diagnostics/NAME.jaxpr; NAME.err has the exit code and the message.

diagnostics.py --update writes the .err files; review their difference.
"""

import sys

from tool import root, run

folder = root / "tests/cli/diagnostics"


def said(text):
    arguments = text.with_suffix(".args")
    extra = arguments.read_text().split() if arguments.exists() else []
    done = run(text.name, "--dry-run", "-q", *extra, cwd=folder)
    return f"exit code {done.code}\n{done.err}"


def main():
    update, differ = "--update" in sys.argv, []
    for text in sorted(folder.glob("*.jaxpr")):
        expected, got = text.with_suffix(".err"), said(text)
        if update:
            expected.write_text(got)
        elif not expected.exists() or expected.read_text() != got:
            differ.append(text.stem)
            print(f"--- {expected.name} should be\n{got}")
    print(f"{len(differ)} of {len(list(folder.glob('*.jaxpr')))} differ")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
