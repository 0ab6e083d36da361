import type { Expr } from "./ast.ts";
import { listCreation, perCharacter, perPatternCharacter, structCreation } from "./call-cost.ts";
import { fixed, product, scaled, sum, unknownSize, unlimited } from "./size-estimate.ts";
import type { CostEstimate, SizeEstimate } from "./size-estimate.ts";
import type { CelType } from "./types.ts";

/** An argument of a call, as far as its size matters. */
export interface EstimatedNode {
  readonly expr: Expr;
  readonly type: CelType;
  readonly size: SizeEstimate | undefined;
  /** The size of the items, when this is a list of which the schema bounds the items. */
  readonly itemSize: SizeEstimate | undefined;
}

/** The cost of a call without that of its arguments, and the size of its result where it is known. */
export interface CallEstimate {
  readonly cost: CostEstimate;
  readonly size?: SizeEstimate;
}

type Estimator = (target: EstimatedNode | undefined, args: readonly EstimatedNode[]) => CallEstimate | undefined;

/** The estimate of a library call, or undefined for the functions of the language, which see more than their arguments. */
export function estimateLibraryCall(
  fn: string,
  overload: string,
  target: EstimatedNode | undefined,
  args: readonly EstimatedNode[],
): CallEstimate | undefined {
  return byOverload.get(overload)?.(target, args) ?? byFunction.get(fn)?.(target, args);
}

const sizeOf = (node: EstimatedNode | undefined): SizeEstimate => node?.size ?? unknownSize;
const once = (size: SizeEstimate): CostEstimate => scaled(size, perCharacter);
const one = fixed(1);

const nominal: Estimator = () => ({ cost: one });

const readsFirst: Estimator = (_, [text]) => (text === undefined ? undefined : { cost: once(sizeOf(text)) });

const url: Estimator = (_, [text]) =>
  text === undefined ? undefined : { cost: once(sizeOf(text)), size: sizeOf(text) };

const readsTarget: Estimator = (target) =>
  target === undefined ? undefined : { cost: once(sizeOf(target)), size: sizeOf(target) };

const selector: Estimator = (_, [text]) => {
  const requirements = scaled(scaled(sizeOf(text), 0.5), listCreation + structCreation);
  return { cost: sum(sum(fixed(listCreation), once(sizeOf(text))), requirements) };
};

/** Functions that look at every item once; items that are text are read. */
const eachItem: Estimator = (target) => {
  if (target === undefined) return undefined;
  if (target.type.kind !== "list") return { cost: once(sizeOf(target)) };
  const element = target.type.element.kind;
  const perItem = element === "string" || element === "bytes" ? sum(one, once(target.itemSize ?? unknownSize)) : one;
  return { cost: product(sizeOf(target), perItem) };
};

const replace: Estimator = (target, [old, next]) => {
  if (target === undefined || old === undefined || next === undefined) return undefined;
  const text = sizeOf(target);
  const [from, to] = [sizeOf(old), sizeOf(next)];
  const most =
    from.min === 0
      ? { count: text.max + 1, kept: text.max }
      : to.max <= from.min
        ? { count: 0, kept: text.max }
        : { count: Math.ceil(text.max / from.min), kept: 0 };
  const least =
    from.max === 0
      ? { count: text.min + 1, kept: text.min }
      : from.max <= to.min
        ? { count: 0, kept: text.min }
        : { count: Math.ceil(text.min / from.max), kept: 0 };
  const size = sum(product({ min: least.count, max: most.count }, to), { min: least.kept, max: most.kept });
  return { cost: scaled(text, 2 * perCharacter), size };
};

const split: Estimator = (target, args) => {
  if (target === undefined) return undefined;
  const limit = args[1]?.expr;
  const max =
    limit?.kind === "literal" && typeof limit.value === "bigint" && limit.value >= 0n
      ? Number(limit.value)
      : sizeOf(target).max;
  return { cost: scaled(sizeOf(target), 2 * perCharacter), size: { min: 0, max } };
};

const join: Estimator = (target, [separator]) => {
  if (target === undefined) return undefined;
  const count = sizeOf(target);
  const items = product(count, target.itemSize ?? unknownSize);
  const gaps = { min: Math.max(0, count.min - 1), max: Math.max(0, count.max - 1) };
  const size = separator === undefined ? items : sum(items, product(sizeOf(separator), gaps));
  return { cost: once(size), size };
};

const regex: Estimator = (target, [pattern]) => {
  if (target === undefined || pattern === undefined) return undefined;
  const text = once(sum(sizeOf(target), one));
  return {
    cost: product(text, scaled(sizeOf(pattern), perPatternCharacter)),
    size: { min: 0, max: sizeOf(target).max },
  };
};

