"""Tables and a picture of rows as rows.py makes them."""

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402
from rich.table import Table  # noqa: E402

# Okabe and Ito's palette, which colour-blind people can tell apart.
COLOURS = {
    "roipool": "#0072B2",
    "roipool_fresh": "#56B4E9",
    "roipool_fixed_point": "#56B4E9",
    "roipool_shared_planes": "#009E73",
    "plain_loop": "#999999",
    "cuda_peer": "#999999",
    "torchvision": "#D55E00",
    "torchvision_kept_pages": "#E69F00",
    "torch_scatter_add": "#CC79A7",
    "torch_index_add": "#F0E442",
    "paddle": "#009E73",
    "onnxruntime": "#CC79A7",
    "openvino": "#F0E442",
    "numpy_add_at": "#000000",
}
RATIOS = ["ratio_to_stream", "ratio_to_plain", "ratio_to_torchvision"]
BYTES_PER_BIN = 8  # Of float32 gradients and int32 argmax.


def number(value, digits=2):
    return "" if value is None else f"{value:.{digits}f}"


def ordered(rows):
    """By shape, type and threads; within those the fastest first, the memory's own pace before all."""
    types = ["f32", "f16", "bf16", "f64"]
    return sorted(
        rows,
        key=lambda row: (row["shape"], types.index(row["dtype"]), row["threads"], row["impl"] != "stream", row["ms_min"]),
    )


def cells(row):
    milliseconds = (
        number(row["ms_min"], 4 if row["ms_min"] < 0.1 else 2),
        number(row["ms_median"], 4 if row["ms_min"] < 0.1 else 2),
    )
    return [row["shape"], row["dtype"], str(row["threads"] or ""), row["impl"], *milliseconds, number(row["ns_per_bin"])] + [
        number(row[ratio]) for ratio in RATIOS
    ]


HEADINGS = ["shape", "type", "threads", "impl", "ms min", "ms median", "ns/bin", "/ stream", "x plain", "x torchvision"]


def title_of(metadata):
    versions = ", ".join(f"{name} {version}" for name, version in metadata["versions"].items())
    return f"{metadata['cpu']}; {versions}; {metadata['date']}, commit {metadata['commit']}; {metadata['command']}"


def print_tables(rows, metadata, console):
    title = f"{rows[0]['op']}: '/ stream' is the time over the memory's; 'x' is how many times faster than that"
    table = Table(title=title, caption=title_of(metadata))
    for heading in HEADINGS:
        table.add_column(heading, justify="left" if heading in ("shape", "type", "impl") else "right", no_wrap=True)
    last_shape = None
    for row in ordered(rows):
        if last_shape not in (None, row["shape"]):
            table.add_section()
        last_shape = row["shape"]
        table.add_row(*cells(row), style="bold" if row["impl"] == "roipool" else None)
    console.print(table)


def markdown(rows, metadata):
    lines = [f"{title_of(metadata)}", "", "| " + " | ".join(HEADINGS) + " |", "|" + "---|" * len(HEADINGS)]
    lines += ["| " + " | ".join(cells(row)) + " |" for row in ordered(rows)]
    return "\n".join(lines) + "\n"


def drawn(rows):
    """Shape D is the cost of a call, on another scale; other types have no peers."""
    return [row for row in rows if row["dtype"] == "f32" and row["shape"] != "D"]


def has_picture(rows):
    return bool(drawn(rows))


def place_of(threads):
    """Rows of a GPU have no threads."""
    return "on the GPU" if threads == 0 else f"{threads} thread{'s' if threads > 1 else ''}"


