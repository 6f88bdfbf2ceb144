"""Assembles the PTX of CUDA kernels for one architecture, and fails where a kernel needs more than it should.

usage: assemble_ptx.py PTXAS ARCHITECTURE MAX_REGISTERS LIST

LIST has the path of a PTX file in each line. No kernel may spill, have a stack frame or local memory, or use more than
MAX_REGISTERS registers. Ends with 77, for CTest's SKIP_RETURN_CODE, if there is no ptxas or it does not know the architecture.
"""

import os
import re
import subprocess
import sys
from dataclasses import dataclass

SKIPPED = 77


@dataclass
class Kernel:
    name: str
    registers: int
    stack: int
    spill_stores: int
    spill_loads: int
    local: int

    def complaints(self, max_registers):
        if self.registers > max_registers:
            yield f"uses {self.registers} registers, allowed are {max_registers}"
        if self.stack:
            yield f"has a stack frame of {self.stack} bytes"
        if self.spill_stores or self.spill_loads:
            yield f"spills: {self.spill_stores} bytes stored, {self.spill_loads} bytes loaded"
        if self.local:
            yield f"has {self.local} bytes of local memory"


def parse_resources(text):
    """The kernels in what `ptxas -v` prints."""
    kernels = []
    for section in re.split(r"Compiling entry function ", text)[1:]:
        name = re.match(r"'([^']+)'", section)
        frame = re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", section)
        used = re.search(r"Used (\d+) registers(.*)", section)
        if not name or not frame or not used:
            raise ValueError(f"what ptxas -v prints of a kernel cannot be read:\n{section}")
        local = re.search(r"(\d+) bytes lmem", used.group(2))
        stack, stores, loads = map(int, frame.groups())
        kernels.append(Kernel(name.group(1), int(used.group(1)), stack, stores, loads, int(local.group(1)) if local else 0))
    return kernels


def assemble(ptxas, architecture, path):
    command = [ptxas, "-v", f"-arch={architecture}", "-o", os.devnull, path]
    return subprocess.run(command, capture_output=True, text=True)


def complaints(ptxas, architecture, max_registers, path):
    with open(path, encoding="utf-8") as file:
        ptx = file.read()
    entries = set(re.findall(r"\.entry\s+([\w$]+)", ptx))
    if re.search(r"^\s*\.local\b", ptx, re.MULTILINE):
        yield "the PTX has local memory"
    result = assemble(ptxas, architecture, path)
    if result.returncode != 0:
        yield f"ptxas: {(result.stderr or result.stdout).strip()}"
        return
    kernels = parse_resources(result.stdout + result.stderr)
    if not entries or {kernel.name for kernel in kernels} != entries:
        yield f"ptxas told of {len(kernels)} kernels, the PTX has {len(entries)}"
    for kernel in kernels:
        yield from (f"{kernel.name} {complaint}" for complaint in kernel.complaints(max_registers))
    print(f"{os.path.basename(path)}: registers " + " ".join(str(kernel.registers) for kernel in kernels))


def knows(ptxas, architecture):
    """Whether this ptxas assembles an empty module for the architecture."""
    number = re.sub(r"\D", "", architecture)
    empty = f".version 6.3\n.target sm_{min(int(number), 61)}\n.address_size 64\n"
    command = [ptxas, f"-arch={architecture}", "-o", os.devnull, "-"]
    result = subprocess.run(command, input=empty, capture_output=True, text=True)
    return result.returncode == 0 or "gpu-name" not in result.stderr + result.stdout


def main(ptxas, architecture, max_registers, list_path):
    if not ptxas or ptxas.endswith("-NOTFOUND"):
        print("skipped: no ptxas in PATH or /usr/local/cuda/bin")
        return SKIPPED
    if not knows(ptxas, architecture):
        print(f"skipped: {ptxas} does not know {architecture}")
        return SKIPPED
    with open(list_path, encoding="utf-8") as file:
        paths = file.read().split()
    if not paths:
        print(f"{list_path} names no PTX file")
        return 1
    found = []
    for path in paths:
        found += [f"{os.path.basename(path)}: {c}" for c in complaints(ptxas, architecture, int(max_registers), path)]
    print(*found, sep="\n", file=sys.stderr)
    return int(bool(found))


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
