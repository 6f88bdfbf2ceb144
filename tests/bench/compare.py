"""Times roipool, a plain loop, a streaming read and other libraries on the same inputs, in turns. Run by scripts/bench."""

import argparse
import json
import os
import pathlib
import platform
import shlex
import subprocess
import sys
import tempfile
from datetime import date

import report
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rows import Samples, rows_of
from verdict import why_wrong

KEPT_PAGES = {"MALLOC_MMAP_THRESHOLD_": str(4 << 30), "MALLOC_TRIM_THRESHOLD_": str(4 << 30), "MALLOC_TOP_PAD_": str(1 << 29)}
# Peer, environment, suffix of its impls, the only impl wanted.
PEER_PROCESSES = {
    "cpu": [
        ("torchvision", {}, "", None),
        ("torchvision", KEPT_PAGES, "_kept_pages", "torchvision"),
        ("paddle", {}, "", None),
        ("numpy", {}, "", None),
        ("onnxruntime", {}, "", None),
        ("openvino", {}, "", None),
    ],
    "cuda": [("torchvision_cuda", {}, "", None)],
}
FORWARD_ONLY = {"onnxruntime", "openvino"}


def names_of(allowed):
    """A converter of "A,B" to a list of names that are allowed."""

    def convert(text):
        names = text.split(",")
        for name in names:
            if name not in allowed:
                raise argparse.ArgumentTypeError(f"'{name}' is none of {','.join(allowed)}")
        return names

    return convert


def thread_counts(text):
    counts = text.split(",")
    if not all(count.isdecimal() and 1 <= int(count) <= os.cpu_count() for count in counts):
        raise argparse.ArgumentTypeError(f"'{text}' must be numbers from 1 to {os.cpu_count()}, e.g. 1,{os.cpu_count()}")
    return sorted({int(count) for count in counts})


