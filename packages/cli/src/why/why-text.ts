import type { Answer, Link, NextStep } from "@gatewright/explain";
import { ageOf } from "../screen/age.ts";
import { clean, columns } from "../screen/columns.ts";
import type { Paint } from "../screen/paint.ts";
import { signOf } from "../screen/state-sign.ts";

export interface WhyTextOptions {
  readonly paint: Paint;
  readonly now: number;
  /** Messages of all links. Default: of those that are not ok. */
  readonly wide: boolean;
}

/** An answer for people: what is so, the cause and what to do, then the chain. */
export function whyText(answer: Answer, { paint, now, wide }: WhyTextOptions): string {
  const { state, verdict, url, links, cause, next } = answer;
  const at = state === "ok" && url !== undefined ? ` at ${url}` : "";
  const head = `${signOf(state, paint)} ${paint("bold", clean(`${verdict}${at}`))}`;
  const deepest = cause === undefined ? undefined : links[cause];
  const told = deepest === undefined ? [] : ["", ...causeLines(deepest, next, paint, now)];
  return `${[head, ...told, "", ...chainLines(links, cause, { paint, now, wide })].join("\n")}\n`;
}

function causeLines(cause: Link, next: readonly NextStep[], paint: Paint, now: number): readonly string[] {
  const { title, reason, message, since } = cause;
  const age = ageOf(since, now);
  const known = [clean(reason), age === "" ? "" : `for ${age}`].filter((part) => part !== "").join(", ");
  const words = clean(message === "" ? reason : message);
  return [
    `${paint("bold", "Cause")}  ${clean(title)}: ${words}${known === "" ? "" : paint("dim", ` (${known})`)}`,
    ...next.flatMap(({ text, command }, at) => [
      `${at === 0 ? paint("bold", "Next ") : "     "}  ${clean(text)}`,
      ...(command === undefined ? [] : [`         ${paint("dim", "$")} ${clean(command)}`]),
    ]),
  ];
}

function chainLines(
  links: readonly Link[],
  cause: number | undefined,
  { paint, now, wide }: WhyTextOptions,
): readonly string[] {
  const deepest = cause === undefined ? "" : (links[cause]?.message ?? "");
  return columns(
    links.map(({ level, state, title, reason, message, since }, at) => {
      const isCause = at === cause;
      const isNews = state !== "ok" && !isCause && !repeats(message, deepest);
      const words = wide || isNews ? clean(message) : "";
      const pointer = isCause ? paint("bold", "◀ the cause") : words === "" ? "" : paint("dim", words);
      return [
        `${"  ".repeat(level + 1)}${signOf(state, paint)} ${clean(title)}`,
        clean(reason),
        ageOf(since, now),
        wide && isCause ? `${pointer}: ${words}` : pointer,
      ];
    }),
  );
}

/** Whether a link only says again what the cause says. */
function repeats(message: string, cause: string): boolean {
  const plain = (text: string): string =>
    text
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, " ")
      .trim();
  const [one, other] = [plain(message), plain(cause)];
  return one !== "" && other !== "" && (one.includes(other) || other.includes(one));
}
