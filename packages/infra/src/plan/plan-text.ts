import { plainPaint } from "./paint.ts";
import type { Paint } from "./paint.ts";
import type { Forecast, ForecastAction } from "./forecast.ts";

interface Look {
  readonly sign: string;
  readonly style: Parameters<Paint>[0];
  readonly words: string;
}

const LOOKS: Readonly<Record<ForecastAction, Look>> = {
  Nothing: { sign: " ", style: "dim", words: "is as it should be" },
  Leave: { sign: " ", style: "dim", words: "is left as it is" },
  Create: { sign: "+", style: "green", words: "will be created" },
  Adopt: { sign: "~", style: "yellow", words: "will be taken over" },
  Change: { sign: "~", style: "yellow", words: "will be changed in place" },
  Replace: { sign: "±", style: "red", words: "must be replaced: deleted and made anew" },
  Recreate: { sign: "+", style: "red", words: "will be made anew" },
  Delete: { sign: "-", style: "red", words: "will be deleted" },
  Release: { sign: "-", style: "yellow", words: "will be let go" },
  Blocked: { sign: "!", style: "red", words: "cannot be planned" },
};

/** Anything that AWS or a user wrote, without what a terminal would act on. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
const clean = (text: string): string =>
  text.replaceAll(CONTROLS, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** A plan for a terminal: object by object, field by field, and a summary. */
export function planText(forecasts: readonly Forecast[], paint: Paint = plainPaint): string {
  return [...forecasts.map((each) => objectText(each, paint)), summaryOf(forecasts, paint)].join("\n");
}

function objectText(forecast: Forecast, paint: Paint): string {
  const { kind, namespace, name, action, id, changes, notes, approval } = forecast;
  const { sign, style, words } = LOOKS[action];
  const what = `${kind} ${namespace}/${name}`;
  const known = id === undefined || id === name ? "" : paint("dim", ` (${clean(id)})`);
  const lines = [`${paint(style, sign)} ${paint("bold", clean(what))}${known} ${paint(style, words)}`];
  const width = Math.max(0, ...changes.map(({ field }) => field.length));
  for (const change of changes) lines.push(`    ${changeText(change, action, width, paint)}`);
  for (const note of notes) lines.push(`    ${paint("dim", clean(note))}`);
  if (approval?.given === true) lines.push(`    ${paint("yellow", "This is approved.")}`);
  if (approval?.given === false) {
    lines.push(
      `    It waits until it is approved: kubectl annotate -n ${namespace} ${kind.toLowerCase()} ${name} --overwrite ` +
        `aws-infra-operator.runner.codes/approve=${approval.hash}`,
    );
  }
  return `${lines.join("\n")}\n`;
}

function changeText(
  { field, have, want, replaces }: Forecast["changes"][number],
  action: ForecastAction,
  width: number,
  paint: Paint,
): string {
  const label = clean(field).padEnd(width);
  const why =
    replaces && (action === "Replace" || action === "Adopt") ? paint("red", "  (cannot be changed in place)") : "";
  const indented = (text: string): string => clean(text).replaceAll("\n", "\n      ");
  if (have === undefined) return `${paint("green", "+")} ${label}  ${indented(want ?? "")}${why}`;
  if (want === undefined) return `${paint("red", "-")} ${label}  ${indented(have)}${why}`;
  return `${paint("yellow", "~")} ${label}  ${indented(have)} ${paint("dim", "->")} ${indented(want)}${why}`;
}

const COUNTED: readonly (readonly [ForecastAction, string])[] = [
  ["Create", "to create"],
  ["Adopt", "to take over"],
  ["Change", "to change"],
  ["Replace", "to replace"],
  ["Recreate", "to make anew"],
  ["Delete", "to delete"],
  ["Release", "to let go"],
  ["Blocked", "that cannot be planned"],
  ["Leave", "left alone"],
  ["Nothing", "unchanged"],
];

function summaryOf(forecasts: readonly Forecast[], paint: Paint): string {
  const parts = COUNTED.flatMap(([action, words]) => {
    const count = forecasts.filter((each) => each.action === action).length;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  return `${paint("bold", "Plan:")} ${parts.length === 0 ? "nothing to look at" : parts.join(", ")}.\n`;
}

/** For scripts: 1 when something could not be planned, 2 when something would happen, 0 otherwise. */
export function planExitCode(forecasts: readonly Forecast[]): 0 | 1 | 2 {
  if (forecasts.some(({ action }) => action === "Blocked")) return 1;
  return forecasts.some(({ action }) => action !== "Nothing" && action !== "Leave") ? 2 : 0;
}
