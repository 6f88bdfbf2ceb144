// What an algorithm hands to a schedule: its Funcs, Vars and RDoms by name.
#ifndef ROIPOOL_GENERATORS_STAGES_H_
#define ROIPOOL_GENERATORS_STAGES_H_

#include <functional>

#include "Halide.h"
#include "tile_transpose.h"

namespace roipool::generators {

/// The gradient. A channel is a member of a group: see runtime/kernel_layout.h.
struct GradStages {
  Halide::Func sum;         ///< (pixel, member, group, image): zero, then the scatter as update 0. An output of the pipeline.
  Halide::Func grad_input;  ///< (pixel, member, group, image): `sum` rounded to the output type; see `rounded_pixels`.
  Halide::Func roi{"roi"};  ///< (position): which roi stands there.
  Halide::Func image_of{"image_of"};          ///< (position): its image.
  Halide::Func target_row{"target_row"};      ///< (bin, member, group, position): argmax. Place it: see the algorithm's header.
  Halide::Func gradient_row{"gradient_row"};  ///< (bin, member, group, position): grad_output in the type of the sum.
  Halide::Func is_odd{"is_odd"};              ///< (group, position): false, then "or" over `checked` as update 0. Place it.
  Halide::Func is_bad{"is_bad"};              ///< (group, position): false, then "or" over `rechecked` as update 0. Place it.
  Halide::Func pixel_limit{"pixel_limit"};    ///< (group, position): H*W, or the end of the kernel if it is bad. Place it.
  Halide::Var pixel{"pixel"}, member{"member"}, group{"group"}, image{"image"};
  Halide::Var bin{"bin"}, position{"position"};
  Halide::RDom entries;             ///< x: bins of a roi; y: positions.
  Halide::RDom checked, rechecked;  ///< x: bins; y: members.
  Halide::RDom
      rounded_pixels;  ///< Defined if `sum` and `grad_input` have one type: then update 0 of `grad_input` runs over it.
  Halide::Type type;   ///< Of grad_output and grad_input.
  Halide::Type sum_type;

  /// Conditions that a schedule may specialize for.
  Halide::Expr bins, members;                          ///< Of a row; of a group.
  std::function<Halide::Expr(int)> has_adjacent_rows;  ///< Rows have this many bins and no gap between those of a group.
  Halide::Expr prefetch_distance;                      ///< In positions.
  Halide::Pipeline pipeline;                           ///< For passes over lowered code.
};

/// Threads of a GPU's block, which take bins of a roi and channels, fit for the call's; their product is at most 256.
struct ThreadTile {
  Halide::Expr w, h, channels;
};

/// The gradient on a GPU.
struct GpuGradStages {
  Halide::Func sum;  ///< (pixel, channel, image). An output of the pipeline: what is there, which is zero, then the scatter
                     ///< over `entries` as update 0; or, by plane, a copy of `plane`.
  Halide::Func plane{"plane"};  ///< (pixel, channel, image): by plane alone, zero and the scatter. Place it.
  Halide::Func
      float_sum;  ///< (pixel, channel, image): fixed point's second output, likewise: the scatter over `float_entries`.
  Halide::Func found_bad;  ///< (channel), of which all are one number: the second output in floats: what is there, and a count
                           ///< over `checked` as update 0.
  Halide::Var pixel{"pixel"}, channel{"channel"}, image{"image"};
  Halide::RDom entries, float_entries, checked;  ///< x, y: bins of a roi; z: rois; w: channels, unless by plane.
  ThreadTile tile;
};

/// The forward.
struct PoolStages {
  Halide::Func pooled{"pooled"};  ///< (bin, channel, roi): a Tuple of y and argmax. The output of the pipeline.
  Halide::Func row{"row"};        ///< (channel, bin, roi): the same with channels side by side. May be inlined.
  Halide::Func best{"best"};  ///< (channel, bin, roi): a Tuple of value and pixel; the search of the window is update 0. Place
                              ///< it at `pooled` or `row`.
  TileTranspose value_tiles, pixel_tiles;  ///< If the schedule transposes tiles: between `row` and `pooled`. Place them.
  Halide::Var bin{"bin"}, channel{"channel"}, roi{"roi"};
  Halide::RDom window;  ///< x, y: columns and rows of the map, counted from its end and cut down to the bin's window.

  std::function<Halide::Expr(int)> has_channels;  ///< A condition that a schedule may specialize for: so many channels.
  Halide::Pipeline pipeline;                      ///< For passes over lowered code.
};

/// The forward on a GPU. Numbers are bits.
struct GpuPoolStages {
  Halide::Func pooled{"pooled"};  ///< (pw, ph, channel, roi): a Tuple of y and argmax. The output of the pipeline.
  Halide::Func best{"best"};  ///< (pw, ph, channel, roi): a Tuple of rank, pixel and y; the search of the window is update 0.
                              ///< Place it where a thread is.
  Halide::Var pw{"pw"}, ph{"ph"}, channel{"channel"}, roi{"roi"};
  Halide::RDom window;  ///< x, y: columns and rows of the map, cut down to the bin's window.
  ThreadTile tile;
};

}  // namespace roipool::generators

#endif  // ROIPOOL_GENERATORS_STAGES_H_
