import type { CallExpr, ComprehensionExpr, Expr, SelectExpr } from "./ast.ts";
import { listCreation, mapCreation, structCreation } from "./call-cost.ts";
import type { CheckedExpr, ResolvedCall } from "./checker.ts";
import type { CelEnv } from "./environment.ts";
import { estimateLibraryCall } from "./estimate-call.ts";
import type { CallEstimate, EstimatedNode } from "./estimate-call.ts";
import { estimateLanguageCall } from "./estimate-language.ts";
import { sizeAlongPath } from "./estimate-path.ts";
import type { Path } from "./estimate-path.ts";
import { accumulator } from "./macros.ts";
import { fixed, free, product, sum, union, unknownSize, unlimited } from "./size-estimate.ts";
import type { CostEstimate, SizeEstimate } from "./size-estimate.ts";
import { codePointCount } from "./size.ts";
import { optionalOf } from "./types.ts";
import type { CelType } from "./types.ts";

/** Estimates what an expression costs from its shape and from the bounds in the types of its variables. */
export function estimateCost(checked: CheckedExpr, env: CelEnv): CostEstimate {
  return new CostEstimator(checked, env).cost(checked.expr);
}

/** The sizes of what a container holds: keys or indices, and values. */
interface EntrySize {
  readonly container: "list" | "map";
  readonly key: SizeEstimate;
  readonly value: SizeEstimate;
}

/** A variable of a comprehension: where its value comes from and how large it is. */
interface Local {
  readonly path: Path;
  readonly size: SizeEstimate | undefined;
  readonly entries: EntrySize | undefined;
}

const one = fixed(1);

class CostEstimator {
  readonly #checked: CheckedExpr;
  readonly #env: CelEnv;
  readonly #costs = new Map<Expr, CostEstimate>();
  readonly #sizes = new Map<Expr, SizeEstimate>();
  readonly #entries = new Map<Expr, EntrySize>();
  readonly #paths = new Map<Expr, Path>();
  readonly #locals = new Map<string, Local[]>();

  constructor(checked: CheckedExpr, env: CelEnv) {
    this.#checked = checked;
    this.#env = env;
  }

  /** The cost of a node. Macros share nodes, so each is estimated once. */
  cost(expr: Expr): CostEstimate {
    const known = this.#costs.get(expr);
    if (known !== undefined) return known;
    const cost = this.#cost(expr);
    this.#costs.set(expr, cost);
    return cost;
  }

