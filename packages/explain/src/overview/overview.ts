import { keyOf } from "@gatewright/kube";
import type { ApiObject, Immutable, Resource } from "@gatewright/kube";
import { STATES } from "../answer.ts";
import type { State, Subject } from "../answer.ts";
import type { Reader, Unreadable } from "../reader.ts";
import { subjectOfObject } from "../subject.ts";
import { OVERVIEW_GROUPS } from "./overview-groups.ts";
import type { OverviewGroupId } from "./overview-groups.ts";
import { summaryOf } from "./summary.ts";

/** How one object is, in a line. */
export interface OverviewRow {
  readonly subject: Subject;
  readonly state: State;
  readonly reason: string;
  readonly message: string;
  /** RFC 3339: since when it is so. */
  readonly since?: string;
  /** RFC 3339: when the object was made. */
  readonly created?: string;
  /** What of it people look for: its URL, hostname, `2/2`, the ARN; empty where there is nothing. */
  readonly detail: string;
}

export interface OverviewGroup {
  readonly id: OverviewGroupId;
  readonly title: string;
  /** Worst first, then by namespace and name. */
  readonly rows: readonly OverviewRow[];
  readonly counts: Readonly<Record<State, number>>;
  /** Kinds of it that could not be read. Those that the API server does not know are not among them: there are none. */
  readonly unread: readonly Unreadable[];
}

/** Everything on one screen. Plain values: it can be sent as JSON. */
export interface Overview {
  readonly groups: readonly OverviewGroup[];
  readonly counts: Readonly<Record<State, number>>;
}

export interface OverviewOptions {
  readonly now: number;
  /** Default: all. */
  readonly namespace?: string;
  readonly signal?: AbortSignal;
}

/** How everything is that the operator looks after. One list a kind; what statuses say is believed. */
export async function overview(reader: Reader, options: OverviewOptions): Promise<Overview> {
  const groups = await Promise.all(OVERVIEW_GROUPS.map((group) => readGroup(reader, group, options)));
  return { groups, counts: sum(groups.map(({ counts }) => counts)) };
}

async function readGroup(
  reader: Reader,
  { id, title, kinds }: (typeof OVERVIEW_GROUPS)[number],
  { now, namespace, signal }: OverviewOptions,
): Promise<OverviewGroup> {
  const selection = namespace === undefined ? {} : { namespace };
  const lists = await Promise.all(kinds.map((kind: Resource) => reader.list(kind, selection, signal)));
  const rows = lists
    .flatMap((list) => (list.state === "known" ? list.items : []))
    .map((object) => rowOf(object, now))
    .toSorted(byTrouble);
  const unread = lists.flatMap((list) =>
    list.state === "unknown" && list.problem.reason !== "NotServed" ? [list.problem] : [],
  );
  return { id, title, rows, counts: count(rows), unread };
}

/** How one object is, in a line. Pure. */
export function rowOf(object: Immutable<ApiObject>, now: number): OverviewRow {
  const { creationTimestamp: created } = object.metadata;
  return {
    subject: subjectOfObject(object),
    ...summaryOf(object, now),
    ...(typeof created === "string" && { created }),
  };
}

function byTrouble(a: OverviewRow, b: OverviewRow): number {
  const rank = STATES.indexOf(a.state) - STATES.indexOf(b.state);
  if (rank !== 0) return rank;
  const [one, other] = [keyOf(a.subject), keyOf(b.subject)];
  return one < other ? -1 : one > other ? 1 : 0;
}

function count(rows: readonly OverviewRow[]): Record<State, number> {
  const counts = none();
  for (const { state } of rows) counts[state]++;
  return counts;
}

function sum(all: readonly Readonly<Record<State, number>>[]): Record<State, number> {
  const counts = none();
  for (const each of all) for (const state of STATES) counts[state] += each[state];
  return counts;
}

function none(): Record<State, number> {
  return { broken: 0, unknown: 0, waiting: 0, warning: 0, ok: 0 };
}
