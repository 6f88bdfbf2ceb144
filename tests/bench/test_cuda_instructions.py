import unittest

from cuda_instructions import label_of, parse_registers, parse_sass, step_of, table

SASS = """
\tcode for sm_90
\t\tFunction : _kernel_sum_s0_channel_block_block_id_x
\t.headerflags\t@"EF_CUDA_SM90 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM90)"
        /*0000*/                   LDC R1, c[0x0][0x28] ;                    /* 0x00000a00ff017b82 */
                                                                             /* 0x000fe20000000800 */
        /*0010*/                   LDG.E.CONSTANT R2, desc[UR4][R12.64] ;    /* 0x000000040c027981 */
        /*0020*/                   LDS.64 R4, [R31] ;                        /* 0x000000001f047984 */
        /*0030*/                   IMAD.WIDE.U32 R6, R4, 0x8, R2 ;           /* 0x0000000804067825 */
        /*0040*/                   ATOMS.CAST.SPIN.64 R6, [R31], R4, R6 ;    /* 0x000000041f06738d */
        /*0050*/              @!P0 BRA 0x20 ;                                /* 0xfffffffc00f08947 */
        /*0060*/               @P6 BRA 0x10 ;                                /* 0xfffffff800c06947 */
        /*0070*/                   EXIT ;                                    /* 0x000000000000794d */
        /*0080*/                   BRA 0x80;                                 /* 0xfffffffc00fc7947 */
        /*0090*/                   NOP;                                      /* 0x0000000000007918 */
\t\tFunction : peer_scatter_f32
        /*0000*/                   LDC R1, c[0x0][0x28] ;                    /* 0x00000a00ff017b82 */
        /*0010*/               @P0 EXIT ;                                    /* 0x000000000000094d */
        /*0020*/                   REDG.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R4.64], R11 ;  /* 0x0000000b040079a6 */
        /*0030*/                   EXIT ;                                    /* 0x000000000000794d */
        /*0040*/                   BRA 0x40;                                 /* 0xfffffffc00fc7947 */
"""

USAGE = """
Resource usage:
 Common:
  GLOBAL:0
 Function _kernel_sum_s0_channel_block_block_id_x:
  REG:30 STACK:0 SHARED:0 LOCAL:0 CONSTANT[0]:580 TEXTURE:0 SURFACE:0 SAMPLER:0
 Function peer_scatter_f32:
  REG:14 STACK:0 SHARED:0 LOCAL:0 CONSTANT[0]:580 TEXTURE:0 SURFACE:0 SAMPLER:0
"""


class CudaInstructionsTest(unittest.TestCase):
    def setUp(self):
        self.ours, self.peer = parse_sass(SASS).values()

    def test_padding_and_the_last_endless_loop_do_not_count(self):
        self.assertEqual((len(self.ours.body()), len(self.peer.body())), (8, 4))

    def test_the_loop_is_the_one_that_loads_not_the_one_that_retries(self):
        self.assertEqual([i.address for i in self.ours.loop()], [0x10, 0x20, 0x30, 0x40, 0x50, 0x60])
        self.assertEqual(self.peer.loop(), [])

    def test_atomics_and_multiplications(self):
        self.assertEqual((self.ours.atomics(), self.ours.wide_multiplications()), (["ATOMS.CAST.SPIN.64"], 1))
        self.assertEqual((self.peer.atomics(), self.peer.wide_multiplications()), (["REDG.ADD.F32"], 0))

    def test_registers(self):
        self.assertEqual(parse_registers(USAGE), {self.ours.name: 30, self.peer.name: 14})

    def test_steps(self):
        self.assertEqual(step_of("", "peer_scatter_fixed_point_f16"), ("scatter, fixed point", "f16"))
        self.assertEqual(step_of("", "peer_zero_f64"), ("zero", "f64"))
        self.assertEqual(step_of("gpu_finish_bf16_fixed_point_cuda", "_kernel_grad"), ("finish, fixed point", "bf16"))
        library = "roi_pool_grad_f32_gpu_fixed_point_cuda"
        self.assertEqual(step_of(library, "_kernel_sum_s1_entries__x_wo_block_id_z"), ("scatter, fixed point", "f32"))
        self.assertEqual(step_of(library, "_kernel_float_sum_s1_entries__x_wo_block_id_z__2"), ("scatter, float", "f32"))
        self.assertEqual(step_of("gpu_zero_cuda", "_kernel_words_s1_groups__x_outer_block_id_x"), ("zero", "any"))
        self.assertEqual(step_of("gpu_zero_if_not_finite_cuda", "_kernel_words_s1_groups__x_outer"), ("zero", "any"))
        self.assertIsNone(step_of("gpu_images_cuda", "_kernel_images"))

    def test_rows_stand_by_step_and_type(self):
        shared_planes = label_of("roi_pool_grad_f32_gpu_shared_planes_cuda", self.ours.name)
        rows = [
            ("scatter, fixed point", "f32", shared_planes, self.ours),
            ("scatter, float", "f32", label_of("", self.peer.name), self.peer),
        ]
        self.assertEqual(
            list(table(rows))[2:],
            [
                "| scatter, float | f32 | `peer_scatter_f32` | 0 | 4 |  | REDG.ADD.F32 | 0 |",
                "| scatter, fixed point | f32 | `f32_gpu_shared_planes` `sum_s0_channel` | 0 | 8 | 6 | ATOMS.CAST.SPIN.64 | 1 |",
            ],
        )


if __name__ == "__main__":
    unittest.main()
