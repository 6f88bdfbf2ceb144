"""Writes what a kernel's library consists of, for filecheck: its scatter loops, its calls and its vector instructions.

usage: loops.py LIBRARY OUTPUT

A scatter loop is an innermost loop that prefetches. It is a fast one if it holds no jump but its own: it compares no entries.
"""

import re
import subprocess
import sys
from dataclasses import dataclass

ADDS = ("addss", "addsd", "vaddss", "vaddsd")


@dataclass
class Instruction:
    address: int
    mnemonic: str
    operands: str
    target: int | None  # Of a jump inside the kernel.

    def __str__(self):
        return f"  {self.mnemonic} {self.operands}".rstrip()


def disassemble(path):
    """The instructions of the largest function, calls named by what they call."""
    command = ["objdump", "--disassemble", "--reloc", "--no-show-raw-insn", "--disassembler-options=intel", path]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    functions, instructions = [], []
    for line in text.splitlines():
        if re.match(r"[0-9a-f]+ <.*>:$", line):
            instructions = []
            functions.append(instructions)
        elif relocation := re.match(r"\s+[0-9a-f]+: R_X86_64_(?:PLT32|PC32)\s+([\w.$]+)", line):
            if instructions and instructions[-1].mnemonic == "call":
                instructions[-1].operands = relocation.group(1)
        elif match := re.match(r"\s+([0-9a-f]+):\t(\S+)\s*(.*)", line):
            address, mnemonic, operands = int(match.group(1), 16), match.group(2), match.group(3).split("#")[0].strip()
            jump = re.match(r"([0-9a-f]+) <", operands) if mnemonic.startswith("j") else None
            instructions.append(Instruction(address, mnemonic, operands, int(jump.group(1), 16) if jump else None))
    return max(functions, key=len)


def scatter_loops(instructions):
    """Innermost loops that prefetch, as lists of instructions."""
    place = {instruction.address: i for i, instruction in enumerate(instructions)}
    back_jumps = [
        (place[jump.target], i) for i, jump in enumerate(instructions) if jump.target in place and place[jump.target] <= i
    ]
    loops = []
    for begin, end in back_jumps:
        holds_another = any(begin <= other_begin and other_end < end for other_begin, other_end in back_jumps)
        body = instructions[begin : end + 1]
        if not holds_another and any("prefetch" in instruction.mnemonic for instruction in body):
            loops.append(body)
    return loops


def is_fast(loop):
    return not any(instruction.target is not None for instruction in loop[:-1])


def additions(loop):
    return sum(instruction.mnemonic in ADDS for instruction in loop)


def describe(library):
    instructions = disassemble(library)
    loops = [loop for loop in scatter_loops(instructions) if is_fast(loop)]
    yield f"fast loops: {len(loops)}"
    for loop in loops:
        yield f"loop of {additions(loop)} additions"
        yield from map(str, loop)
    yield "end of loops"
    yield "calls:"
    yield from sorted({f"  {i.operands}" for i in instructions if i.mnemonic == "call"})
    yield "vectors:"
    yield from (str(i) for i in instructions if re.search(r"[xyz]mm", i.operands))
    yield "end of vectors"


if __name__ == "__main__":
    with open(sys.argv[2], "w") as output:
        output.writelines(line + "\n" for line in describe(sys.argv[1]))
