import unittest

import numpy as np
from peers import largest_difference


class LargestDifferenceTest(unittest.TestCase):
    expected = np.array([1.0, -4.0, 2.0, 3.0], np.float32)

    def off_by(self, *differences):
        return self.expected + np.array(differences, np.float32)

    def test_equal_results_do_not_differ(self):
        self.assertEqual(largest_difference(self.expected, self.expected), 0)

    def test_is_a_share_of_the_largest_number(self):
        self.assertEqual(largest_difference(self.off_by(0, 1, 0, -2), self.expected), 0.5)

    def test_leaves_out_so_many_of_the_largest_and_no_more(self):
        result = self.off_by(0, 1, 0, -2)
        self.assertEqual(largest_difference(result, self.expected, 0.25), 0.25)
        self.assertEqual(largest_difference(result, self.expected, 0.24), 0.5)

    def test_nan_is_never_left_out(self):
        self.assertTrue(np.isnan(largest_difference(self.off_by(np.nan, 0, 0, 0), self.expected, 0.5)))


if __name__ == "__main__":
    unittest.main()
