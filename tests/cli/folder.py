# SPDX-License-Identifier: Apache-2.0
"""A test case that runs in its own temporary folder."""

import os
import pathlib
import tempfile
import unittest

from tool import run


class in_a_folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, content):
        (self.folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
        return name

    def read(self, name):
        return (self.folder / name).read_bytes()

    def run_here(self, *arguments, **options):
        return run(*arguments, cwd=self.folder, **options)

    def files(self):
        return sorted(os.listdir(self.folder))
