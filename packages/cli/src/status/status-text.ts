import { STATES } from "@gatewright/explain";
import type { Overview, OverviewGroup, OverviewRow, State } from "@gatewright/explain";
import { ageOf } from "../screen/age.ts";
import { clean, columns } from "../screen/columns.ts";
import type { Paint } from "../screen/paint.ts";
import { LOOKS, signOf } from "../screen/state-sign.ts";

export interface StatusTextOptions {
  readonly paint: Paint;
  readonly now: number;
  /** All rows and their messages. Default: of what is live the first few, and messages of what is not. */
  readonly wide: boolean;
}

/** Of what is live no more than this is shown in a group. */
const LIVE_SHOWN = 8;

/** Everything on one screen: what is wrong first, in each group and in the line at the top. */
export function statusText(all: Overview, options: StatusTextOptions): string {
  const { paint } = options;
  const groups = all.groups.filter(({ rows, unread }) => rows.length + unread.length > 0);
  if (groups.length === 0) return "There is nothing yet: kubectl apply -f examples/application.yaml\n";
  const worst = worstOf(all);
  const next =
    worst === undefined ? [] : ["", `${paint("bold", "Next")}  ${paint("dim", "$")} ${clean(whyCommand(worst))}`];
  const head = `${signOf(STATES.find((state) => all.counts[state] > 0) ?? "ok", paint)} ${paint("bold", countText(all.counts))}`;
  return `${[head, ...next, ...groups.flatMap((group) => ["", ...groupLines(group, options)])].join("\n")}\n`;
}

function worstOf({ groups }: Overview): OverviewRow | undefined {
  const rows = groups.flatMap((group) => group.rows);
  return STATES.filter((state) => state !== "ok").flatMap((state) => rows.filter((row) => row.state === state))[0];
}

function whyCommand({ subject: { kind, namespace, name, apiVersion } }: OverviewRow): string {
  const group = kind === "GRPCRoute" || kind === "Gateway" ? `.${apiVersion.split("/", 1)[0]}` : "";
  return `gatewright why ${namespace === undefined ? "" : `-n ${namespace} `}${kind.toLowerCase()}${group}/${name}`;
}

function groupLines({ title, rows, counts, unread }: OverviewGroup, options: StatusTextOptions): readonly string[] {
  const { paint, wide } = options;
  const live = rows.filter(({ state }) => state === "ok");
  const hidden = wide ? 0 : Math.max(0, live.length - LIVE_SHOWN);
  const shown = rows.slice(0, rows.length - hidden);
  const kinds = new Set(rows.map(({ subject }) => subject.kind));
  return [
    `${paint("bold", title)}  ${paint("dim", rows.length === 0 ? "" : countText(counts))}`.trimEnd(),
    ...columns(
      shown.map((row) => rowCells(row, kinds.size > 1, options)),
      "  ",
    ),
    ...(hidden > 0 ? [paint("dim", `  and ${hidden} more that are live (-o wide shows all)`)] : []),
    ...unread.map(({ attempt, message }) => `  ${signOf("unknown", paint)} could not ${attempt}: ${clean(message)}`),
  ];
}

function rowCells(row: OverviewRow, withKind: boolean, { paint, now, wide }: StatusTextOptions): readonly string[] {
  const { subject, state, reason, message, detail, since, created } = row;
  const own = subject.namespace === undefined ? subject.name : `${subject.namespace}/${subject.name}`;
  // Objects of connected gateways have names that nobody knows them by.
  const name = subject.kind === "ConnectedGateway" ? detail : own;
  return [
    `${signOf(state, paint)} ${clean(withKind ? `${subject.kind} ${name}` : name)}`,
    clean(reason),
    ageOf(since ?? created, now),
    name === detail ? "" : clean(detail),
    message !== "" && (wide || state !== "ok") ? paint("dim", clean(message)) : "",
  ];
}

/** `1 broken, 2 waiting, 5 live`. */
function countText(counts: Readonly<Record<State, number>>): string {
  const parts = STATES.filter((state) => counts[state] > 0).map((state) => `${counts[state]} ${LOOKS[state].word}`);
  return parts.length === 0 ? "nothing" : parts.join(", ");
}
