import { recordKey, sameRecord } from "@gatewright/aws";
import type { RecordChange, RecordSet } from "@gatewright/aws";
import type { ChangeAnswer } from "./answers.ts";

/** How far a record is on its way into a zone, or out of it. */
export type Publication =
  | { readonly state: "done" }
  /** Asked for; whoever asked is told. */
  | { readonly state: "waiting" }
  /** The zone has it; not all of its name servers do. */
  | { readonly state: "pending" }
  | { readonly state: "ask"; readonly change: RecordChange }
  /** Something is there that is not ours. */
  | { readonly state: "conflict"; readonly found: RecordSet }
  /** AWS does not take it. */
  | { readonly state: "refused"; readonly message: string }
  /** Trouble that passes. */
  | { readonly state: "failed"; readonly message: string; readonly zoneGone: boolean };

export interface PublicationInput {
  readonly wanted: RecordSet;
  /** Records that were made for the claim: the one that is there, if any, is among them. */
  readonly ours: readonly RecordSet[];
  /** What a reading of the zone found there, when that was not what is wanted. */
  readonly read?: RecordSet | undefined;
  /** Whether what is not ours may be replaced. */
  readonly adopt: boolean;
  readonly answer: ChangeAnswer | undefined;
  /** Whether what is there does as well as what is wanted. Default: it is the same. */
  readonly suffices?: (found: RecordSet, wanted: RecordSet) => boolean;
}

/** Two readers of the same zone can take turns in front of each other; this often in a run it is tried again. */
const MOST_TRIES = 4;

/** What a record needs next so that the zone has it. Pure. Every change says what it replaces, so nothing else is ever overwritten. */
export function publication(input: PublicationInput): Publication {
  const { wanted, ours, read, adopt, answer, suffices = sameRecord } = input;
  if (answer === undefined) {
    const older = ours.filter((record) => !sameRecord(record, wanted) && sharesPlace(record, wanted)).at(-1);
    return { state: "ask", change: replacing(read ?? older, wanted) };
  }
  const { progress, tries, change } = answer;
  if (progress.state !== "refused") return settled(progress);
  const found = (progress.found ?? []).filter((record) => sharesPlace(record, wanted));
  if (found.some((record) => suffices(record, wanted))) return { state: "done" };
  const [there] = found;
  if (there !== undefined && !adopt && !ours.some((record) => sameRecord(record, there))) {
    return { state: "conflict", found: there };
  }
  const next = replacing(there, wanted);
  if (tries >= MOST_TRIES || (there === undefined && change.action === "create")) {
    return { state: "refused", message: progress.message };
  }
  return { state: "ask", change: next };
}

/** What a record needs next so that the zone has it no more. Pure. What somebody else has put there instead stays. */
export function withdrawal(record: RecordSet, answer: ChangeAnswer | undefined): Publication {
  if (answer === undefined) return { state: "ask", change: { action: "delete", record } };
  const { progress } = answer;
  if (progress.state !== "refused") return settled(progress);
  const there = (progress.found ?? []).some((found) => sameRecord(found, record));
  return there || progress.found === undefined ? { state: "refused", message: progress.message } : { state: "done" };
}

function settled(progress: Exclude<ChangeAnswer["progress"], { state: "refused" }>): Publication {
  switch (progress.state) {
    case "inSync":
      return { state: "done" };
    case "failed":
      return { state: "failed", message: progress.error.message, zoneGone: progress.error.kind === "absent" };
    case "pending":
      return { state: "pending" };
    case "waiting":
      return { state: "waiting" };
  }
}

function replacing(from: RecordSet | undefined, to: RecordSet): RecordChange {
  return from === undefined ? { action: "create", record: to } : { action: "replace", from, to };
}

/** Whether only one of the two can be in a zone: same name and type, and not told apart by set identifiers. */
export function sharesPlace(a: RecordSet, b: RecordSet): boolean {
  if (recordKey(a) === recordKey(b)) return true;
  const simple = a.setIdentifier === undefined || b.setIdentifier === undefined;
  return simple && recordKey({ ...a, setIdentifier: "" }) === recordKey({ ...b, setIdentifier: "" });
}