def draw(rows, metadata, path):
    """Bars of ns per bin for each shape and number of threads, and, where the memory was timed, a roofline against bytes read."""
    rows = drawn(rows)
    shapes = sorted({row["shape"] for row in rows})
    threads = sorted({row["threads"] for row in rows})
    width_ratios = [1.25] * len(threads) + [1] * any(row["impl"] == "stream" for row in rows)
    figure, axes = pyplot.subplots(
        1, len(width_ratios), figsize=(5.2 * len(width_ratios), 4.6), width_ratios=width_ratios, squeeze=False
    )
    axes = axes[0]
    for axis, count in zip(axes, threads):
        draw_bars(axis, rows, shapes, count)
    if len(axes) > len(threads):
        draw_roofline(axes[-1], rows, threads)
    # Of the first bars, which have everyone: some peers have one thread alone.
    handles = {label: handle for handle, label in zip(*axes[0].get_legend_handles_labels())}
    figure.legend(handles.values(), handles.keys(), loc="upper center", ncols=5, fontsize=8, frameon=False)
    figure.text(0.5, 0.005, title_of(metadata), ha="center", fontsize=6.5, wrap=True)
    figure.tight_layout(rect=(0, 0.03, 1, 0.89))
    figure.savefig(path, dpi=150)
    pyplot.close(figure)


def draw_bars(axis, rows, shapes, threads):
    impls = [impl for impl in COLOURS if any(row["impl"] == impl for row in rows)]
    width = 0.85 / max(1, len(impls))
    for i, impl in enumerate(impls):
        # The loop has one thread however many the others have.
        values = {
            row["shape"]: row["ns_per_bin"]
            for row in rows
            if row["impl"] == impl and row["threads"] == (1 if impl == "plain_loop" else threads)
        }
        places = [s + (i - (len(impls) - 1) / 2) * width for s, shape in enumerate(shapes) if shape in values]
        axis.bar(places, [values[shape] for shape in shapes if shape in values], width, color=COLOURS[impl], label=impl)
    for s, shape in enumerate(shapes):
        for row in rows:
            if (row["impl"], row["threads"], row["shape"]) == ("stream", threads, shape):
                axis.hlines(
                    row["ns_per_bin"], s - 0.45, s + 0.45, colors="k", linestyles="dotted", label="stream (memory's pace)"
                )
    axis.set_yscale("log")
    axis.set_xticks(range(len(shapes)), [f"shape {shape}" for shape in shapes])
    axis.set_ylabel("ns per bin (log scale, lower is better)")
    axis.set_title(f"{rows[0]['op']}, float32, {place_of(threads)}", fontsize=10)
    axis.yaxis.set_major_formatter("{x:g}")
    axis.grid(axis="y", which="both", alpha=0.25)
    axis.set_axisbelow(True)


def draw_roofline(axis, rows, threads):
    """What each shape reaches of the rate at which its inputs can be read at all."""
    markers = dict(zip(sorted({row["shape"] for row in rows}), "osD^"))
    fastest = max(1 / row["ns_per_bin"] for row in rows if row["impl"] == "stream")
    axis.plot([0, fastest], [0, fastest], "k:", label="limit: the memory's pace")
    for share in (0.5, 0.25):
        axis.plot([0, fastest], [0, fastest * share], color="#cccccc", linewidth=0.8)
        axis.text(fastest, fastest * share, f" {share:g} of it", fontsize=7, va="center")
    for count, face in zip(threads, ("none", None, None)):
        limit = {row["shape"]: 1 / row["ns_per_bin"] for row in rows if row["impl"] == "stream" and row["threads"] == count}
        for impl in ("roipool", "torchvision"):
            for row in rows:
                if row["impl"] == impl and row["threads"] == count and row["shape"] in limit:
                    colour = COLOURS[impl]
                    axis.scatter(
                        limit[row["shape"]],
                        1 / row["ns_per_bin"],
                        marker=markers[row["shape"]],
                        edgecolors=colour,
                        facecolors="none" if face else colour,
                        s=45,
                    )
                    axis.annotate(
                        row["shape"],
                        (limit[row["shape"]], 1 / row["ns_per_bin"]),
                        xytext=(5, 3),
                        textcoords="offset points",
                        fontsize=8,
                    )
    axis.set_xlim(0, fastest * 1.18)
    axis.set_ylim(0, fastest * 1.02)
    paid = "reading and writing all" if threads == [0] else f"{BYTES_PER_BIN} bytes per bin"
    axis.set_xlabel(f"bins per ns that memory delivers ({paid})")
    axis.set_ylabel("bins per ns reached")
    title = "Roofline: roipool blue, torchvision red"
    axis.set_title(title if threads == [0] else f"{title};\nhollow 1 thread, filled more", fontsize=9)
    axis.legend(fontsize=7, loc="upper left")
