// What an algorithm hands to a schedule: its Funcs, Vars and RDoms by name.
#ifndef ROIPOOL_GENERATORS_STAGES_H_
#define ROIPOOL_GENERATORS_STAGES_H_

#include "Halide.h"

namespace roipool::generators {

/// The gradient. `sum` is the only Func that must be placed; the others may stay inline unless said otherwise.
struct GradStages {
  Halide::Func grad_input;                    ///< (pixel, channel, image): `sum` rounded to the output type.
  Halide::Func sum{"sum"};                    ///< (pixel, channel, image): zero, then the scatter as update 0.
  Halide::Func gradient_row{"gradient_row"};  ///< (bin, channel, position): grad_output in the type of the sum.
  Halide::Func row_has_bad_entry{
      "row_has_bad_entry"};                 ///< (channel, position): zero, then "or" over `row_bins` as update 0. Place it.
  Halide::Func pixel_limit{"pixel_limit"};  ///< (channel, position): H*W, or the end of the kernel if the row is bad. Place it.
  Halide::Var pixel{"pixel"}, channel{"channel"}, image{"image"}, bin{"bin"}, position{"position"};
  Halide::RDom entries;   ///< x: bins of a roi; y: positions in the order of rois, cut down to those of `image`.
  Halide::RDom row_bins;  ///< Bins of one row of argmax.
  Halide::Type type;      ///< Of grad_output and grad_input.
  Halide::Type sum_type;
  bool checks_argmax = true;  ///< False: row_has_bad_entry is undefined and pixel_limit a plain number.
};

/// The forward.
struct PoolStages {
  Halide::Func pooled{"pooled"};  ///< (pw, ph, channel, roi): a Tuple of y and argmax.
  Halide::Func best{
      "best"};  ///< (pw, ph, channel, roi): a Tuple of value and pixel; the search of the window is update 0. Place it.
  Halide::Func begin_w{"begin_w"}, end_w{"end_w"};  ///< (pw, roi): a bin's columns, clipped to the map.
  Halide::Func begin_h{"begin_h"}, end_h{"end_h"};  ///< (ph, roi): a bin's rows, clipped to the map.
  Halide::Var pw{"pw"}, ph{"ph"}, channel{"channel"}, roi{"roi"};
  Halide::RDom window;  ///< x, y: columns and rows of the map, cut down to the bin's window.
};

}  // namespace roipool::generators

#endif  // ROIPOOL_GENERATORS_STAGES_H_
