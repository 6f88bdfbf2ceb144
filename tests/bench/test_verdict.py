import unittest

from verdict import why_wrong


class WhyWrongTest(unittest.TestCase):
    def test_nothing_is_wrong_with_equal_results(self):
        self.assertIsNone(why_wrong("f32", 0.0, 0))
        self.assertIsNone(why_wrong("f32", 0.0, None))

    def test_roundings_may_differ(self):
        self.assertIsNone(why_wrong("f16", 0.04, None))
        self.assertIn("off by 0.04", why_wrong("f32", 0.04, None))

    def test_nan_is_wrong(self):
        self.assertIn("off by nan", why_wrong("f32", float("nan"), 0))

    def test_no_element_of_argmax_may_differ_even_where_the_values_are_equal(self):
        self.assertIn("differ: 1", why_wrong("f32", 0.0, 1))


if __name__ == "__main__":
    unittest.main()
