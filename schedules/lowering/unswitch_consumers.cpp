#include "unswitch_consumers.h"

#include <algorithm>

namespace roipool::schedules {
namespace {

using namespace Halide::Internal;
using Halide::Expr;

bool Contains(const std::vector<Expr>& list, const Expr& expression) {
  return std::any_of(list.begin(), list.end(), [&](const Expr& known) { return equal(known, expression); });
}

// Whether an expression reads one buffer and no other.
class ReadsOnly : public IRVisitor {
 public:
  explicit ReadsOnly(const std::string& buffer) : buffer_(buffer) {}
  bool operator()(const Expr& expression) {
    expression.accept(this);
    return reads_buffer_ && !reads_others_;
  }

 private:
  using IRVisitor::visit;
  void visit(const Load* load) override {
    (load->name == buffer_ ? reads_buffer_ : reads_others_) = true;
    IRVisitor::visit(load);
  }

  const std::string& buffer_;
  bool reads_buffer_ = false, reads_others_ = false;
};

// Collects the operands of "or" in conditions of statements that depend on the flag alone and on nothing defined inside.
class FindTests : public IRVisitor {
 public:
  explicit FindTests(const std::string& flag) : flag_(flag) {}
  std::vector<Expr> tests;

 private:
  using IRVisitor::visit;
  void visit(const IfThenElse* branch) override {
    Expr condition = branch->condition;
    while (const auto* let = condition.as<Let>()) condition = let->body;
    if (const auto* either = condition.as<Or>()) {
      for (const Expr& operand : {either->a, either->b}) {
        if (ReadsOnly(flag_)(operand) && !expr_uses_vars(operand, inside_) && !Contains(tests, operand))
          tests.push_back(operand);
      }
    }
    IRVisitor::visit(branch);
  }
  void visit(const LetStmt* let) override {
    let->value.accept(this);
    ScopedBinding<> scope(inside_, let->name);
    let->body.accept(this);
  }
  void visit(const For* loop) override {
    ScopedBinding<> scope(inside_, loop->name);
    IRVisitor::visit(loop);
  }

  const std::string& flag_;
  Scope<> inside_;
};

class AssumeTests : public IRMutator {
 public:
  explicit AssumeTests(const std::vector<Expr>& tests) : tests_(tests) {}

 private:
  using IRMutator::visit;
  Expr visit(const Or* either) override {
    if (Contains(tests_, either->a) || Contains(tests_, either->b)) return const_true();
    return IRMutator::visit(either);
  }

  const std::vector<Expr>& tests_;
};

// Storage is released once, behind both versions.
class TakeFrees : public IRMutator {
 public:
  std::vector<Stmt> frees;

 private:
  using IRMutator::visit;
  Stmt visit(const Free* free) override {
    frees.emplace_back(free);
    return Evaluate::make(0);
  }
  Stmt visit(const Allocate* allocate) override { return allocate; }
};

}  // namespace

Stmt UnswitchConsumers::mutate(const Stmt& statement) {
  const bool is_whole = depth_++ == 0;
  Stmt result = IRMutator::mutate(statement);
  --depth_;
  if (is_whole) _halide_user_assert(matches_ > 0) << "UnswitchConsumers found no test of " << flag_ << "\n";
  return result;
}

Stmt UnswitchConsumers::visit(const ProducerConsumer* node) {
  if (node->is_producer || node->name != flag_) return IRMutator::visit(node);
  FindTests find(node->name);
  node->body.accept(&find);
  if (find.tests.empty()) return IRMutator::visit(node);

  ++matches_;
  Expr all = find.tests.front();
  for (size_t i = 1; i < find.tests.size(); ++i) all = all && find.tests[i];
  TakeFrees take_frees;
  const Stmt as_it_was = take_frees.mutate(node->body);
  std::vector<Stmt> parts = {IfThenElse::make(all, simplify(AssumeTests(find.tests).mutate(as_it_was)), as_it_was)};
  parts.insert(parts.end(), take_frees.frees.begin(), take_frees.frees.end());
  return ProducerConsumer::make_consume(node->name, Block::make(parts));
}

}  // namespace roipool::schedules
