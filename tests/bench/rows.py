"""From samples of milliseconds to rows with ratios."""

from statistics import median

# Plain code that one writes first, by target.
PLAIN = {"cpu": "plain_loop", "cuda": "cuda_peer"}


class Samples:
    """Milliseconds by (op, shape, dtype, threads, impl)."""

    def __init__(self):
        self._samples = {}

    def add(self, key, milliseconds):
        self._samples.setdefault(key, []).extend(milliseconds)

    def __contains__(self, key):
        return key in self._samples

    def __iter__(self):
        return iter(self._samples)

    def shortest(self, key):
        return min(self._samples[key]) if key in self._samples else None

    def median(self, key):
        return median(self._samples[key])


def rows_of(samples, bins, target="cpu"):
    """One dictionary per sample key; `bins` maps a shape to its number of bins.

    ratio_to_stream is a time over that of reading the same bytes with as many threads, on a GPU over that of copying as many
    bytes as must be read and written: how far from the memory's pace. ratio_to_plain and ratio_to_torchvision are the peer's
    time over this one: how many times faster. On a CPU plain code is a loop of one thread and float32; on a GPU it is CUDA C++ of
    the row's type. torchvision has as many threads as the row. All are of the shortest times, None where the other was not
    measured in this run.
    """
    rows = []
    for op, shape, dtype, threads, impl in samples:
        key = (op, shape, dtype, threads, impl)
        shortest = samples.shortest(key)

        def other(other_impl, other_threads, case=(op, shape, dtype)):
            return samples.shortest((*case, other_threads, other_impl))

        stream = other("stream", threads)
        plain = other(PLAIN[target], 1 if target == "cpu" else threads)
        torchvision = other("torchvision", threads)
        rows.append(
            {
                "op": op,
                "shape": shape,
                "dtype": dtype,
                "threads": threads,
                "impl": impl,
                "ms_min": shortest,
                "ms_median": samples.median(key),
                "ns_per_bin": shortest * 1e6 / bins[shape],
                "ratio_to_stream": None if stream is None else shortest / stream,
                "ratio_to_plain": None if plain is None else plain / shortest,
                "ratio_to_torchvision": None if torchvision is None else torchvision / shortest,
            }
        )
    return rows
