"""Writes llvm-mca's view of the fast scatter loops of some kernels.

usage: mca_report.py LLVM_MCA OUTPUT LIBRARY...
"""

import pathlib
import re
import subprocess
import sys

from loops import additions, disassemble, is_fast, scatter_loops

CPUS = ("znver3", "znver4", "skylake-avx512")
ITERATIONS = 100


def assembly(loop):
    """A loop as llvm-mca reads it: its jump without an address, objdump's sizes in front of addresses as they are."""
    lines = [".intel_syntax noprefix"]
    for instruction in loop[:-1]:
        lines.append(f"{instruction.mnemonic} {instruction.operands}")
    return "\n".join(lines) + "\n"


def report_of(llvm_mca, loop, cpu):
    command = [llvm_mca, "-mtriple=x86_64", f"-mcpu={cpu}", f"-iterations={ITERATIONS}", "-bottleneck-analysis"]
    result = subprocess.run(command, input=assembly(loop), capture_output=True, text=True)
    return result.stdout if result.returncode == 0 else f"llvm-mca cannot do this: {result.stderr.strip()}\n"


def main():
    llvm_mca, output, *libraries = sys.argv[1:]
    if llvm_mca.endswith("NOTFOUND"):
        raise SystemExit("no llvm-mca found; Debian's package llvm-19 has one")
    version = subprocess.run([llvm_mca, "--version"], capture_output=True, text=True).stdout
    with open(output, "w") as file:
        print(re.search(r"LLVM version \S+", version).group(), file=file)
        for library in libraries:
            kernel = pathlib.Path(library).stem.removeprefix("lib")
            first = next(loop for loop in scatter_loops(disassemble(library)) if is_fast(loop))
            for cpu in CPUS:
                report = report_of(llvm_mca, first, cpu)
                cycles = re.search(r"Block RThroughput: (\S+)", report)
                total = re.search(r"Total Cycles:\s+(\d+)", report)
                if cycles and total:
                    bins = additions(first)
                    print(
                        f"{kernel}, 7x7, {cpu}: {float(cycles.group(1)) / bins:.2f} cycles per bin by throughput, "
                        f"{int(total.group(1)) / ITERATIONS / bins:.2f} simulated",
                        file=file,
                    )
                print(report, file=file)
    print(f"{output} is written; its first lines:")
    print(*[line for line in open(output) if "cycles per bin" in line or line.startswith("LLVM")], sep="")


if __name__ == "__main__":
    main()
