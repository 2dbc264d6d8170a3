#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the results of measure.py as Markdown, and plots them.

    report.py FOLDER/results.json [--plot latency.svg] [--statistic median|least]

Times are milliseconds. A ratio is our time divided by theirs: below 1 we are faster. On one core a time is the CPU time
of the process, which excludes other work on the machine. Only the plot needs matplotlib.
"""

import argparse
import json
import math
import pathlib
import statistics

NAMES = {
    "bert": "BERT base", "gpt2": "GPT-2", "vit": "ViT base", "resnet50": "ResNet-50", "roberta": "RoBERTa base",
    "gemma": "Gemma, 6 layers", "mistral": "Mistral, 6 layers", "distilbert": "DistilBERT", "dinov2": "DINOv2 small",
    "albert": "ALBERT base", "electra": "ELECTRA small", "beit": "BEiT base",
    "clip": "CLIP", "wav2vec2": "wav2vec 2.0", "t5": "T5 small", "bart": "BART base",
    "whisper": "Whisper tiny",
    "gpt2_decode_step": "GPT-2, one token with a cache", "stacked_lstm": "LSTM, 3 layers", "unet": "diffusion U-Net",
    "mixer": "MLP-Mixer", "efficientnet": "EfficientNet-B0", "mamba": "selective state space, 4 layers",
    "training_step": "training step of a CNN, with Adam",
}  # fmt: skip
CONTENDERS = {"ours": "ours", "jax": "JAX jit", "torch": "torch.onnx", "exporter": "exporter"}
OTHERS = [c for c in CONTENDERS if c != "ours"]
COLOURS = {"jax": "#0072b2", "torch": "#d55e00", "exporter": "#009e73"}  # distinguishable for the colour-blind
MARKERS = {"jax": "o", "torch": "s", "exporter": "^"}


def table(header, rows):
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def number(values, contender, form):
    return format(values[contender], form) if contender in values else ""


def ratios(networks, values_of, other):
    """Our value divided by the other's, by network."""
    found = {name: values_of(network) for name, network in networks.items()}
    return {name: v["ours"] / v[other] for name, v in found.items() if {"ours", other} <= v.keys()}


def summary(networks, values_of):
    """A line for each other contender, with the geometric mean of the ratios and the largest one."""
    for other in OTHERS:
        if found := list(ratios(networks, values_of, other).values()):
            mean = math.exp(statistics.fmean(map(math.log, found)))
            yield f"ours / {CONTENDERS[other]}: {mean:.3f} as geometric mean of {len(found)}, at most {max(found):.2f}"


def milliseconds(cores, statistic):
    one = {"median": statistics.median, "least": min}[statistic]
    return lambda network: {c: 1e3 * one(seconds) for c, seconds in network.get(cores, {}).items()}


def of_first(what, scale):
    return lambda network: {c: scale * v[what] for c, v in network.get("first", {}).items()}


def compared(networks, values_of, form, present):
    """A table with one number for each contender, the ratios, and a summary."""
    header = ["network", *(CONTENDERS[c] for c in present), *(f"ours / {CONTENDERS[c]}" for c in present[1:])]
    rows = []
    for name, network in networks.items():
        values = values_of(network)
        quotients = {c: values["ours"] / values[c] for c in values}
        cells = [number(values, c, form) for c in present] + [number(quotients, c, ".2f") for c in present[1:]]
        rows.append([NAMES.get(name, name), *cells])
    return "\n\n".join([table(header, rows), *summary(networks, values_of)])


def sections(results, statistic):
    """Yields titles, functions that return the values of a network, and number formats."""
    yield f"One core, ms, {statistic}", milliseconds("one", statistic), ".2f"
    yield f"{results['cores']} cores, ms, {statistic}", milliseconds("all", statistic), ".2f"
    yield "First result, s", of_first("seconds", 1), ".2f"
    yield "Peak memory, MB", of_first("bytes", 1e-6), ".0f"
    yield "Nodes", lambda network: network["nodes"], "d"


def markdown(results, statistic="median"):
    networks, parts = results["networks"], []
    for title, values_of, form in sections(results, statistic):
        present = [c for c in CONTENDERS if any(c in values_of(n) for n in networks.values())]
        if present:
            parts.append(f"### {title}\n\n{compared(networks, values_of, form, present)}")
    return "\n\n".join(parts)


def plot(results, path, statistic="median"):
    """Plots the others' times as multiples of ours, with a panel for each section except nodes."""
    import matplotlib
    from matplotlib.figure import Figure

    matplotlib.rcParams["svg.hashsalt"] = "jax2onnx"  # the same file for the same numbers
    networks = results["networks"]
    panels = [s for s in sections(results, statistic) if s[0] != "Nodes" and any(map(s[1], networks.values()))]
    figure = Figure(figsize=(2.2 + 2.3 * len(panels), 1.2 + 0.24 * len(networks)), layout="constrained")
    rows = {name: len(networks) - i for i, name in enumerate(networks)}
    for at, (title, values_of, _) in enumerate(panels):
        axes = figure.add_subplot(1, len(panels), at + 1)
        axes.axvline(1, color="black", linewidth=1)
        for other in OTHERS:
            found = ratios(networks, values_of, other)
            x, y = [1 / r for r in found.values()], [rows[name] for name in found]
            axes.scatter(x, y, s=22, c=COLOURS[other], marker=MARKERS[other], label=CONTENDERS[other], zorder=3)
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.set_title(title.split(",")[0], fontsize=9)
        axes.set_yticks(list(rows.values()), [NAMES.get(n, n) for n in rows] if at == 0 else [])
        axes.tick_params(labelsize=8, length=0)
        axes.grid(color="#dddddd")
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, fontsize=8, frameon=False)
    figure.suptitle("Time relative to our model's (1)\nright of it, ours is faster", fontsize=10)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("--plot", type=pathlib.Path, metavar="FILE.svg")
    parser.add_argument("--statistic", choices=["median", "least"], default="median")
    options = parser.parse_args()
    results = json.loads(options.results.read_text())
    print(markdown(results, options.statistic))
    if options.plot:
        plot(results, options.plot, options.statistic)


if __name__ == "__main__":
    main()
