# SPDX-License-Identifier: Apache-2.0
"""A model as a picture: SVG, for notebooks."""

from __future__ import annotations

import collections
import html
from collections.abc import Sequence
from typing import Any

from . import _core
from ._arguments import counted

MOST = 150  # the most nodes that are drawn
WIDTH, HEIGHT, GAP, STEP = 150, 34, 14, 62  # the size of a box, the gap between boxes, the step between rows
COLOURS = {"input": "#dbeafe", "output": "#dcfce7", "node": "#f4f4f5"}


class Box:
    """An input, an output or a node."""

    def __init__(self, kind: str, title: str, below: str, operands: tuple[Box, ...] = ()):
        self.kind, self.title, self.below = kind, title, below
        self.operands = operands  #: the boxes that it takes values from
        self.row: int = 1 + max((box.row for box in operands), default=-1)
        self.x = 0.0


def drawn(core: _core.Model, inputs: Sequence[Any]) -> str:
    """HTML of the main graph: operands above their readers, without constants, at most the first MOST nodes."""
    boxes = boxes_of(core, inputs)
    place(boxes)
    width = max((box.x + WIDTH for box in boxes), default=0) + GAP
    height = STEP * (1 + max((box.row for box in boxes), default=0))
    lines = "".join(line(source, box) for box in boxes for source in box.operands)
    left_out = sum(core.operators.values()) - sum(box.kind == "node" for box in boxes)
    note = f"<p>{counted(left_out, 'more node')}, in subgraphs or after these</p>" if left_out else ""
    return (
        f'<div style="max-height: 40em; overflow: auto"><svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}"'
        f' height="{height}" font-family="sans-serif" font-size="12" text-anchor="middle">'
        f"{lines}{''.join(map(rectangle, boxes))}</svg></div>{note}"
    )


def boxes_of(core: _core.Model, inputs: Sequence[Any]) -> list[Box]:
    first, last = core.ends
    made = {value: Box("input", info.name, shape_text(info.shape)) for value, info in zip(first, inputs)}
    boxes = list(made.values())
    for operator, operands, results in core.nodes(MOST):
        sources = dict.fromkeys(made[value] for value, constant in operands if not constant and value in made)
        box = Box("node", operator, shape_text(results[0][3]) if results else "", tuple(sources))
        boxes.append(box)
        for value, name, _, shape in results:
            made[value] = box
            if value in last:
                boxes.append(Box("output", name, shape_text(shape), (box,)))
    return boxes


def shape_text(shape: Sequence[int | str]) -> str:
    return "×".join(map(str, shape)) or "scalar"


def place(boxes: list[Box]) -> None:
    """Orders the boxes of each row from left to right by the mean of their operands' positions."""
    rows = collections.defaultdict(list)
    for box in boxes:
        rows[box.row].append(box)
    for _, row in sorted(rows.items()):
        wished = {id(box): sum(s.x for s in box.operands) / max(1, len(box.operands)) for box in row}
        end: float = GAP
        for box in sorted(row, key=lambda box: wished[id(box)]):
            box.x = max(end, wished[id(box)])
            end = box.x + WIDTH + GAP


def line(source: Box, target: Box) -> str:
    x1, y1 = source.x + WIDTH / 2, source.row * STEP + HEIGHT + GAP
    x2, y2 = target.x + WIDTH / 2, target.row * STEP + GAP
    middle = (y1 + y2) / 2
    return (
        f'<path d="M{x1:.0f} {y1:.0f}C{x1:.0f} {middle:.0f} {x2:.0f} {middle:.0f} {x2:.0f} {y2:.0f}"'
        ' fill="none" stroke="#a1a1aa"/>'
    )


def rectangle(box: Box) -> str:
    x, y = box.x, box.row * STEP + GAP
    middle = x + WIDTH / 2
    return (
        f'<rect x="{x:.0f}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="5" fill="{COLOURS[box.kind]}"'
        ' stroke="#71717a"/>'
        f'<text x="{middle:.0f}" y="{y + 14}" fill="#18181b">{html.escape(shortened(box.title))}</text>'
        f'<text x="{middle:.0f}" y="{y + 28}" fill="#52525b" font-size="10">{html.escape(shortened(box.below))}</text>'
    )


def shortened(text: str, most: int = 22) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
