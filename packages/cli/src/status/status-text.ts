import { STATES } from "@gatewright/explain";
import type { Overview, OverviewGroup, OverviewRow, State } from "@gatewright/explain";
import { ageOf } from "../screen/age.ts";
import { clean, columns } from "../screen/columns.ts";
import type { Paint } from "../screen/paint.ts";
import { LOOKS, signOf } from "../screen/state-sign.ts";

export interface StatusTextOptions {
  readonly paint: Paint;
  readonly now: number;
  /** All rows and their messages. Default: the worst rows of each group, and messages of what is not live. */
  readonly wide: boolean;
}

/** No more than so many of a group are shown: of what is live, and of what is not. */
const LIVE_SHOWN = 8;
const OTHERS_SHOWN = 25;

/** Everything on one screen: what is wrong first, in each group and in the line at the top. */
export function statusText(all: Overview, options: StatusTextOptions): string {
  const { paint } = options;
  const groups = all.groups.filter(({ rows, unread }) => rows.length + unread.length > 0);
  const deaf = noAnswer(all);
  if (deaf !== undefined) return `${signOf("unknown", paint)} The API server does not answer: ${clean(deaf)}\n`;
  if (groups.length === 0) return "There is nothing yet: kubectl apply -f examples/application.yaml\n";
  const worst = worstOf(all);
  const next =
    worst === undefined ? [] : ["", `${paint("bold", "Next")}  ${paint("dim", "$")} ${clean(whyCommand(worst))}`];
  const unread = all.groups.flatMap((group) => group.unread).length;
  const state = STATES.find((each) => all.counts[each] > 0 || (each === "unknown" && unread > 0)) ?? "ok";
  const count = [
    countText(all.counts),
    ...(unread > 0 ? [`${unread} ${unread === 1 ? "kind" : "kinds"} could not be read`] : []),
  ].join(", ");
  const head = `${signOf(state, paint)} ${paint("bold", count)}`;
  return `${[head, ...next, ...groups.flatMap((group) => ["", ...groupLines(group, options)])].join("\n")}\n`;
}

/** Why nothing at all could be read, where that is for one and the same cause. */
function noAnswer({ groups }: Overview): string | undefined {
  const unread = groups.flatMap((group) => group.unread);
  const [first] = unread;
  const alike = unread.every(({ reason, message }) => reason === "NoAnswer" && message === first?.message);
  return alike && groups.every(({ rows }) => rows.length === 0) ? first?.message : undefined;
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
  const others = rows.filter(({ state }) => state !== "ok");
  const shown = wide ? rows : [...others.slice(0, OTHERS_SHOWN), ...live.slice(0, LIVE_SHOWN)];
  const more = (count: number, which: string): readonly string[] =>
    wide || count <= 0 ? [] : [paint("dim", `  and ${count} more that are ${which} (-o wide shows all)`)];
  const kinds = new Set(rows.map(({ subject }) => subject.kind));
  return [
    `${paint("bold", title)}  ${paint("dim", rows.length === 0 ? "" : countText(counts))}`.trimEnd(),
    ...columns(
      shown.map((row) => rowCells(row, kinds.size > 1, options)),
      "  ",
    ),
    ...more(others.length - OTHERS_SHOWN, "not live"),
    ...more(live.length - LIVE_SHOWN, "live"),
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
