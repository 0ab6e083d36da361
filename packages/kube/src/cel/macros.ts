import type { ComprehensionExpr, Expr } from "./ast.ts";

/** The variable that comprehensions fold into. No expression can name it. */
export const accumulator = "@result";

/** What a macro call becomes: an expression, a complaint about its arguments, or nothing when it is an ordinary call. */
type Expansion = Expr | { readonly problem: string; readonly offset: number } | undefined;

type Expand = (offset: number, target: Expr, args: readonly Expr[]) => Expansion;

/** Expands calls that are macros. `offset` is the place of the call, which all made-up nodes share. */
export function expandMacro(fn: string, offset: number, target: Expr | undefined, args: readonly Expr[]): Expansion {
  if (target === undefined) return fn === "has" && args.length === 1 ? expandHas(offset, args[0]!) : undefined;
  return receiverMacros.get(`${fn}/${args.length}`)?.(offset, target, args);
}

function expandHas(offset: number, arg: Expr): Expansion {
  if (arg.kind === "select" && !arg.test) return { ...arg, offset, test: true };
  return { problem: "invalid argument to has() macro", offset: arg.offset };
}

const literal = (offset: number, value: boolean | bigint): Expr => ({ kind: "literal", offset, value });
const accu = (offset: number): Expr => ({ kind: "ident", offset, name: accumulator });
const call = (offset: number, fn: string, ...args: Expr[]): Expr => ({
  kind: "call",
  offset,
  fn,
  target: undefined,
  args,
});
const method = (offset: number, fn: string, target: Expr, ...args: Expr[]): Expr => ({
  kind: "call",
  offset,
  fn,
  target,
  args,
});
const list = (offset: number, ...items: Expr[]): Expr => ({ kind: "list", offset, items, optional: new Set() });
const emptyMap = (offset: number): Expr => ({ kind: "map", offset, entries: [] });

type Fold = Pick<ComprehensionExpr, "init" | "condition" | "step" | "result">;

function all(offset: number, predicate: Expr): Fold {
  return {
    init: literal(offset, true),
    condition: call(offset, "@not_strictly_false", accu(offset)),
    step: call(offset, "_&&_", accu(offset), predicate),
    result: accu(offset),
  };
}

function exists(offset: number, predicate: Expr): Fold {
  return {
    init: literal(offset, false),
    condition: call(offset, "@not_strictly_false", call(offset, "!_", accu(offset))),
    step: call(offset, "_||_", accu(offset), predicate),
    result: accu(offset),
  };
}

function existsOne(offset: number, predicate: Expr): Fold {
  const more = call(offset, "_+_", accu(offset), literal(offset, 1n));
  return {
    init: literal(offset, 0n),
    condition: literal(offset, true),
    step: call(offset, "_?_:_", predicate, more, accu(offset)),
    result: call(offset, "_==_", accu(offset), literal(offset, 1n)),
  };
}

/** Folds by `step`, for those items that pass the filter. */
function collect(offset: number, init: Expr, step: Expr, filter: Expr | undefined): Fold {
  return {
    init,
    condition: literal(offset, true),
    step: filter === undefined ? step : call(offset, "_?_:_", filter, step, accu(offset)),
    result: accu(offset),
  };
}

function append(offset: number, item: Expr): Expr {
  return call(offset, "_+_", accu(offset), list(offset, item));
}

const mapMacro = (offset: number, args: readonly Expr[]): Fold =>
  collect(offset, list(offset), append(offset, args.at(-1)!), args.length === 2 ? args[0] : undefined);

const receiverMacros = new Map<string, Expand>([
  ["all/2", oneVariable((offset, args) => all(offset, args[0]!))],
  ["exists/2", oneVariable((offset, args) => exists(offset, args[0]!))],
  ["exists_one/2", oneVariable((offset, args) => existsOne(offset, args[0]!))],
  ["map/2", oneVariable(mapMacro, "argument is not an identifier")],
  ["map/3", oneVariable(mapMacro, "argument is not an identifier")],
  [
    "filter/2",
    oneVariable(
      (offset, [predicate], name) => collect(offset, list(offset), append(offset, name), predicate),
      "argument is not an identifier",
    ),
  ],
  ["all/3", twoVariables((offset, args) => all(offset, args[0]!))],
  ["exists/3", twoVariables((offset, args) => exists(offset, args[0]!))],
  ["existsOne/3", twoVariables((offset, args) => existsOne(offset, args[0]!))],
  ["exists_one/3", twoVariables((offset, args) => existsOne(offset, args[0]!))],
  ...[3, 4].flatMap((count): [string, Expand][] => [
    [
      `transformList/${count}`,
      twoVariables((offset, args) => collect(offset, list(offset), append(offset, args.at(-1)!), filterOf(args))),
    ],
    [
      `transformMap/${count}`,
      twoVariables((offset, args, key) =>
        collect(
          offset,
          emptyMap(offset),
          call(offset, "cel.@mapInsert", accu(offset), key, args.at(-1)!),
          filterOf(args),
        ),
      ),
    ],
    [
      `transformMapEntry/${count}`,
      twoVariables((offset, args) =>
        collect(offset, emptyMap(offset), call(offset, "cel.@mapInsert", accu(offset), args.at(-1)!), filterOf(args)),
      ),
    ],
  ]),
  ["optMap/2", optionalMacro("optMap", (offset, bound) => call(offset, "optional.of", bound))],
  ["optFlatMap/2", optionalMacro("optFlatMap", (_, bound) => bound)],
  ["sortBy/2", sortBy],
]);

