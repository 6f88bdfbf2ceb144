#include "prefetch_rows.h"

namespace roipool::schedules {
namespace {

using namespace Halide::Internal;
using Halide::Expr;
using Halide::Int;

constexpr int kBytesPerLine = 64;

void AppendParts(const Stmt& statement, std::vector<Stmt>& parts) {
  if (const auto* block = statement.as<Block>()) {
    AppendParts(block->first, parts);
    AppendParts(block->rest, parts);
  } else {
    parts.push_back(statement);
  }
}

class CountStores : public IRVisitor {
 public:
  int count = 0;

 private:
  using IRVisitor::visit;
  void visit(const Store* store) override {
    ++count;
    IRVisitor::visit(store);
  }
};

}  // namespace

Stmt PrefetchRows::mutate(const Stmt& statement) {
  const bool is_whole = depth_++ == 0;
  Stmt result = IRMutator::mutate(statement);
  --depth_;
  if (is_whole) _halide_user_assert(matches_ > 0) << "PrefetchRows found no loop " << plan_.step_loop << "\n";
  return result;
}

Stmt PrefetchRows::visit(const For* loop) {
  const Expr variable = Variable::make(Int(32), loop->name);
  if (ends_with(loop->name, plan_.position_loop)) {
    ScopedValue<Expr> scope(later_position_, Halide::min(variable + plan_.distance, loop->min + loop->extent - 1));
    return IRMutator::visit(loop);
  }
  if (ends_with(loop->name, plan_.group_loop)) {
    ScopedValue<Expr> scope(group_, variable);
    return IRMutator::visit(loop);
  }
  if (!ends_with(loop->name, plan_.step_loop) || !later_position_.defined()) return IRMutator::visit(loop);

  ++matches_;
  std::vector<Stmt> parts, body;
  AppendParts(loop->body, parts);
  CountStores stores;
  loop->body.accept(&stores);
  for (size_t i = 0, next_row = 0; i < parts.size(); ++i) {
    for (; next_row < plan_.rows.size() && next_row * parts.size() / plan_.rows.size() == i; ++next_row) {
      body.push_back(Prefetch(plan_.rows[next_row], Halide::cast<int64_t>(variable - loop->min) * stores.count));
    }
    body.push_back(parts[i]);
  }
  return For::make(loop->name, loop->min, loop->extent, loop->for_type, loop->partition_policy, loop->device_api,
                   Block::make(body));
}

Stmt PrefetchRows::Prefetch(const PrefetchPlan::Row& row, const Expr& first_element) const {
  const auto stride = [&](const char* dimension) {
    return Halide::cast<int64_t>(Variable::make(Int(32), row.buffer + ".stride." + dimension));
  };
  const Expr roi = Load::make(Int(32), plan_.order, Halide::cast<int64_t>(later_position_), Halide::Buffer<>(),
                              Halide::Parameter(), const_true(), ModulusRemainder());
  const Expr element = Halide::cast<int64_t>(roi) * stride("3") + Halide::cast<int64_t>(group_) * stride("2") + first_element;
  return Evaluate::make(
      Call::make(row.type, Call::prefetch,
                 {Variable::make(Halide::Handle(), row.buffer), element, Expr(1), Expr(kBytesPerLine / row.type.bytes())},
                 Call::Intrinsic));
}

}  // namespace roipool::schedules
