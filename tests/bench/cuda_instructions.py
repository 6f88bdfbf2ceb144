"""Prints what the CUDA kernels of the gradient and of cuda_peer.cu consist of on one architecture, as a Markdown table.

usage: cuda_instructions.py --ptx LIST --peer CUBIN [--ptxas PROGRAM] [--cuobjdump PROGRAM] [--architecture sm_90]

LIST has the path of a PTX file of roipool's in each line; CUBIN is cuda_peer.cu for the same architecture. Needs no GPU.
"""

import argparse
import datetime
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

NO_WORK = ("NOP",)
ATOMIC = re.compile(r"(ATOM|ATOMG|ATOMS|RED|REDG)\.")
STEPS = ("scatter, float", "scatter, fixed point", "finish, float", "finish, fixed point", "zero")


@dataclass
class Instruction:
    address: int
    mnemonic: str
    target: int | None  # Of a jump.


@dataclass
class Kernel:
    name: str
    registers: int = 0
    instructions: list = field(default_factory=list)

    def body(self):
        """What may run: no padding, and not the endless loop after the last instruction."""
        return [i for i in self.instructions if i.mnemonic not in NO_WORK and i.target != i.address]

    def loop(self):
        """The smallest loop that loads from global memory and adds atomically; empty if there is none."""
        loops = []
        for jump in self.body():
            if jump.target is not None and jump.target < jump.address:
                loop = [i for i in self.body() if jump.target <= i.address <= jump.address]
                if any(i.mnemonic.startswith("LDG") for i in loop) and any(ATOMIC.match(i.mnemonic) for i in loop):
                    loops.append(loop)
        return min(loops, key=len, default=[])

    def atomics(self):
        names = [re.sub(r"\.(FTZ|RN|STRONG|GPU|E)(?=\.|$)", "", i.mnemonic) for i in self.body() if ATOMIC.match(i.mnemonic)]
        return [f"{names.count(name)} {name}" if names.count(name) > 1 else name for name in sorted(set(names))]

    def wide_multiplications(self):
        return sum(i.mnemonic.startswith("IMAD.WIDE") for i in self.body())


def parse_sass(text):
    """Kernels by name, in what `cuobjdump -sass` prints."""
    kernels, kernel = {}, None
    for line in text.splitlines():
        if function := re.match(r"\s*Function : (\S+)", line):
            kernel = kernels[function.group(1)] = Kernel(function.group(1))
        elif match := re.match(r"\s+/\*([0-9a-f]{4,})\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)\s*([^;]*);", line):
            address, mnemonic, operands = int(match.group(1), 16), match.group(2), match.group(3)
            jump = re.search(r"\b0x([0-9a-f]+)\s*$", operands) if mnemonic.startswith("BRA") else None
            kernel.instructions.append(Instruction(address, mnemonic, int(jump.group(1), 16) if jump else None))
    return kernels


def parse_registers(text):
    """Registers by kernel, in what `cuobjdump -res-usage` prints."""
    return {name: int(count) for name, count in re.findall(r"Function ([^\s:]+):\s*\n\s*REG:(\d+)", text)}


def step_of(library, kernel):
    """(step, type) of a kernel, or None for one that is no step of the gradient's sum."""
    if peer := re.fullmatch(r"peer_(zero|scatter|finish)_(fixed_point_)?(\w+)", kernel):
        step, fixed_point, type_name = peer.groups()
        return ("zero" if step == "zero" else f"{step}, {'fixed point' if fixed_point else 'float'}", type_name)
    if library in ("gpu_zero_cuda", "gpu_zero_if_not_finite_cuda"):
        return ("zero", "any")
    if finish := re.fullmatch(r"gpu_finish_(\w+?)_(float|fixed_point)_cuda", library):
        return (f"finish, {finish.group(2).replace('_', ' ')}", finish.group(1))
    if scatter := re.fullmatch(r"roi_pool_grad_([a-z0-9]+)_gpu_(\w+)_cuda", library):
        type_name, schedule = scatter.groups()
        is_float = schedule == "atomic" or "float_sum" in kernel
        return ("scatter, float" if is_float else "scatter, fixed point", type_name)
    return None


def label_of(library, kernel):
    """Halide's names, less what every one has."""
    if kernel.startswith("peer_"):
        return f"`{kernel}`"
    library = library.removeprefix("roi_pool_grad_").removesuffix("_cuda")
    stage = re.sub(r"(_block)*_block_id_[xyz](__\d+)?$", "", kernel.removeprefix("_kernel_"))
    note = ", more than 65535 bins in a row or column" if "_entries__w" in kernel else ""
    return f"`{library}` `{stage}`{note}"


def kernels_of(cuobjdump, cubin):
    def run(option):
        return subprocess.run([cuobjdump, option, cubin], check=True, capture_output=True, text=True).stdout

    kernels, registers = parse_sass(run("-sass")), parse_registers(run("-res-usage"))
    for kernel in kernels.values():
        kernel.registers = registers[kernel.name]
    return kernels.values()


def table(rows):
    yield "| step | type | kernel | registers | instructions | in its loop | atomics | IMAD.WIDE |"
    yield "|---|---|---|---|---|---|---|---|"
    for step, type_name, label, kernel in sorted(rows, key=lambda row: (STEPS.index(row[0]), row[1], row[2])):
        loop, atomics = len(kernel.loop()) or "", ", ".join(kernel.atomics())
        counts = [kernel.registers, len(kernel.body()), loop, atomics, kernel.wide_multiplications()]
        cells = [step, type_name, label, *counts]
        yield "| " + " | ".join(map(str, cells)) + " |"


def version_of(ptxas):
    text = subprocess.run([ptxas, "--version"], check=True, capture_output=True, text=True).stdout
    return re.search(r"release [\d.]+, V([\d.]+)", text).group(1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ptx", required=True)
    parser.add_argument("--peer", required=True)
    parser.add_argument("--ptxas", default="ptxas")
    parser.add_argument("--cuobjdump", default="cuobjdump")
    parser.add_argument("--architecture", default="sm_90")
    arguments = parser.parse_args()

    rows = []

    def add(library, cubin):
        for kernel in kernels_of(arguments.cuobjdump, cubin):
            if step := step_of(library, kernel.name):
                rows.append((*step, label_of(library, kernel.name), kernel))

    add("", arguments.peer)
    with open(arguments.ptx, encoding="utf-8") as paths, tempfile.TemporaryDirectory() as folder:
        cubin = os.path.join(folder, "kernel.cubin")
        for path in paths.read().split():
            library = os.path.basename(path).removesuffix(".device_code")
            subprocess.run([arguments.ptxas, f"-arch={arguments.architecture}", "-o", cubin, path], check=True)
            add(library, cubin)
    made_with = f"{datetime.date.today()}, CUDA {version_of(arguments.ptxas)}, {arguments.architecture}"
    print(f"{made_with}. README.md says what the columns are.\n")
    print(*table(rows), sep="\n")


if __name__ == "__main__":
    sys.exit(main())