function filterOf(args: readonly Expr[]): Expr | undefined {
  return args.length === 2 ? args[0] : undefined;
}

function oneVariable(
  fold: (offset: number, args: readonly Expr[], name: Expr) => Fold,
  complaint = "argument must be a simple name",
): Expand {
  return (offset, target, args) => {
    const name = args[0]!;
    const problem = nameProblem(name, complaint);
    if (problem !== undefined) return { problem, offset: name.offset };
    const folded = fold(offset, args.slice(1), { kind: "ident", offset, name: nameOf(name) });
    return {
      kind: "comprehension",
      offset,
      range: target,
      iterVar: nameOf(name),
      iterVar2: undefined,
      accuVar: accumulator,
      ...folded,
    };
  };
}

function twoVariables(fold: (offset: number, args: readonly Expr[], key: Expr) => Fold): Expand {
  return (offset, target, args) => {
    for (const name of args.slice(0, 2)) {
      const problem = nameProblem(name);
      if (problem !== undefined) return { problem, offset: name.offset };
    }
    const [first, second] = [nameOf(args[0]!), nameOf(args[1]!)];
    if (first === second) return { problem: `duplicate variable name: ${first}`, offset: args[1]!.offset };
    const folded = fold(offset, args.slice(2), { kind: "ident", offset, name: first });
    return {
      kind: "comprehension",
      offset,
      range: target,
      iterVar: first,
      iterVar2: second,
      accuVar: accumulator,
      ...folded,
    };
  };
}

function nameOf(expr: Expr): string {
  return expr.kind === "ident" ? expr.name : "";
}

function nameProblem(expr: Expr, complaint = "argument must be a simple name"): string | undefined {
  if (expr.kind !== "ident") return complaint;
  return expr.name === "__result__" ? "iteration variable overwrites accumulator variable" : undefined;
}

/** Names `value` inside `body`, as a fold over nothing. */
function bind(offset: number, name: string, value: Expr, body: Expr): Expr {
  return {
    kind: "comprehension",
    offset,
    range: list(offset),
    iterVar: "#unused",
    iterVar2: undefined,
    accuVar: name,
    init: value,
    condition: literal(offset, false),
    step: { kind: "ident", offset, name },
    result: body,
  };
}

function optionalMacro(macro: string, wrap: (offset: number, bound: Expr) => Expr): Expand {
  return (offset, target, args) => {
    const name = args[0]!;
    if (name.kind !== "ident")
      return { problem: `${macro}() variable name must be a simple identifier`, offset: name.offset };
    const bound = bind(offset, name.name, method(offset, "value", target), args[1]!);
    return call(
      offset,
      "_?_:_",
      method(offset, "hasValue", target),
      wrap(offset, bound),
      call(offset, "optional.none"),
    );
  };
}

/** Sorts by a key computed for each item: the list is named once, mapped to its keys, and sorted by those. */
function sortBy(offset: number, target: Expr, args: readonly Expr[]): Expansion {
  const name = args[0]!;
  if (
    target.kind !== "ident" &&
    target.kind !== "select" &&
    target.kind !== "list" &&
    target.kind !== "comprehension" &&
    target.kind !== "call"
  ) {
    return {
      problem: "sortBy can only be applied to a list, identifier, comprehension, call or select expression",
      offset: target.offset,
    };
  }
  if (name.kind !== "ident") return { problem: "argument must be a simple name", offset: name.offset };
  const bound = "@__sortBy_input__";
  const input = (): Expr => ({ kind: "ident", offset, name: bound });
  const keys = expandMacro("map", offset, input(), args);
  if (keys === undefined || "problem" in keys) return keys;
  return bind(offset, bound, target, method(offset, "@sortByAssociatedKeys", input(), keys));
}
