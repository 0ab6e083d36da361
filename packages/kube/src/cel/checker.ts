import { qualifiedName } from "./ast.ts";
import type { CallExpr, ComprehensionExpr, Expr, SelectExpr, StructExpr } from "./ast.ts";
import { typeNames } from "./environment.ts";
import type { CelEnv } from "./environment.ts";
import type { FunctionTable, Overload } from "./function.ts";
import type { CelIssue } from "./issue.ts";
import { mostGeneral, TypeSolver } from "./type-solver.ts";
import {
  boolType,
  bytesType,
  doubleType,
  dynType,
  errorType,
  formatType,
  intType,
  listType,
  mapType,
  nullType,
  optionalOf,
  optionalType,
  sameType,
  stringType,
  uintType,
} from "./types.ts";
import type { CelType } from "./types.ts";

/** What a name refers to: a variable of the environment, a variable of a comprehension, or a type. */
export type NameBinding =
  | { readonly to: "variable"; readonly name: string }
  | { readonly to: "local"; readonly slot: number; readonly name: string }
  | { readonly to: "type"; readonly name: string };

/** A call whose function is known. `args` begin with the receiver when it is a method. */
export interface ResolvedCall {
  readonly fn: string;
  readonly method: boolean;
  readonly args: readonly Expr[];
  /** All overloads that the static types allow, at least one. */
  readonly overloads: readonly Overload[];
}

/** An expression with what the checker found out about each of its nodes. */
export interface CheckedExpr {
  readonly expr: Expr;
  typeOf(expr: Expr): CelType;
  readonly names: ReadonlyMap<Expr, NameBinding>;
  readonly calls: ReadonlyMap<CallExpr, ResolvedCall>;
  /** The first local slot of each comprehension: accumulator, then its one or two variables. */
  readonly slots: ReadonlyMap<ComprehensionExpr, number>;
  readonly slotCount: number;
}

export type CheckResult = { ok: true; checked: CheckedExpr } | { ok: false; issues: CelIssue[] };

/** Gives every node a type, and every name and call its meaning. */
export function check(expr: Expr, env: CelEnv, functions: FunctionTable): CheckResult {
  const checker = new Checker(env, functions);
  checker.check(expr);
  return checker.issues.length > 0
    ? { ok: false, issues: checker.issues }
    : { ok: true, checked: checker.finish(expr) };
}

interface Scope {
  readonly parent: Scope | undefined;
  readonly names: ReadonlyMap<string, { readonly slot: number; readonly type: CelType }>;
}

class Checker {
  readonly issues: CelIssue[] = [];
  readonly #env: CelEnv;
  readonly #functions: FunctionTable;
  readonly #solver = new TypeSolver();
  readonly #types = new Map<Expr, CelType>();
  readonly #names = new Map<Expr, NameBinding>();
  readonly #calls = new Map<CallExpr, ResolvedCall>();
  readonly #slots = new Map<ComprehensionExpr, number>();
  #scope: Scope | undefined;
  #nextSlot = 0;
  #slotCount = 0;

  constructor(env: CelEnv, functions: FunctionTable) {
    this.#env = env;
    this.#functions = functions;
  }

  finish(expr: Expr): CheckedExpr {
    for (const [node, type] of this.#types) this.#types.set(node, this.#solver.substitute(type, true));
    return {
      expr,
      typeOf: (node) => this.#types.get(node) ?? dynType,
      names: this.#names,
      calls: this.#calls,
      slots: this.#slots,
      slotCount: this.#slotCount,
    };
  }

  /** The type of a node. Macros share nodes, so a node that is already typed is not visited again. */
  check(expr: Expr): CelType {
    const known = this.#types.get(expr);
    if (known !== undefined) return known;
    const type = this.#typeOf(expr);
    this.#types.set(expr, type);
    return type;
  }

  #report(expr: { offset: number }, message: string): void {
    this.issues.push({ offset: expr.offset, message });
  }

