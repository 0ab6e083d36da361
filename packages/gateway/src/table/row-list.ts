import type { CompiledRow } from "./compiled-row.ts";
import type { MatchRow } from "./match-row.ts";
import { compareRows } from "./row-order.ts";

export const NO_ROWS: readonly CompiledRow[] = [];

/** A list in order with one more row, after its equals. */
export function inserted(
  list: readonly CompiledRow[],
  row: CompiledRow,
  compare: (a: MatchRow, b: MatchRow) => number = compareRows,
): readonly CompiledRow[] {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(list[middle]!.row, row.row) <= 0) low = middle + 1;
    else high = middle;
  }
  return list.toSpliced(low, 0, row);
}

/** A list without a row. */
export function without(list: readonly CompiledRow[], row: MatchRow): readonly CompiledRow[] {
  const rest = list.filter((one) => one.row !== row);
  return rest.length === 0 ? NO_ROWS : rest;
}
