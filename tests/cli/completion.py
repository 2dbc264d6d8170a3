#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The scripts that complete the tool's options, in the shells that are there."""

import os
import pty
import re
import select
import shutil
import subprocess
import time
import unittest

from folder import in_a_folder
from tool import root, run

SHELLS = ("bash", "zsh", "fish", "powershell")


def script_of(shell):
    return run("--completion", shell).out.decode()


def needs(shell):
    return unittest.skipUnless(shutil.which(shell), f"there is no {shell}")


class scripts(unittest.TestCase):
    def test_they_name_every_option_and_its_values(self):
        options = set(re.findall(r"--([a-z][a-z-]+)", run("--help").out.decode().split("Examples:")[0]))
        for shell in SHELLS:
            script = script_of(shell)
            self.assertEqual([o for o in options if not re.search(rf"(-l |--){o}\b", script)], [], shell)
            self.assertRegex(script, r"keep'?,? '?strip")

    def test_the_manual_shows_how_each_shell_reads_its_script(self):
        manual = (root / "docs/jax2onnx.1").read_text()
        self.assertIn("source <(jax2onnx --completion bash)\n", manual)
        self.assertIn("source <(jax2onnx --completion zsh)\n", manual)
        self.assertIn("jax2onnx --completion fish | source\n", manual)
        self.assertIn("jax2onnx --completion powershell | Out-String | Invoke-Expression\n", manual)


class in_bash(in_a_folder):
    def completed(self, *words):
        complete = 'COMP_WORDS=(jax2onnx "$@"); COMP_CWORD=$#; _jax2onnx; printf "%s\\n" "${COMPREPLY[@]}"'
        done = subprocess.run(
            ["bash", "-c", script_of("bash") + complete, "bash", *words],
            cwd=self.folder,
            capture_output=True,
            text=True,
        )
        self.assertEqual(done.stderr, "")
        return done.stdout.split("\n")[:-1]

    def test_names_values_and_files(self):
        self.file("my net.jaxpr", "")
        for words, expected in [
            (["--ops"], ["--opset"]),
            (["--source-info", "s"], ["strip"]),
            (["--emit", "=", "t"], ["text"]),
            (["--emit", "="], ["onnx", "text"]),
            (["--no-fuse", "=", "LogS"], ["LogSoftmax"]),
            (["--no-fuse", "my"], ["my net.jaxpr"]),
            (["my"], ["my net.jaxpr"]),
        ]:
            self.assertEqual(self.completed(*words), expected, words)


@needs("fish")
class in_fish(in_a_folder):
    def completed(self, line):
        self.file("jax2onnx.fish", script_of("fish"))
        done = subprocess.run(
            ["fish", "--no-config", "-c", f"source jax2onnx.fish; complete -C {line!r}"],
            cwd=self.folder,
            env={**os.environ, "HOME": str(self.folder)},
            capture_output=True,
            text=True,
        )
        self.assertEqual(done.stderr, "")
        return done.stdout.splitlines()

    def test_names_values_and_files(self):
        self.file("my_net.jaxpr", "")
        self.assertRegex(self.completed("jax2onnx --ops")[0], r"^--opset\tVersion of the operators, 17 to ")
        for line, expected in [
            ("jax2onnx --source-info s", ["strip"]),
            ("jax2onnx --emit=", ["--emit=onnx", "--emit=text"]),
            ("jax2onnx --no-fuse=LogS", ["--no-fuse=LogSoftmax"]),
            ("jax2onnx --no-fuse my", ["my_net.jaxpr"]),
            ("jax2onnx my", ["my_net.jaxpr"]),
        ]:
            self.assertEqual([found.partition("\t")[0] for found in self.completed(line)], expected, line)


@needs("zsh")
class in_zsh(in_a_folder):
    def typed(self, keys, mark=">"):
        """The output of an interactive zsh for the keys, up to a mark. Ctrl-G shows the line in angle brackets."""
        process, terminal = pty.fork()
        if process == 0:
            os.chdir(self.folder)
            os.environ.update(TERM="vt100", HOME=str(self.folder))
            os.execvp("zsh", ["zsh", "-f", "-i"])
        self.addCleanup(os.waitpid, process, 0)
        self.addCleanup(os.close, terminal)

        def shown_until(mark):
            shown, deadline = b"", time.monotonic() + 30
            while mark not in shown:
                self.assertLess(time.monotonic(), deadline, shown)
                if select.select([terminal], [], [], 0.1)[0]:
                    shown += os.read(terminal, 1 << 16)
            return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|[\r\x07\0]", "", shown.decode())

        self.file("jax2onnx.zsh", script_of("zsh"))
        report = 'show() { print -r -- "<$BUFFER>"; BUFFER= }; zle -N show; bindkey "^G" show'
        os.write(terminal, f"PS1=; stty columns 200; source jax2onnx.zsh; {report}; print re''ady\n".encode())
        shown_until(b"ready")
        os.write(terminal, f"jax2onnx {keys}".encode())
        return shown_until(mark.encode())

    def test_names_values_and_files(self):
        self.file("my_net.jaxpr", "")
        for keys, line in [
            ("--ops\t", "--opset="),
            ("--source-info s\t", "--source-info strip "),
            ("--emit=t\t", "--emit=text "),
            ("--no-fuse=LogS\t", "--no-fuse=LogSoftmax "),
            ("--no-fuse my\t", "--no-fuse my_net.jaxpr "),
            ("my\t", "my_net.jaxpr "),
        ]:
            self.assertIn(f"<jax2onnx {line}>", self.typed(keys + "\x07"), keys)

    def test_the_meaning_of_options(self):
        shown = self.typed("--output\t", mark="--outputs-as-nchw")  # the last one
        self.assertRegex(shown, r"--output-names +-- Names of the outputs, in order")
        self.assertRegex(shown, r"--output +-- The model; .* \[MODEL.onnx\]")


class in_powershell(unittest.TestCase):
    def test_quotes_and_brackets_are_closed(self):
        """A syntax test that needs no PowerShell: between quotes, in which '' is one, brackets are in pairs."""
        code = re.sub(r"'(?:[^'\n]|'')*'", "", script_of("powershell"))
        self.assertNotIn("'", code)
        open_brackets = []
        for bracket in re.findall(r"[][(){}]", code):
            if bracket in "[({":
                open_brackets.append(bracket)
            else:
                self.assertEqual(open_brackets.pop() + bracket, {"]": "[]", ")": "()", "}": "{}"}[bracket])
        self.assertEqual(open_brackets, [])

    @needs("pwsh")
    def test_names_and_values(self):
        for line, expected in [
            ("jax2onnx --ops", ["--opset"]),
            ("jax2onnx --source-info s", ["strip"]),
            ("jax2onnx --emit=", ["--emit=onnx", "--emit=text"]),
            ("jax2onnx --no-fuse=LogS", ["--no-fuse=LogSoftmax"]),
        ]:
            ask = f"[System.Management.Automation.CommandCompletion]::CompleteInput('{line}', {len(line)}, $null)"
            script = script_of("powershell") + f"({ask}).CompletionMatches | ForEach-Object CompletionText\n"
            done = subprocess.run(["pwsh", "-NoProfile", "-Command", script], capture_output=True, text=True)
            self.assertEqual((done.stdout.split(), done.stderr), (expected, ""))


if __name__ == "__main__":
    unittest.main()
