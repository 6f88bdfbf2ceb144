import unittest

from rows import Samples, rows_of


class RowsTest(unittest.TestCase):
    def setUp(self):
        self.samples = Samples()
        grad = lambda threads, impl: ("roi_pool_grad", "A", "f32", threads, impl)  # noqa: E731
        self.samples.add(grad(2, "roipool"), [5.0, 4.0])
        self.samples.add(grad(2, "roipool"), [9.0])
        self.samples.add(grad(2, "stream"), [2.0])
        self.samples.add(grad(1, "plain_loop"), [10.0, 8.0])
        self.samples.add(grad(2, "torchvision"), [16.0])
        self.samples.add(grad(1, "torchvision"), [99.0])
        self.row = {row["impl"]: row for row in rows_of(self.samples, {"A": 1_000_000}) if row["threads"] == 2}

    def test_shortest_and_median_are_over_all_rounds(self):
        self.assertEqual(self.row["roipool"]["ms_min"], 4.0)
        self.assertEqual(self.row["roipool"]["ms_median"], 5.0)
        self.assertEqual(self.row["roipool"]["ns_per_bin"], 4.0)

    def test_ratios(self):
        self.assertEqual(self.row["roipool"]["ratio_to_stream"], 2.0)
        self.assertEqual(self.row["roipool"]["ratio_to_plain"], 2.0)
        self.assertEqual(self.row["roipool"]["ratio_to_torchvision"], 4.0)

    def test_on_a_gpu_plain_code_is_of_the_same_type(self):
        samples = Samples()
        for dtype, impl, milliseconds in [("f16", "roipool", 2.0), ("f16", "cuda_peer", 6.0), ("f32", "cuda_peer", 1.0)]:
            samples.add(("roi_pool_grad", "A", dtype, 0, impl), [milliseconds])
        rows = rows_of(samples, {"A": 1}, "cuda")
        self.assertEqual([row["ratio_to_plain"] for row in rows if row["impl"] == "roipool"], [3.0])

    def test_what_was_not_measured_is_none(self):
        samples = Samples()
        samples.add(("roi_pool_grad", "A", "f16", 1, "roipool"), [1.0])
        (row,) = rows_of(samples, {"A": 1})
        self.assertIsNone(row["ratio_to_stream"])
        self.assertIsNone(row["ratio_to_plain"])
        self.assertIsNone(row["ratio_to_torchvision"])


if __name__ == "__main__":
    unittest.main()