const addressSize: SizeEstimate = { min: 4, max: 16 };
const compareAddresses = once(sum(addressSize, addressSize));
const containsIP: Estimator = () => ({ cost: compareAddresses });
const containsText: Estimator = (_, [text]) => ({ cost: sum(compareAddresses, once(sizeOf(text))) });
const containsCIDR: Estimator = () => ({ cost: sum(sum(compareAddresses, once(addressSize)), one) });
const containsCIDRText: Estimator = (_, [text]) => ({
  cost: sum(sum(sum(compareAddresses, once(addressSize)), one), once(sizeOf(text))),
});

const longestFormatPattern = 128;
const validate: Estimator = (_, [text]) => ({
  cost: scaled(once(sizeOf(text)), longestFormatPattern * perPatternCharacter),
});

const sets =
  (factor: number): Estimator =>
  (_, [a, b]) => ({ cost: sum(scaled(product(sizeOf(a), sizeOf(b)), factor), one) });

/** A call that makes a list of this size and works `factor` on each item. */
function newList(factor: number, size: SizeEstimate): CallEstimate {
  return { cost: sum(sum(scaled(size, factor), one), fixed(listCreation)), size };
}

function literalInt(node: EstimatedNode | undefined, otherwise: number): number {
  const expr = node?.expr;
  return expr?.kind === "literal" && typeof expr.value === "bigint" ? Math.max(0, Number(expr.value)) : otherwise;
}

const sorting = (keys: EstimatedNode | undefined): CallEstimate => {
  const element = keys?.type.kind === "list" ? keys.type.element.kind : "dyn";
  const factor = element === "string" || element === "bytes" ? 2 + perCharacter : 2;
  return newList(factor, product(sizeOf(keys), sizeOf(keys)));
};

const equalsOpaque: Estimator = (_, [a, b]) => {
  if (a?.type.kind !== "opaque" || b?.type.kind !== "opaque" || a.type.name !== b.type.name) return undefined;
  switch (a.type.name) {
    case "kubernetes.NamedFormat":
      return { cost: scaled({ min: 1, max: 64 }, perCharacter) };
    case "kubernetes.URL":
      return { cost: scaled({ min: 1, max: b.size?.max ?? 1 }, perCharacter) };
    default:
      return a.type.name.startsWith("kubernetes.") || a.type.name.startsWith("net.") ? { cost: one } : undefined;
  }
};

const byOverload: ReadonlyMap<string, Estimator> = new Map<string, Estimator>([
  ["cidr_ip", nominal],
  ["cidr_contains_ip_string", containsText],
  ["cidr_contains_ip_ip", containsIP],
  ["cidr_contains_cidr_string", containsCIDRText],
  ["cidr_contains_cidr", containsCIDR],
  ["list_sets_contains_list", sets(1)],
  ["list_sets_intersects_list", sets(1)],
  ["list_sets_equivalent_list", sets(2)],
  ["lists_range", (_, [count]) => newList(1, fixed(literalInt(count, unlimited)))],
  [
    "list_slice",
    (target, [start, end]) =>
      newList(1, fixed(Math.max(0, literalInt(end, sizeOf(target).max) - literalInt(start, 0)))),
  ],
  ["list_reverse", (target) => newList(1, sizeOf(target))],
  ["list_flatten", (target) => newList(1, sizeOf(target))],
  ["list_flatten_int", (target, [depth]) => newList(literalInt(depth, unlimited), sizeOf(target))],
  ["list_distinct", (target) => newList(2, product(sizeOf(target), sizeOf(target)))],
]);

const byFunction: ReadonlyMap<string, Estimator> = new Map<string, Estimator>([
  ["check", () => ({ cost: fixed(350_000) })],
  ["fieldSelector", selector],
  ["labelSelector", selector],
  ...each(["isSorted", "sum", "max", "min", "indexOf", "lastIndexOf"], eachItem),
  ["url", url],
  ...each(["lowerAscii", "upperAscii", "substring", "trim"], readsTarget),
  ["replace", replace],
  ["split", split],
  ["join", join],
  ...each(["find", "findAll"], regex),
  ...each(["cidr", "isIP", "isCIDR", "ip", "quantity", "isQuantity", "semver", "isSemver"], readsFirst),
  ["ip.isCanonical", (_, [text]) => ({ cost: scaled(sizeOf(text), 2 * perCharacter) })],
  ["validate", validate],
  ["sort", (target) => sorting(target)],
  ["@sortByAssociatedKeys", (_, [keys]) => sorting(keys)],
  ["_==_", equalsOpaque],
]);

function each(names: readonly string[], estimator: Estimator): [string, Estimator][] {
  return names.map((name) => [name, estimator]);
}