def parse_arguments():
    parser = argparse.ArgumentParser(
        prog="scripts/bench",
        description=__doc__,
        epilog="ratio_to_stream: the time over that of reading grad_output and argmax once, with as many threads; 1 is the memory's pace. "
        "ratio_to_plain, ratio_to_torchvision: the other's time over this one; plain_loop has one thread, torchvision as many. "
        "roipool_fresh writes into memory that it allocates for each call, as torchvision does; torchvision_kept_pages is "
        "torchvision with an allocator that keeps its pages, as roipool's reused output does. On a GPU all times are the GPU's own; "
        "stream copies as many bytes as must be read and written, and cuda_peer is plain CUDA C++, if there is nvcc.",
    )
    parser.add_argument("--quick", action="store_true", help="one short round: under a minute once everything is installed")
    parser.add_argument("--target", choices=["cpu", "cuda"], default="cpu", help="default: %(default)s")
    parser.add_argument("--op", choices=["roi_pool_grad", "roi_pool"], default="roi_pool_grad", help="default: %(default)s")
    parser.add_argument("--shapes", type=names_of("ABCDE"), default="A,B,C,D,E", help="default: %(default)s")
    parser.add_argument(
        "--types",
        type=names_of(["f32", "f16", "bf16", "f64"]),
        help="of roipool; peers run float32. Default: f32,f16,bf16,f64; with --quick f32,f16",
    )
    parser.add_argument("--threads", type=thread_counts, default=f"1,{os.cpu_count()}", help="default: %(default)s")
    parser.add_argument("--rounds", type=int, help="how often everyone has a turn (default: 5; 1 with --quick)")
    parser.add_argument("--no-peers", action="store_true", help="only what needs no other library")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write all rows")
    parser.add_argument("--markdown", type=pathlib.Path, metavar="FILE", help="write the table")
    parser.add_argument("--png", type=pathlib.Path, metavar="FILE", help="default: out/bench.png, out/bench_cuda.png")
    parser.add_argument("--programs", required=True, type=pathlib.Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    arguments.types = arguments.types or (["f32", "f16"] if arguments.quick else ["f32", "f16", "bf16", "f64"])
    arguments.rounds = arguments.rounds or (1 if arguments.quick else 5)
    on_cuda = arguments.target == "cuda"
    if on_cuda and arguments.op != "roi_pool_grad":
        parser.error("--op: on a GPU there is roi_pool_grad alone")
    arguments.threads = [0] if on_cuda else arguments.threads
    arguments.png = arguments.png or pathlib.Path("out/bench_cuda.png" if on_cuda else "out/bench.png")
    arguments.program = str(arguments.programs / ("roipool_cuda_bench" if on_cuda else "roipool_bench"))
    peer = arguments.programs / "cuda_peer.ptx"
    arguments.program_options = ["--peer", str(peer)] if on_cuda and peer.is_file() else []
    arguments.seconds = 0.03 if arguments.quick else 0.25
    return arguments


class Peer:
    """A process of peers.py. Waits for commands between its turns, without spinning."""

    def __init__(self, folder, op, name, environment, suffix, only):
        self.name, self.suffix = name, suffix
        script = pathlib.Path(__file__).with_name("peers.py")
        self.process = subprocess.Popen(
            [sys.executable, str(script), folder, name, op] + ([only] if only else []),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "OMP_WAIT_POLICY": "passive", **environment},
        )
        hello = json.loads(self.process.stdout.readline())
        self.missing = hello.get("missing")
        self.versions = hello.get("versions", {})

    def ask(self, command):
        print(command, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer:
            raise SystemExit(f"scripts/bench: {self.name} died on '{command}'")
        return {impl + self.suffix: value for impl, value in json.loads(answer).items()}


def type_and_name(impl):
    """A peer computes in float32, unless its name begins with a type."""
    dtype, _, name = impl.rpartition("/")
    return dtype or "f32", name


def run_roipool(arguments, folder, shape, samples):
    """One turn of everything that roipool_bench can time on a shape."""
    types = "|".join(arguments.types)
    threads = "|".join(map(str, arguments.threads))
    with tempfile.NamedTemporaryFile(suffix=".json") as output:
        subprocess.run(
            [
                arguments.program,
                *arguments.program_options,
                "--inputs",
                folder,
                f"--benchmark_filter=^{arguments.op}/{shape}/({types})/threads:({threads})/",
                f"--benchmark_min_time={arguments.seconds / 5}",
                "--benchmark_repetitions=5",
                "--benchmark_enable_random_interleaving=true",
                f"--benchmark_out={output.name}",
                "--benchmark_out_format=json",
            ],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        result = json.load(open(output.name))
    for run in result["benchmarks"]:
        if run["run_type"] != "iteration":
            continue
        op, _, dtype, run_threads, impl, *_ = run["name"].split("/")
        samples.add((op, shape, dtype, int(run_threads.split(":")[1]), impl), [run["real_time"]])
    return {name.split()[-1]: int(value) for name, value in result["context"].items() if name.startswith("bins of shape")}


def start_peers(arguments, folder, console):
    processes = [] if arguments.no_peers else PEER_PROCESSES[arguments.target]
    wanted = [process for process in processes if arguments.op == "roi_pool" or process[0] not in FORWARD_ONLY]
    peers = [Peer(folder, arguments.op, *process) for process in wanted]
    for peer in peers:
        if peer.missing:
            console.print(f"[yellow]left out: {peer.name}{peer.suffix}: {peer.missing}")
    return [peer for peer in peers if not peer.missing]


def check_results(arguments, peers, progress, task):
    """Nobody is timed who computes something else."""
    for shape in arguments.shapes:
        for peer in peers:
            for impl, found in peer.ask(f"check {shape}").items():
                if reason := why_wrong(type_and_name(impl)[0], **found):
                    raise SystemExit(f"scripts/bench: {impl} is wrong on shape {shape}: {reason}")
            progress.advance(task)


def measure(arguments, folder, console):
    peers = start_peers(arguments, folder, console)
    samples, bins = Samples(), {}
    columns = [TextColumn("{task.description:22}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()]
    with Progress(*columns, console=console) as progress:
        check = progress.add_task("comparing results", total=len(arguments.shapes) * max(1, len(peers)))
        check_results(arguments, peers, progress, check)
        turns = progress.add_task("measuring in turns", total=arguments.rounds * len(arguments.shapes) * (1 + len(peers)))
        for _ in range(arguments.rounds):
            for shape in arguments.shapes:
                bins.update(run_roipool(arguments, folder, shape, samples))
                progress.advance(turns)
                for peer in peers:
                    for threads in arguments.threads:
                        for impl, times in peer.ask(f"time {shape} {threads} {arguments.seconds}").items():
                            dtype, name = type_and_name(impl)
                            samples.add((arguments.op, shape, dtype, threads, name), times)
                    progress.advance(turns)
    versions = {name: version for peer in peers for name, version in peer.versions.items()}
    return rows_of(samples, bins, arguments.target), versions


def device_of(arguments):
    return subprocess.run([arguments.program, "--device"], capture_output=True, text=True, check=True).stdout.strip()


def describe_run(arguments, versions):
    def output_of(*command):
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()

    model = [line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
    flags = "AVX-512" if " avx512f " in open("/proc/cpuinfo").read() else "no AVX-512"
    cpu = f"{model[0] if model else platform.processor()}, {os.cpu_count()} cores, {flags}"
    return {
        "cpu": cpu if arguments.target == "cpu" else f"{device_of(arguments)}; {cpu}",
        "system": platform.platform(),
        "date": date.today().isoformat(),
        "commit": output_of("git", "rev-parse", "--short=10", "HEAD"),
        "command": "scripts/bench " + shlex.join(sys.argv[3:]),
        "versions": versions,
    }


def main():
    arguments = parse_arguments()
    # Wide enough for the tables also where the output is no terminal.
    console = Console() if sys.stdout.isatty() else Console(width=132)
    folder = str(arguments.programs / "inputs")
    writer, written = arguments.programs / "roipool_bench", pathlib.Path(folder, "E_y.npy")  # The last to be written.
    # Peers are compared with what this build computes, not with what an older one did.
    if not written.is_file() or written.stat().st_mtime < writer.stat().st_mtime:
        written.parent.mkdir(exist_ok=True)
        subprocess.run([writer, "--write-inputs", folder], check=True)
    rows, versions = measure(arguments, folder, console)
    metadata = describe_run(arguments, versions)
    report.print_tables(rows, metadata, console)
    if arguments.json:
        arguments.json.parent.mkdir(parents=True, exist_ok=True)
        arguments.json.write_text(json.dumps({"metadata": metadata, "rows": rows}, indent=1) + "\n")
    if arguments.markdown:
        arguments.markdown.parent.mkdir(parents=True, exist_ok=True)
        arguments.markdown.write_text(report.markdown(rows, metadata))
    if report.has_picture(rows):
        arguments.png.parent.mkdir(parents=True, exist_ok=True)
        report.draw(rows, metadata, arguments.png)
        console.print(f"picture: {arguments.png}")


if __name__ == "__main__":
    main()
