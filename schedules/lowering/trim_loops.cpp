#include "trim_loops.h"

#include <algorithm>
#include <set>
#include <string>

namespace roipool::schedules {
namespace {

using namespace Halide::Internal;
using Halide::Expr;

// Conditions of a loop's whole body that bound its variable, and the ends that they set.
struct Bounds {
  std::vector<Expr> conditions, lows, ends;
};

// Names of the buffers that a loop writes.
class FindStores : public IRVisitor {
 public:
  std::set<std::string> names;

 private:
  using IRVisitor::visit;
  void visit(const Store* store) override {
    names.insert(store->name);
    IRVisitor::visit(store);
  }
};

// Whether an expression reads one of them, or calls what may not give the same twice.
class MayChange : public IRVisitor {
 public:
  explicit MayChange(const std::set<std::string>& written) : written_(written) {}
  bool result = false;

 private:
  using IRVisitor::visit;
  void visit(const Load* load) override {
    result = result || written_.count(load->name) > 0;
    IRVisitor::visit(load);
  }
  void visit(const Call* call) override {
    result = result || !call->is_pure();
    IRVisitor::visit(call);
  }

  const std::set<std::string>& written_;
};

// Walks down while there is but one statement, and no further than a condition of which a part stays: what stands below is not
// read where that part is false.
class FindBounds {
 public:
  explicit FindBounds(const For* loop) : variable_(loop->name) {
    loop->body.accept(&stores_);
    Walk(loop->body);
  }
  Bounds bounds;

 private:
  void Walk(const Stmt& statement) {
    if (const auto* let = statement.as<LetStmt>()) {
      ScopedBinding<> scope(inside_, let->name);
      Walk(let->body);
    } else if (const auto* loop = statement.as<For>()) {
      ScopedBinding<> scope(inside_, loop->name);
      Walk(loop->body);
    } else if (const auto* branch = statement.as<IfThenElse>(); branch != nullptr && !branch->else_case.defined()) {
      std::vector<Expr> conditions;
      split_into_ands(branch->condition, conditions);
      bool takes_all = true;
      for (const Expr& condition : conditions) takes_all = Take(condition) && takes_all;
      if (takes_all) Walk(branch->then_case);
    }
  }

  bool Take(const Expr& condition) {
    MayChange changes(stores_.names);
    condition.accept(&changes);
    if (changes.result || expr_uses_vars(condition, inside_) || !expr_uses_var(condition, variable_)) return false;
    const SolverResult solved = solve_expression(condition, variable_);
    if (!solved.fully_solved) return false;
    const size_t taken = bounds.conditions.size();
    const auto is_loop_variable = [&](const Expr& expression) {
      const auto* variable = expression.as<Variable>();
      return variable != nullptr && variable->name == variable_;
    };
    const auto take = [&](const Expr& variable, const Expr& end, std::vector<Expr>& ends, int past) {
      if (!is_loop_variable(variable) || expr_uses_var(end, variable_)) return;
      bounds.conditions.push_back(condition);
      ends.push_back(end + past);
    };
    const Expr& result = solved.result;
    if (const auto* lt = result.as<LT>()) take(lt->a, lt->b, bounds.ends, 0);
    if (const auto* le = result.as<LE>()) take(le->a, le->b, bounds.ends, 1);
    if (const auto* gt = result.as<GT>()) take(gt->a, gt->b, bounds.lows, 1);
    if (const auto* ge = result.as<GE>()) take(ge->a, ge->b, bounds.lows, 0);
    return bounds.conditions.size() > taken;
  }

  const std::string& variable_;
  FindStores stores_;
  Scope<> inside_;
};

// Takes conditions for true, wherever they stand.
class Assume : public IRMutator {
 public:
  explicit Assume(const std::vector<Expr>& conditions) : conditions_(conditions) {}

  using IRMutator::mutate;
  Expr mutate(const Expr& expression) override {
    const bool is_known = std::any_of(conditions_.begin(), conditions_.end(),
                                      [&](const Expr& condition) { return equal(condition, expression); });
    return is_known ? const_true() : IRMutator::mutate(expression);
  }

 private:
  const std::vector<Expr>& conditions_;
};

}  // namespace

Stmt TrimLoops::mutate(const Stmt& statement) {
  const bool is_whole = depth_++ == 0;
  Stmt result = IRMutator::mutate(statement);
  --depth_;
  if (!is_whole) return result;
  for (const std::string& loop : loops_) {
    const bool is_trimmed = std::find(trimmed_.begin(), trimmed_.end(), loop) != trimmed_.end();
    _halide_user_assert(is_trimmed) << "TrimLoops found no bound of " << loop << "\n";
  }
  return result;
}

Stmt TrimLoops::visit(const For* loop) {
  const Stmt inner = IRMutator::visit(loop);
  loop = inner.as<For>();
  if (loop == nullptr || loop->for_type != ForType::Serial) return inner;
  const auto named =
      std::find_if(loops_.begin(), loops_.end(), [&](const std::string& suffix) { return ends_with(loop->name, suffix); });
  if (named == loops_.end()) return inner;
  const Bounds bounds = FindBounds(loop).bounds;
  if (bounds.conditions.empty()) return inner;

  trimmed_.push_back(*named);
  Expr low = loop->min, end = loop->min + loop->extent;
  for (const Expr& other : bounds.lows) low = max(low, other);
  for (const Expr& other : bounds.ends) end = min(end, other);
  const std::string low_name = unique_name(loop->name + ".low");
  const Expr low_variable = Variable::make(Halide::Int(32), low_name);
  const Stmt body = simplify(Assume(bounds.conditions).mutate(loop->body));
  const Stmt trimmed = For::make(loop->name, low_variable, max(end - low_variable, 0), loop->for_type, loop->partition_policy,
                                 loop->device_api, body);
  return LetStmt::make(low_name, low, trimmed);
}

}  // namespace roipool::schedules
