"""Writes how the kernels of a PTX file use memory, for filecheck: loads, stores, atomic additions, barriers and loops, in order.

usage: ptx_memory.py PTX OUTPUT
"""

import re
import sys

MEMORY = re.compile(r"((?:ld|st|atom|red)\.(?:global|shared|local)[\w.]*|bar\.sync)")


def describe(lines):
    for line in lines:
        if kernel := re.match(r"\.visible \.entry (\w+)\(", line):
            yield f"kernel {kernel.group(1)}"
        elif "Loop Header" in line:
            yield "  loop"
        elif memory := re.match(rf"\s+(?:@!?%p\d+\s+)?{MEMORY.pattern}\s", line):
            yield f"  {memory.group(1)}"
    yield "end"


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as ptx, open(sys.argv[2], "w", encoding="utf-8") as output:
        output.writelines(line + "\n" for line in describe(ptx))
