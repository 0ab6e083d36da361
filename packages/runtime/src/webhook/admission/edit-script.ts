import { deepEqual } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";

/** One step on the way from one list to another, from the front to the back. */
export type Edit =
  | { readonly type: "keep" }
  | { readonly type: "remove" }
  | { readonly type: "add"; readonly value: Json }
  | { readonly type: "change"; readonly from: Json; readonly to: Json };

/** Above this many pairs of elements, lists are compared place by place: the best script is not worth the time. */
const MAX_PAIRS = 40_000;

/** Few steps that turn one list into another. What stands between two equal elements on both sides is changed in place. */
export function editScript(before: readonly Json[], after: readonly Json[]): readonly Edit[] {
  let start = 0;
  const shorter = Math.min(before.length, after.length);
  while (start < shorter && deepEqual(before[start], after[start])) start++;
  let end = 0;
  while (end < shorter - start && deepEqual(before.at(-1 - end), after.at(-1 - end))) end++;
  const [left, right] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const kept = left.length * right.length > MAX_PAIRS ? [] : commonElements(left, right);
  return [...keep(start), ...between(left, right, kept), ...keep(end)];
}

function keep(count: number): readonly Edit[] {
  return Array.from({ length: count }, () => ({ type: "keep" }) as const);
}

type Pair = readonly [left: number, right: number];

function between(left: readonly Json[], right: readonly Json[], kept: readonly Pair[]): readonly Edit[] {
  const out: Edit[] = [];
  let [i, j] = [0, 0];
  for (const [nextLeft, nextRight] of [...kept, [left.length, right.length] as const]) {
    while (i < nextLeft && j < nextRight) out.push({ type: "change", from: left[i++]!, to: right[j++]! });
    for (; i < nextLeft; i++) out.push({ type: "remove" });
    while (j < nextRight) out.push({ type: "add", value: right[j++]! });
    if (nextLeft < left.length) out.push({ type: "keep" });
    [i, j] = [nextLeft + 1, nextRight + 1];
  }
  return out;
}

/** The longest sequence of elements that both lists have in the same order. */
function commonElements(left: readonly Json[], right: readonly Json[]): readonly Pair[] {
  const width = right.length + 1;
  const lengths = new Uint16Array((left.length + 1) * width);
  const equal = left.map((a) => right.map((b) => deepEqual(a, b)));
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      lengths[i * width + j] = equal[i]![j]!
        ? lengths[(i + 1) * width + j + 1]! + 1
        : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
    }
  }
  const pairs: Pair[] = [];
  for (let [i, j] = [0, 0]; i < left.length && j < right.length;) {
    if (equal[i]![j]!) pairs.push([i++, j++]);
    else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i++;
    else j++;
  }
  return pairs;
}
