#include "opcodes.h"

#include <unordered_map>

namespace roipool::fake_cuda {
namespace {

constexpr char kMemoryModifiers[] =
    " weak volatile relaxed acquire release acq_rel cta cluster gpu sys global shared local param const "
    "param::entry param::func shared::cta nc ca cg cs lu cv wb wt v2 v4 v8 L1::evict_normal L1::evict_unchanged "
    "L1::evict_first L1::evict_last L1::no_allocate L2::64B L2::128B L2::256B noftz add and or xor inc dec min max exch cas ";

}  // namespace

const Opcode* FindOpcode(const std::string& name) {
  static const std::unordered_map<std::string, Opcode> table = {
      {"mov", {kOpMov, "", 1}},
      {"ld", {kOpLd, kMemoryModifiers, -1}},
      {"ldu", {kOpLd, kMemoryModifiers, -1}},
      {"st", {kOpSt, kMemoryModifiers, -1}},
      {"atom", {kOpAtom, kMemoryModifiers, -1}},
      {"red", {kOpRed, kMemoryModifiers, -1}},
      {"add", {kOpAdd, " rn rz rm rp ftz sat cc ", 2}},
      {"addc", {kOpAdd, " cc ", 2}},
      {"sub", {kOpSub, " rn rz rm rp ftz sat cc ", 2}},
      {"subc", {kOpSub, " cc ", 2}},
      {"mul", {kOpMul, " rn rz rm rp ftz sat lo hi wide ", 2}},
      {"mad", {kOpMad, " rn rz rm rp ftz sat lo hi wide cc ", 3}},
      {"madc", {kOpMad, " lo hi cc ", 3}},
      {"fma", {kOpFma, " rn rz rm rp ftz sat ", 3}},
      {"div", {kOpDiv, " rn rz rm rp ftz approx full ", 2}},
      {"rem", {kOpRem, "", 2}},
      {"abs", {kOpAbs, " ftz ", 1}},
      {"neg", {kOpNeg, " ftz ", 1}},
      {"min", {kOpMin, " ftz NaN ", 2}},
      {"max", {kOpMax, " ftz NaN ", 2}},
      {"sad", {kOpSad, "", 3}},
      {"popc", {kOpPopc, "", 1}},
      {"clz", {kOpClz, "", 1}},
      {"bfind", {kOpBfind, " shiftamt ", 1}},
      {"brev", {kOpBrev, "", 1}},
      {"bfe", {kOpBfe, "", 3}},
      {"bfi", {kOpBfi, "", 4}},
      {"and", {kOpAnd, "", 2}},
      {"or", {kOpOr, "", 2}},
      {"xor", {kOpXor, "", 2}},
      {"not", {kOpNot, "", 1}},
      {"cnot", {kOpCnot, "", 1}},
      {"shl", {kOpShl, "", 2}},
      {"shr", {kOpShr, "", 2}},
      {"shf", {kOpShf, " l r wrap clamp ", 3}},
      {"lop3", {kOpLop3, "", 4}},
      {"prmt", {kOpPrmt, "", 3}},
      {"dp4a", {kOpDp4a, "", 3}},
      {"dp2a", {kOpDp2a, " lo hi ", 3}},
      {"setp", {kOpSetp, " ftz eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan and or xor ", -1}},
      {"set", {kOpSet, " ftz eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan and or xor ", -1}},
      {"selp", {kOpSelp, "", 3}},
      {"slct", {kOpSlct, " ftz ", 3}},
      {"cvt", {kOpCvt, " rn rz rm rp rni rzi rmi rpi ftz sat ", 1}},
      {"cvta", {kOpCvta, " to global shared local param const ", 1}},
      {"isspacep", {kOpIsspacep, " global shared local param const ", 1}},
      {"rcp", {kOpRcp, " rn rz rm rp ftz approx ", 1}},
      {"sqrt", {kOpSqrt, " rn rz rm rp ftz approx ", 1}},
      {"rsqrt", {kOpRsqrt, " ftz approx ", 1}},
      {"sin", {kOpSin, " ftz approx ", 1}},
      {"cos", {kOpCos, " ftz approx ", 1}},
      {"lg2", {kOpLg2, " ftz approx ", 1}},
      {"ex2", {kOpEx2, " ftz approx ", 1}},
      {"tanh", {kOpTanh, " approx ", 1}},
      {"copysign", {kOpCopysign, "", 2}},
      {"testp", {kOpTestp, " finite infinite number notanumber normal subnormal ", 1}},
      {"bra", {kOpBra, " uni ", -1}},
      {"brx", {kOpBrx, " idx uni ", -1}},
      {"ret", {kOpRet, " uni ", -1}},
      {"exit", {kOpExit, "", -1}},
      {"trap", {kOpTrap, "", -1}},
      {"bar", {kOpBar, " sync warp cta aligned ", -1}},
      {"barrier", {kOpBar, " sync cta aligned ", -1}},
      {"membar", {kOpNop, " cta gl sys gpu ", -1}},
      {"fence", {kOpNop, " cta gpu sys cluster sc acq_rel ", -1}},
      {"prefetch", {kOpNop, " global local L1 L2 ", -1}},
      {"prefetchu", {kOpNop, " L1 ", -1}},
      {"nanosleep", {kOpNop, "", -1}},
      {"pmevent", {kOpNop, "", -1}},
      {"shfl", {kOpShfl, " sync up down bfly idx ", -1}},
      {"vote", {kOpVote, " sync all any uni ballot ", -1}},
      {"redux", {kOpRedux, " sync add min max and or xor ", -1}},
      {"activemask", {kOpActivemask, "", 0}}};
  auto it = table.find(name);
  return it == table.end() ? nullptr : &it->second;
}

}  // namespace roipool::fake_cuda
