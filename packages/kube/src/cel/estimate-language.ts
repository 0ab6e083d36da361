import { perCharacter, perPatternCharacter } from "./call-cost.ts";
import type { CallEstimate, EstimatedNode } from "./estimate-call.ts";
import { fixed, product, scaled, sum, union, unknownSize } from "./size-estimate.ts";
import type { CostEstimate, SizeEstimate } from "./size-estimate.ts";

const sizeOf = (node: EstimatedNode | undefined): SizeEstimate => node?.size ?? unknownSize;
const once = (size: SizeEstimate): CostEstimate => scaled(size, perCharacter);

/**
 * The estimate of an operator or standard function whose cost depends on its arguments; undefined when it costs one.
 * `includesArguments` is set where not all arguments are evaluated.
 */
export function estimateLanguageCall(
  overload: string,
  target: EstimatedNode | undefined,
  args: readonly EstimatedNode[],
  argCosts: readonly CostEstimate[],
): (CallEstimate & { readonly includesArguments?: boolean }) | undefined {
  const [first, second, third] = args;
  switch (overload) {
    case "string_format":
      return { cost: once(sizeOf(target)) };
    case "string_to_bytes":
      return { cost: once(sizeOf(first)), size: { min: sizeOf(first).min, max: sizeOf(first).max * 4 } };
    case "bytes_to_string":
      return { cost: once(sizeOf(first)), size: { min: Math.floor(sizeOf(first).min / 4), max: sizeOf(first).max } };
    case "strings_quote":
      return { cost: once(sizeOf(first)), size: { min: sizeOf(first).min + 2, max: sizeOf(first).max * 2 + 2 } };
    case "starts_with_string":
    case "ends_with_string":
      return { cost: once(sizeOf(first)) };
    case "in_list":
      return { cost: sizeOf(second) };
    case "matches_string":
      return { cost: product(once(sum(sizeOf(target), fixed(1))), scaled(sizeOf(first), perPatternCharacter)) };
    case "contains_string":
      return { cost: product(once(sizeOf(target)), once(sizeOf(first))) };
    case "logical_or":
    case "logical_and":
      return { cost: { min: argCosts[0]!.min, max: sum(argCosts[0]!, argCosts[1]!).max }, includesArguments: true };
    case "conditional":
      return {
        cost: sum(argCosts[0]!, union(argCosts[1]!, argCosts[2]!)),
        size: union(sizeOf(second), sizeOf(third)),
        includesArguments: true,
      };
    case "add_list":
      return { cost: fixed(1), size: sum(sizeOf(first), sizeOf(second)) };
    case "add_string":
    case "add_bytes":
      return { cost: once(sum(sizeOf(first), sizeOf(second))), size: sum(sizeOf(first), sizeOf(second)) };
    case "equals":
    case "not_equals":
      return { cost: comparison(first, second) };
    default:
      return /^(?:less|greater)(?:_equals)?_(?:string|bytes)$/.test(overload)
        ? { cost: comparison(first, second) }
        : undefined;
  }
}

/** Two values are compared up to the end of the shorter one. */
function comparison(a: EstimatedNode | undefined, b: EstimatedNode | undefined): CostEstimate {
  const max = Math.min(sizeOf(a).max, sizeOf(b).max);
  return once({ min: max > 0 ? 1 : 0, max });
}