  #cost(expr: Expr): CostEstimate {
    switch (expr.kind) {
      case "literal":
        return free;
      case "ident":
        this.#paths.set(expr, this.#local(expr.name)?.path ?? [expr.name]);
        return one;
      case "select":
        return this.#select(expr);
      case "call":
        return this.#call(expr);
      case "list": {
        const items = this.#rangeOf(expr.items);
        this.#entries.set(expr, { container: "list", key: one, value: items });
        return this.#total(expr.items, listCreation);
      }
      case "map": {
        const keys = expr.entries.map((entry) => entry.key);
        const values = expr.entries.map((entry) => entry.value);
        const cost = this.#total([...keys, ...values], mapCreation);
        this.#entries.set(expr, { container: "map", key: this.#rangeOf(keys), value: this.#rangeOf(values) });
        return cost;
      }
      case "struct":
        return this.#total(
          expr.fields.map((field) => field.value),
          structCreation,
        );
      case "comprehension":
        return isBinding(expr) ? this.#binding(expr) : this.#comprehension(expr);
    }
  }

  #total(parts: readonly Expr[], creation: number): CostEstimate {
    return parts.reduce((total, part) => sum(total, this.cost(part)), fixed(creation));
  }

  /** The range that covers the sizes of all parts, which are estimated first. */
  #rangeOf(parts: readonly Expr[]): SizeEstimate {
    if (parts.length === 0) return free;
    for (const part of parts) this.cost(part);
    return parts.map((part) => this.#sizeOrUnknown(part)).reduce(union, { min: unlimited, max: 0 });
  }

  #select(expr: SelectExpr): CostEstimate {
    if (this.#checked.names.has(expr)) {
      this.#paths.set(expr, [this.#checked.names.get(expr)!.name]);
      return one;
    }
    const operand = this.cost(expr.operand);
    if (expr.test) return operand;
    this.#paths.set(expr, [...this.#path(expr.operand), expr.field]);
    const { kind } = this.#type(expr.operand);
    return kind === "map" || kind === "object" ? sum(operand, one) : operand;
  }

  #call(expr: CallExpr): CostEstimate {
    const call = this.#checked.calls.get(expr)!;
    const args = call.method ? call.args.slice(1) : call.args;
    if (call.fn === "dyn") {
      const cost = sum(this.cost(args[0]!), one);
      this.#copySizes(expr, args[0]!);
      return cost;
    }
    const argCosts = args.map((arg) => this.cost(arg));
    const nodes = args.map((arg) => this.#node(arg));
    const targetCost = call.method ? this.cost(call.args[0]!) : free;
    const target = call.method ? this.#node(call.args[0]!) : undefined;
    let cost: CostEstimate = { min: unlimited, max: 0 };
    let size: SizeEstimate | undefined;
    for (const { id } of call.overloads) {
      const estimate = this.#overload(expr, call, id, target, nodes, argCosts);
      cost = union(cost, estimate.cost);
      if (estimate.size !== undefined) size = size === undefined ? estimate.size : union(size, estimate.size);
      if (id === "index_list" || id === "index_map") {
        size = this.#entrySizes(args[0]!)?.value;
        this.#paths.set(expr, [...this.#path(args[0]!), id === "index_list" ? "@items" : "@values"]);
      }
      size ??= this.#size(expr);
    }
    if (size !== undefined) this.#sizes.set(expr, size);
    return sum(targetCost, cost);
  }

  #overload(
    expr: CallExpr,
    call: ResolvedCall,
    id: string,
    target: EstimatedNode | undefined,
    args: readonly EstimatedNode[],
    argCosts: readonly CostEstimate[],
  ): CallEstimate {
    if (id === "add_string" || id === "add_bytes" || id === "add_list" || id === "conditional")
      this.#mergeEntries(expr, args);
    const special = estimateLanguageCall(id, target, args, argCosts);
    if (special?.includesArguments === true) return special;
    const estimate = estimateLibraryCall(call.fn, id, target, args) ?? special ?? { cost: one };
    return { ...estimate, cost: argCosts.reduce(sum, estimate.cost) };
  }

  #mergeEntries(expr: CallExpr, args: readonly EstimatedNode[]): void {
    const [a, b] = args.slice(-2).map((arg) => this.#entrySizes(arg.expr));
    if (a === undefined || b === undefined) return;
    this.#entries.set(expr, { container: a.container, key: union(a.key, b.key), value: union(a.value, b.value) });
  }

  #comprehension(expr: ComprehensionExpr): CostEstimate {
    let total = sum(this.cost(expr.range), this.cost(expr.init));
    this.#bind(expr.accuVar, {
      path: this.#path(expr.init),
      size: this.#size(expr.init),
      entries: this.#entrySizes(expr.init),
    });
    const entries = this.#entrySizes(expr.range);
    const container = entries?.container ?? this.#type(expr.range).kind;
    const path = this.#path(expr.range);
    const key: Local = {
      path: [...path, container === "list" ? "@indices" : "@keys"],
      size: entries?.key,
      entries: undefined,
    };
    const value: Local = {
      path: [...path, container === "list" ? "@items" : "@values"],
      size: entries?.value,
      entries: undefined,
    };
    if (expr.iterVar2 === undefined) {
      this.#bind(expr.iterVar, container === "list" ? value : key);
    } else {
      this.#bind(expr.iterVar, key);
      this.#bind(expr.iterVar2, value);
    }
    const perItem = sum(this.cost(expr.step), this.cost(expr.condition));
    const stepEntries = this.#entrySizes(expr.step);
    this.#unbind(expr.iterVar);
    if (expr.iterVar2 !== undefined) this.#unbind(expr.iterVar2);
    total = sum(total, this.cost(expr.result));
    this.#unbind(expr.accuVar);
    const count = this.#sizeOrUnknown(expr.range);
    if (expr.init.kind === "literal") {
      const size = this.#size(expr.init);
      if (size !== undefined) this.#sizes.set(expr, size);
    } else if (expr.init.kind === "list" || expr.init.kind === "map") {
      this.#sizes.set(expr, count);
      if (stepEntries !== undefined) this.#entries.set(expr, stepEntries);
    }
    return sum(total, product(count, perItem));
  }

  #binding(expr: ComprehensionExpr): CostEstimate {
    const total = sum(this.cost(expr.range), this.cost(expr.init));
    this.#bind(expr.accuVar, {
      path: this.#path(expr.init),
      size: this.#size(expr.init),
      entries: this.#entrySizes(expr.init),
    });
    const cost = sum(total, this.cost(expr.result));
    this.#copySizes(expr, expr.result);
    this.#unbind(expr.accuVar);
    return cost;
  }

  #bind(name: string, local: Local): void {
    const stack = this.#locals.get(name);
    if (stack === undefined) this.#locals.set(name, [local]);
    else stack.push(local);
  }

  #unbind(name: string): void {
    this.#locals.get(name)?.pop();
  }

  #local(name: string): Local | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  #type(expr: Expr): CelType {
    return this.#checked.typeOf(expr);
  }

  #path(expr: Expr): Path {
    return (expr.kind === "ident" ? this.#local(expr.name)?.path : undefined) ?? this.#paths.get(expr) ?? [];
  }

  #node(expr: Expr): EstimatedNode {
    const path = this.#path(expr);
    const type = this.#type(expr);
    const itemPath =
      path.length > 0 && path[0] !== accumulator && type.kind === "list" ? [...path, "@items"] : undefined;
    return { expr, type, size: this.#size(expr), itemSize: itemPath && sizeAlongPath(this.#env, itemPath) };
  }

  #copySizes(to: Expr, from: Expr): void {
    const size = this.#size(from);
    const entries = this.#entrySizes(from);
    if (size !== undefined) this.#sizes.set(to, size);
    if (entries !== undefined) this.#entries.set(to, entries);
  }

  #sizeOrUnknown(expr: Expr): SizeEstimate {
    return this.#size(expr) ?? unknownSize;
  }

  #size(expr: Expr): SizeEstimate | undefined {
    const known = this.#sizes.get(expr) ?? writtenSize(expr);
    if (known !== undefined) return known;
    const bounded = sizeAlongPath(this.#env, this.#path(expr));
    if (bounded !== undefined) {
      this.#sizes.set(expr, bounded);
      return bounded;
    }
    if (isScalar(this.#type(expr))) return one;
    return expr.kind === "ident" ? this.#local(expr.name)?.size : undefined;
  }

  #entrySizes(expr: Expr): EntrySize | undefined {
    return this.#entries.get(expr) ?? (expr.kind === "ident" ? this.#local(expr.name)?.entries : undefined);
  }
}

/** A fold over nothing that only gives a name to a value. */
function isBinding(expr: ComprehensionExpr): boolean {
  return (
    expr.range.kind === "list" &&
    expr.range.items.length === 0 &&
    expr.condition.kind === "literal" &&
    expr.condition.value === false
  );
}

/** The size of what is spelled out in the expression. */
function writtenSize(expr: Expr): SizeEstimate | undefined {
  switch (expr.kind) {
    case "literal":
      if (typeof expr.value === "string") return fixed(codePointCount(expr.value));
      return fixed(expr.value instanceof Uint8Array ? expr.value.length : 1);
    case "list":
      return fixed(expr.items.length);
    case "map":
      return fixed(expr.entries.length);
    default:
      return undefined;
  }
}

function isScalar(type: CelType): boolean {
  const held = optionalOf(type);
  if (held !== undefined) return isScalar(held);
  return ["bool", "double", "duration", "int", "timestamp", "uint"].includes(type.kind);
}
