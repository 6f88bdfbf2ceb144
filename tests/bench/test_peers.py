import unittest
from types import SimpleNamespace

import numpy as np
from peers import compare, largest_difference


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


class CompareTest(unittest.TestCase):
    inputs = SimpleNamespace(expected=np.array([5.0, 5.0, 0.0], np.float32), argmax=np.array([3, 4, -1], np.int32))

    def other_argmax(self, *argmax):
        return compare((self.inputs.expected, np.array(argmax, np.int32)), self.inputs)["other_argmax"]

    def test_counts_every_other_element_of_argmax(self):
        self.assertEqual(self.other_argmax(3, 4, -1), 0)
        self.assertEqual(self.other_argmax(4, 4, -1), 1)
        self.assertEqual(self.other_argmax(4, 3, 0), 3)

    def test_a_peer_may_have_no_argmax(self):
        self.assertEqual(compare(self.inputs.expected + 1, self.inputs), {"difference": 0.2, "other_argmax": None})


if __name__ == "__main__":
    unittest.main()
