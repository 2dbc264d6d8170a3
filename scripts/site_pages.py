#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Copies the Markdown files of the repository, and the files that they link to, into a folder that mkdocs reads.

    scripts/site_pages.py FOLDER

The tree is kept, so that links work in both. Links to folders lead to their README.md, or to a list of their
pages.
"""

import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
LINK = re.compile(r"(\[[^\]]*\]\()([^()\s#]+)((?:#[^()\s]*)?\))")
FENCED = re.compile(r"(^```.*?^```)", re.M | re.S)


def listing(folder):
    """A page with the titles of the pages in a folder."""
    pages = sorted(folder.glob("*.md"))
    titles = [(page.read_text().partition("\n")[0].lstrip("# "), page.name) for page in pages]
    return f"# {folder.name.capitalize()}\n\n" + "".join(f"- [{title}]({name})\n" for title, name in titles)


def copy(name, to):
    target = to / name
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / name, target)


def page(name, to):
    """Writes a page with its links to folders completed, and copies the other files that it links to."""
    source = ROOT / name

    def linked(match):
        before, target, after = match.groups()
        leads = (source.parent / target).resolve()
        if re.match(r"\w+:", target) or not leads.is_relative_to(ROOT):
            return match[0]
        inside = str(leads.relative_to(ROOT))
        if leads.is_dir():
            if not (leads / "README.md").exists():
                if not list(leads.glob("*.md")):
                    return before[1:-2]  # only its text
                (to / inside).mkdir(parents=True, exist_ok=True)
                (to / inside / "README.md").write_text(listing(leads))
            return f"{before}{target.rstrip('/')}/README.md{after}"
        if leads.suffix != ".md":
            copy(inside, to)
        return match[0]

    parts = FENCED.split(source.read_text())
    text = "".join(part if part.startswith("```") else LINK.sub(linked, part) for part in parts)
    (to / name).parent.mkdir(parents=True, exist_ok=True)
    (to / name).write_text(text)


to = pathlib.Path(sys.argv[1]).resolve()
shutil.rmtree(to, ignore_errors=True)
listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md", ":!.github"]
for name in subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split():
    page(name, to)
