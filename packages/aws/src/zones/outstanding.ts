import { recordKey, sameRecord } from "./canonical.ts";
import type { RecordChange, RecordSet } from "./record-set.ts";

/** What is left of changes when a zone has what it has: nothing, some of them, or one that cannot be for what is there. */
export type Outstanding = { readonly left: readonly RecordChange[] } | { readonly conflict: readonly RecordSet[] };

/**
 * Compares changes with what is there. A create that finds the same is done, a delete that finds nothing too: an answer may have been
 * lost. A swap whose `to` is there is done. What finds something else is a conflict: nothing that others made is ever overwritten.
 */
export function outstanding(changes: readonly RecordChange[], found: readonly RecordSet[]): Outstanding {
  const at = (record: RecordSet): RecordSet | undefined => {
    const key = recordKey(record);
    return found.find((each) => recordKey(each) === key);
  };
  const left: RecordChange[] = [];
  for (const change of changes) {
    const rest = restOf(change, at);
    if (rest === "conflict") return { conflict: found.filter((each) => concerns(change, each)) };
    if (rest !== "done") left.push(rest);
  }
  return { left };
}

function restOf(
  change: RecordChange,
  at: (record: RecordSet) => RecordSet | undefined,
): RecordChange | "done" | "conflict" {
  switch (change.action) {
    case "create": {
      const there = at(change.record);
      return there === undefined ? change : sameRecord(there, change.record) ? "done" : "conflict";
    }
    case "delete": {
      const there = at(change.record);
      return there === undefined ? "done" : sameRecord(there, change.record) ? change : "conflict";
    }
    case "replace":
      return restOfSwap(change, at);
  }
}

function restOfSwap(
  change: Extract<RecordChange, { action: "replace" }>,
  at: (record: RecordSet) => RecordSet | undefined,
): RecordChange | "done" | "conflict" {
  const { from, to } = change;
  const old = at(from);
  const made = at(to);
  const isMade = made !== undefined && sameRecord(made, to);
  if (recordKey(from) === recordKey(to)) {
    if (isMade) return "done";
    return old === undefined ? { action: "create", record: to } : sameRecord(old, from) ? change : "conflict";
  }
  if ((made !== undefined && !isMade) || (old !== undefined && !sameRecord(old, from))) return "conflict";
  if (isMade) return old === undefined ? "done" : { action: "delete", record: from };
  return old === undefined ? { action: "create", record: to } : change;
}

/** Whether a set is at the name and type of a change. */
function concerns(change: RecordChange, { name, type }: RecordSet): boolean {
  return recordsOf(change).some((record) => record.name === name && record.type === type);
}

/** The sets that a change names. */
export function recordsOf(change: RecordChange): readonly RecordSet[] {
  return change.action === "replace" ? [change.from, change.to] : [change.record];
}
