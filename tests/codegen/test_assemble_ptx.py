import unittest

from assemble_ptx import parse_resources

TEXT = """\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_kernel_a' for 'sm_90'
ptxas info    : Function properties for _kernel_a
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 30 registers, used 1 barriers, 512 bytes cmem[0]
ptxas info    : Compile time = 9.1 ms
ptxas info    : Compiling entry function '_kernel_b' for 'sm_90'
ptxas info    : Function properties for _kernel_b
    16 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 41 registers, used 0 barriers, 16 bytes cumulative stack size, 24 bytes lmem, 512 bytes cmem[0]
"""


class ParseResourcesTest(unittest.TestCase):
    def test_every_kernel_is_found(self):
        found = [(kernel.name, kernel.registers) for kernel in parse_resources(TEXT)]
        self.assertEqual(found, [("_kernel_a", 30), ("_kernel_b", 41)])

    def test_each_rule_has_its_complaint(self):
        good, bad = parse_resources(TEXT)
        self.assertEqual(list(good.complaints(40)), [])
        self.assertEqual(list(good.complaints(29)), ["uses 30 registers, allowed are 29"])
        self.assertEqual(
            list(bad.complaints(40)),
            [
                "uses 41 registers, allowed are 40",
                "has a stack frame of 16 bytes",
                "spills: 8 bytes stored, 4 bytes loaded",
                "has 24 bytes of local memory",
            ],
        )

    def test_what_cannot_be_read_is_an_error(self):
        with self.assertRaises(ValueError):
            parse_resources("ptxas info    : Compiling entry function '_kernel_a' for 'sm_90'\nptxas info    : nothing more\n")


if __name__ == "__main__":
    unittest.main()
