"""What configuring says about schedules, knobs and tuned rows: every mistake is an error that lists what is known."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).parent
ROWS = HERE.parent / "cases" / "rows"
CMAKE = sys.argv.pop(1)

SCHEDULE = """#include "schedule.h"
#define ROIPOOL_KNOBS(KNOB) KNOB(tile, 8, 1, 64, "pixels of a tile")
namespace roipool::schedules::mine {
struct Knobs { ROIPOOL_KNOBS(ROIPOOL_KNOB_FIELD) };
inline void apply_schedule(generators::GradStages& stages, const Halide::Target&, const Knobs&) {}
}
"""

GPU_SCHEDULE = """#include "gpu_scatter.h"
#define ROIPOOL_KNOBS(KNOB)
namespace roipool::schedules::mine {
constexpr bool kIsFixedPoint = true, kIsByPlane = false;
struct Knobs {};
inline void apply_schedule(generators::GpuGradStages& stages, const Halide::Target&, const Knobs&) {}
}
"""


class Configure(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name, text):
        path = pathlib.Path(self.folder.name) / name
        path.write_text(text)
        return str(path)

    def configure(self, **options):
        definitions = [f"-D{name}={value}" for name, value in options.items()]
        command = [CMAKE, *definitions, "-P", str(HERE / "configure.cmake")]
        run = subprocess.run(command, cwd=self.folder.name, capture_output=True, text=True, timeout=60)
        return run.returncode, " ".join(run.stderr.split())

    def accepted(self, **options):
        code, text = self.configure(**options)
        self.assertEqual(code, 0, text)
        return text

    def refused(self, **options):
        code, text = self.configure(**options)
        self.assertNotEqual(code, 0, text)
        return text

    def test_defaults(self):
        text = self.accepted()
        self.assertIn("roi_pool_grad: cpu_channel_blocks reference", text)
        self.assertIn("roi_pool: cpu_channel_vectors reference", text)

    def test_schedules_by_name(self):
        self.assertIn("roi_pool_grad: reference roi_pool_grad variants: ", self.accepted(ROIPOOL_SCHEDULE_CPU="reference"))
        text = self.accepted(ROIPOOL_SCHEDULE_CPU="cpu_channel_vectors")
        self.assertIn("roi_pool_grad: cpu_channel_blocks reference", text)
        self.assertIn("roi_pool: cpu_channel_vectors reference", text)
        text = self.refused(ROIPOOL_SCHEDULE_CPU="cpu_channel_blocks;fastest")
        self.assertIn(
            "ROIPOOL_SCHEDULE_CPU: there is no schedule 'fastest', only: cpu_channel_blocks, reference, cpu_channel_vectors",
            text,
        )

    def test_schedule_file_replaces_and_joins(self):
        file = self.path("mine.schedule.h", SCHEDULE)
        self.assertIn("roi_pool_grad: mine reference", self.accepted(ROIPOOL_SCHEDULE_FILE=file))
        text = self.accepted(ROIPOOL_SCHEDULE_FILE=file, ROIPOOL_SCHEDULE_CPU="cpu_channel_blocks;mine")
        self.assertIn("roi_pool_grad: cpu_channel_blocks mine reference", text)
        self.assertIn("roi_pool: cpu_channel_vectors reference", text)

    def test_bad_schedule_files(self):
        self.assertIn("nowhere.schedule.h does not exist", self.refused(ROIPOOL_SCHEDULE_FILE="nowhere.schedule.h"))
        cases = {
            "mine.h": (SCHEDULE, "mine.h must be NAME.schedule.h"),
            "other.schedule.h": (SCHEDULE, "'namespace roipool::schedules::other {' is missing"),
            "mine.schedule.h": (
                SCHEDULE.replace("GradStages", "Stages"),
                "no function apply_schedule() that takes GradStages, PoolStages, GpuGradStages or GpuPoolStages",
            ),
            "reference.schedule.h": (SCHEDULE.replace("mine", "reference"), "roi_pool_grad has a schedule reference already"),
        }
        for name, (text, expected) in cases.items():
            with self.subTest(name):
                self.assertIn(expected, self.refused(ROIPOOL_SCHEDULE_FILE=self.path(name, text)))

    def test_schedules_of_gpus(self):
        text = self.accepted()
        self.assertIn(
            "roi_pool_grad_gpu: gpu_atomic gpu_fixed_point gpu_shared_planes gpu_atomic: float 0 gpu_fixed_point: fixed_point 0",
            text,
        )
        self.assertIn("gpu_shared_planes: fixed_point 6144", text)
        text = self.accepted(ROIPOOL_SCHEDULE_GPU="gpu_atomic")
        self.assertIn("roi_pool_grad_gpu: gpu_atomic gpu_atomic: float", text)
        self.assertIn("roi_pool_gpu: gpu_bins.", text)
        self.assertIn("there is no schedule 'gpu_fast', only: ", self.refused(ROIPOOL_SCHEDULE_GPU="gpu_fast"))

    def test_a_gpus_schedule_file_replaces_those_of_its_accumulation(self):
        file = self.path("mine.schedule.h", GPU_SCHEDULE)
        text = self.accepted(ROIPOOL_SCHEDULE_FILE=file)
        self.assertIn("roi_pool_grad_gpu: mine gpu_atomic mine: fixed_point 0", text)
        self.assertIn("roi_pool_grad: cpu_channel_blocks reference", text)
        text = self.accepted(ROIPOOL_SCHEDULE_FILE=file, ROIPOOL_SCHEDULE_GPU="gpu_fixed_point;mine")
        self.assertIn("roi_pool_grad_gpu: gpu_fixed_point mine gpu_fixed_point: fixed_point", text)
        for bad in ("kIsFixedPoint{true}", "kIsFixedPoint = kYes, kIsByPlane = false"):
            with self.subTest(bad):
                text = GPU_SCHEDULE.replace("kIsFixedPoint = true, kIsByPlane = false", bad)
                self.assertIn(
                    "'constexpr bool kIsFixedPoint = false,",
                    self.refused(ROIPOOL_SCHEDULE_FILE=self.path("mine.schedule.h", text)),
                )
        text = GPU_SCHEDULE.replace("struct Knobs", "constexpr int kMaxPixels = 1 << 12;\nstruct Knobs")
        self.assertIn("kMaxPixels must read", self.refused(ROIPOOL_SCHEDULE_FILE=self.path("mine.schedule.h", text)))

    def test_a_gpus_schedule_file_of_the_forward_is_the_forwards_alone(self):
        text = "".join(line for line in GPU_SCHEDULE.splitlines(True) if "kIsFixedPoint" not in line)
        file = self.path("mine.schedule.h", text.replace("GpuGradStages", "GpuPoolStages"))
        text = self.accepted(ROIPOOL_SCHEDULE_FILE=file)
        self.assertIn("roi_pool_gpu: mine.", text)
        self.assertIn("roi_pool_grad_gpu: gpu_atomic gpu_fixed_point gpu_shared_planes", text)
        self.assertIn("roi_pool: cpu_channel_vectors reference", text)
        text = self.accepted(ROIPOOL_SCHEDULE_FILE=file, ROIPOOL_SCHEDULE_GPU="gpu_bins;mine;gpu_atomic")
        self.assertIn("roi_pool_gpu: gpu_bins mine.", text)
        self.assertIn("roi_pool_grad_gpu: gpu_atomic gpu_atomic: float", text)

    def test_knobs(self):
        self.assertIn("roi_pool_grad bins_per_step: 4;1;16;", self.accepted(ROIPOOL_SCHEDULE_KNOBS="bins_per_step=4"))
        known = "must be KNOB=VALUE with a knob of: bins_per_step, short_row_lanes, long_row_vectors"
        for setting in ("bins_per_steps=4", "bins_per_step"):
            self.assertIn(f"'{setting}' {known}", self.refused(ROIPOOL_SCHEDULE_KNOBS=setting))
        text = self.refused(ROIPOOL_SCHEDULE_KNOBS="bins_per_step=40")
        self.assertIn("ROIPOOL_SCHEDULE_KNOBS: bins_per_step is '40', must be a whole number in [1, 16]", text)
        file = self.path("mine.schedule.h", SCHEDULE)
        self.assertIn("tile is '65'", self.refused(ROIPOOL_SCHEDULE_FILE=file, ROIPOOL_SCHEDULE_KNOBS="tile=65"))

    def test_bad_rows(self):
        rows = [line.split(" => ") for line in (ROWS / "bad_rows.txt").read_text().splitlines() if "=>" in line]
        self.assertGreater(len(rows), 20)
        for row, expected in rows:
            with self.subTest(row):
                file = self.path("my.rows", f"# first\n\n{row}  # remark\n")
                text = self.refused(ROIPOOL_TUNED_ROWS=file)
                self.assertIn(f"{file}:3: ", text)
                self.assertIn(expected, text)
        self.assertIn("nowhere.rows does not exist", self.refused(ROIPOOL_TUNED_ROWS="nowhere.rows"))

    def test_rows_make_variants(self):
        row = "x86-64-avx2 roi_pool_grad f32 few_rois cpu_channel_blocks bins_per_step={} channel_block=8"
        text = self.accepted(ROIPOOL_TUNED_ROWS=self.path("my.rows", row.format(4)))
        self.assertIn("cpu_channel_blocks f32 avx2 cpu_channel_blocks_bins_per_step4 bins_per_step=4", text)
        self.assertIn("(avx2, roi_pool_grad, f32, few_rois, cpu_channel_blocks_bins_per_step4, 8, -1, -1, ", text)
        text = self.accepted(ROIPOOL_TUNED_ROWS=self.path("my.rows", row.format("004")))
        self.assertIn("(avx2, roi_pool_grad, f32, few_rois, cpu_channel_blocks_bins_per_step4, 8, -1, -1, ", text)
        text = self.accepted(ROIPOOL_TUNED_ROWS=self.path("my.rows", row.format(2)))
        self.assertIn("(avx2, roi_pool_grad, f32, few_rois, cpu_channel_blocks, 8, -1, -1, ", text)

    def test_rows_of_schedules_that_are_not_compiled(self):
        file = self.path("my.rows", "x86-64-avx2 roi_pool_grad f32 any cpu_channel_blocks channel_block=8")
        text = self.refused(ROIPOOL_TUNED_ROWS=file, ROIPOOL_SCHEDULE_CPU="reference")
        self.assertIn(f"{file}:1: the schedule 'cpu_channel_blocks' is not compiled, only: reference; add it to", text)

    def test_rows_of_the_tree_give_way_to_what_is_configured(self):
        self.assertIn("ROIPOOL_TUNED_ROW(avx512, roi_pool_grad, any, any, cpu_channel_blocks, ", self.accepted())
        file = self.path("mine.schedule.h", SCHEDULE)
        self.assertNotIn("ROIPOOL_TUNED_ROW(", self.accepted(ROIPOOL_SCHEDULE_CPU="reference"))
        both = {"ROIPOOL_SCHEDULE_FILE": file, "ROIPOOL_SCHEDULE_CPU": "mine;cpu_channel_blocks"}
        text = self.accepted(**both)
        self.assertNotRegex(text, r"ROIPOOL_TUNED_ROW\(\w+, roi_pool_grad, ")
        self.assertIn("ROIPOOL_TUNED_ROW(avx512, roi_pool, any, any, cpu_channel_vectors, ", text)
        row = self.path("my.rows", "x86-64-avx2 roi_pool_grad f32 any cpu_channel_blocks channel_block=8")
        self.assertIn(
            "ROIPOOL_TUNED_ROW(avx2, roi_pool_grad, f32, any, cpu_chan", self.accepted(ROIPOOL_TUNED_ROWS=row, **both)
        )
        # Every row of the tree but the target's default gives bins_per_step.
        text = self.accepted(ROIPOOL_SCHEDULE_KNOBS="bins_per_step=4")
        self.assertNotIn("ROIPOOL_TUNED_ROW(avx512, roi_pool_grad, f32, ", text)
        self.assertIn("ROIPOOL_TUNED_ROW(avx512, roi_pool_grad, any, any, cpu_channel_blocks, ", text)

    def test_knob_declarations(self):
        def knob(text):
            return self.path("mine.schedule.h", SCHEDULE.replace('KNOB(tile, 8, 1, 64, "pixels of a tile")', text))

        row = self.path("my.rows", "x86-64-avx2 roi_pool_grad f32 any mine tile=16 width=3")
        several = 'KNOB(tile, 8, 1, 64, "pixels [1]; of a KNOB(") \\\n  KNOB (\\\n    width,  2, 1,\\\n 4, "more")'
        text = self.accepted(ROIPOOL_SCHEDULE_FILE=knob(several), ROIPOOL_TUNED_ROWS=row)
        self.assertIn("mine f32 avx2 mine_tile16_width3 tile=16,width=3", text)
        for bad in ("-8, -16, 64", "8, 1, 1 << 6", "010, 1, 64", "8, 1, kMost"):
            with self.subTest(bad):
                text = self.refused(ROIPOOL_SCHEDULE_FILE=knob(f'KNOB(tile, {bad}, "pixels") KNOB(width, 2, 1, 4, "more")'))
                self.assertIn("mine.schedule.h: 2 knobs, of which only 1 read as KNOB(name, default, smallest, largest,", text)
        text = self.refused(ROIPOOL_SCHEDULE_FILE=knob('KNOB(tile, 8, 9, 64, "pixels")'))
        self.assertIn("mine.schedule.h: the default of tile is '8', must be a whole number in [9, 64]", text)
        text = self.refused(ROIPOOL_SCHEDULE_FILE=knob('KNOB(tile, 8, 1, 64, "a") KNOB(tile, 8, 1, 64, "b")'))
        self.assertIn("mine.schedule.h: the knob tile is declared twice", text)
        text = self.accepted(ROIPOOL_SCHEDULE_KNOBS="bins_per_step=010")
        self.assertIn("roi_pool_grad bins_per_step: 10;1;16;", text)

    def test_most_bins(self):
        for bad in ("= 30 * 32;", "= kMost;", "{960};", "= 0;"):
            with self.subTest(bad):
                file = self.path(
                    "mine.schedule.h", SCHEDULE.replace("struct Knobs", f"constexpr int kMaxBins {bad}\nstruct Knobs")
                )
                self.assertIn("kMaxBins must read 'constexpr int kMaxBins = N;'", self.refused(ROIPOOL_SCHEDULE_FILE=file))


unittest.main()