  #mismatch(expr: { offset: number }, expected: CelType, found: CelType): void {
    this.#report(expr, `expected type '${formatType(expected)}' but found '${formatType(found)}'`);
  }

  #undeclared(expr: { offset: number }, name: string): CelType {
    this.#report(expr, `undeclared reference to '${name}' (in container '')`);
    return errorType;
  }

  #typeOf(expr: Expr): CelType {
    switch (expr.kind) {
      case "literal":
        return literalType(expr.value, expr.unsigned === true);
      case "ident":
        return this.#named(expr, expr.name) ?? this.#undeclared(expr, expr.name);
      case "select":
        return this.#select(expr);
      case "call":
        return this.#call(expr);
      case "list": {
        let element: CelType | undefined;
        expr.items.forEach((item, i) => {
          element = this.#join(element, this.#elementType(item, expr.optional.has(i)));
        });
        return listType(element ?? this.#solver.freshParameter());
      }
      case "map": {
        let key: CelType | undefined;
        let value: CelType | undefined;
        for (const entry of expr.entries) {
          key = this.#join(key, this.check(entry.key));
          value = this.#join(value, this.#elementType(entry.value, entry.optional));
        }
        return mapType(key ?? this.#solver.freshParameter(), value ?? this.#solver.freshParameter());
      }
      case "struct":
        return this.#struct(expr);
      case "comprehension":
        return this.#comprehension(expr);
    }
  }

  /** The type of an item; `?item` must be an optional and stands for what it holds. */
  #elementType(expr: Expr, optional: boolean): CelType {
    const type = this.check(expr);
    if (!optional) return type;
    const held = optionalOf(type);
    if (held === undefined && type.kind !== "dyn") this.#mismatch(expr, optionalType(type), type);
    return held ?? type;
  }

  #join(previous: CelType | undefined, current: CelType): CelType {
    if (previous === undefined) return current;
    return this.#solver.assignable(previous, current) ? mostGeneral(previous, current) : dynType;
  }

  #named(expr: Expr, written: string): CelType | undefined {
    const name = written.startsWith(".") ? written.slice(1) : written;
    if (name === written) {
      for (let scope = this.#scope; scope !== undefined; scope = scope.parent) {
        const local = scope.names.get(name);
        if (local === undefined) continue;
        this.#names.set(expr, { to: "local", slot: local.slot, name });
        return local.type;
      }
    }
    const variable = this.#env.variables.get(name);
    if (variable !== undefined) {
      this.#names.set(expr, { to: "variable", name });
      return variable;
    }
    const type = typeNames.get(name);
    if (type === undefined) return undefined;
    this.#names.set(expr, { to: "type", name });
    return { kind: "type", of: type };
  }

  #select(expr: SelectExpr): CelType {
    const qualified = qualifiedName(expr);
    const named = qualified === undefined ? undefined : this.#named(expr, qualified);
    if (named !== undefined) return named;
    const field = this.#field(expr, expr.operand, expr.field, false);
    return expr.test ? boolType : this.#solver.substitute(field);
  }

  #field(expr: Expr, operand: Expr, name: string, optional: boolean): CelType {
    const operandType = this.#solver.substitute(this.check(operand));
    const held = optionalOf(operandType);
    const field = this.#fieldOf(expr, held ?? operandType, name);
    return held !== undefined || optional ? optionalType(field) : field;
  }

  #fieldOf(expr: Expr, type: CelType, name: string): CelType {
    switch (type.kind) {
      case "map":
        return type.value;
      case "object": {
        const field = type.field(name);
        if (field === undefined) this.#report(expr, `undefined field '${name}'`);
        return field ?? errorType;
      }
      case "param":
        this.#solver.assignable(dynType, type);
        return dynType;
      case "dyn":
      case "error":
        return dynType;
      default:
        this.#report(expr, `type '${formatType(type)}' does not support field selection`);
        return dynType;
    }
  }

  #call(expr: CallExpr): CelType {
    if (expr.fn === "_?._") {
      const [operand, field] = expr.args;
      const name = field?.kind === "literal" && typeof field.value === "string" ? field.value : "";
      if (field !== undefined) this.check(field);
      this.#calls.set(expr, {
        fn: expr.fn,
        method: false,
        args: expr.args,
        overloads: this.#functions.get(expr.fn) ?? [],
      });
      return this.#solver.substitute(this.#field(expr, operand!, name, true));
    }
    for (const arg of expr.args) this.check(arg);
    if (expr.target === undefined) {
      const name = expr.fn.startsWith(".") ? expr.fn.slice(1) : expr.fn;
      const overloads = this.#functions.get(name);
      return overloads === undefined
        ? this.#undeclared(expr, expr.fn)
        : this.#resolve(expr, name, overloads, false, expr.args);
    }
    const prefix = qualifiedName(expr.target);
    const qualified = prefix === undefined ? undefined : `${prefix.replace(/^\./, "")}.${expr.fn}`;
    const namespaced = qualified === undefined ? undefined : this.#functions.get(qualified);
    if (namespaced !== undefined) return this.#resolve(expr, qualified!, namespaced, false, expr.args);
    this.check(expr.target);
    const overloads = this.#functions.get(expr.fn);
    if (overloads === undefined) return this.#undeclared(expr, expr.fn);
    return this.#resolve(expr, expr.fn, overloads, true, [expr.target, ...expr.args]);
  }

  #resolve(
    expr: CallExpr,
    fn: string,
    overloads: readonly Overload[],
    method: boolean,
    args: readonly Expr[],
  ): CelType {
    const types = args.map((arg) => this.check(arg));
    if (fn === "_&&_" || fn === "_||_") return this.#logical(expr, fn, overloads, args, types);
    const matching: Overload[] = [];
    let result: CelType | undefined;
    for (const overload of overloads) {
      if (overload.method !== method || overload.params.length !== types.length) continue;
      const [ret, ...params] = this.#solver.instantiate([overload.result, ...overload.params], overload.generics);
      if (!this.#solver.allAssignable(types, params)) continue;
      matching.push(overload);
      const type = this.#solver.substitute(ret!);
      if (result === undefined) result = type;
      else if (result.kind !== "dyn" && !sameType(type, result)) result = dynType;
    }
    if (result === undefined) {
      const shown = types.map((type) => formatType(this.#solver.substitute(type, true)));
      const signature = method ? `${shown[0]}.(${shown.slice(1).join(", ")})` : `(${shown.join(", ")})`;
      this.#report(expr, `found no matching overload for '${fn}' applied to '${signature}'`);
      return errorType;
    }
    this.#calls.set(expr, { fn, method, args, overloads: matching });
    return result;
  }

  #logical(
    expr: CallExpr,
    fn: string,
    overloads: readonly Overload[],
    args: readonly Expr[],
    types: readonly CelType[],
  ): CelType {
    let ok = true;
    args.forEach((arg, i) => {
      if (this.#solver.assignable(types[i]!, boolType)) return;
      this.#mismatch(arg, boolType, types[i]!);
      ok = false;
    });
    this.#calls.set(expr, { fn, method: false, args, overloads });
    return ok ? boolType : errorType;
  }

  #struct(expr: StructExpr): CelType {
    const type = this.#env.constructible?.(expr.typeName.replace(/^\./, ""));
    if (type === undefined) return this.#undeclared(expr, expr.typeName);
    for (const field of expr.fields) {
      const value = this.#elementType(field.value, field.optional);
      const declared = this.#fieldOf({ ...expr, offset: field.offset }, type, field.name);
      if (!this.#solver.assignable(declared, value)) {
        this.#report(
          field,
          `expected type of field '${field.name}' is '${formatType(declared)}' but provided type is '${formatType(value)}'`,
        );
      }
    }
    return type;
  }

  #comprehension(expr: ComprehensionExpr): CelType {
    const range = this.#solver.substitute(this.check(expr.range));
    const accu = this.check(expr.init);
    const slot = this.#nextSlot;
    this.#slots.set(expr, slot);
    this.#nextSlot += 3;
    this.#slotCount = Math.max(this.#slotCount, this.#nextSlot);
    const outer = this.#scope;
    const accuScope: Scope = { parent: outer, names: new Map([[expr.accuVar, { slot, type: accu }]]) };
    const [first, second] = this.#iterationTypes(expr, range);
    const names = new Map([[expr.iterVar, { slot: slot + 1, type: first }]]);
    if (expr.iterVar2 !== undefined) names.set(expr.iterVar2, { slot: slot + 2, type: second });
    this.#scope = { parent: accuScope, names };
    this.#assert(expr.condition, boolType);
    this.#assert(expr.step, accu);
    this.#scope = accuScope;
    const result = this.check(expr.result);
    this.#scope = outer;
    this.#nextSlot = slot;
    return this.#solver.substitute(result);
  }

  /** The types of the one variable, or of both. */
  #iterationTypes(expr: ComprehensionExpr, range: CelType): [CelType, CelType] {
    const two = expr.iterVar2 !== undefined;
    switch (range.kind) {
      case "list":
        return two ? [intType, range.element] : [range.element, range.element];
      case "map":
        return [range.key, range.value];
      case "dyn":
      case "error":
      case "param":
        this.#solver.assignable(dynType, range);
        return [dynType, dynType];
      default:
        this.#report(
          expr.range,
          `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        );
        return [errorType, errorType];
    }
  }

  #assert(expr: Expr, type: CelType): void {
    const found = this.check(expr);
    if (!this.#solver.assignable(type, found)) this.#mismatch(expr, type, found);
  }
}

function literalType(value: null | boolean | bigint | number | string | Uint8Array, unsigned: boolean): CelType {
  switch (typeof value) {
    case "boolean":
      return boolType;
    case "bigint":
      return unsigned ? uintType : intType;
    case "number":
      return doubleType;
    case "string":
      return stringType;
    default:
      return value === null ? nullType : bytesType;
  }
}
