import type { Moment } from "@gatewright/explain";
import { clean } from "../screen/columns.ts";
import type { Paint } from "../screen/paint.ts";
import { signOf } from "../screen/state-sign.ts";

const SUBJECT_WIDTH = 36;
const WHAT_WIDTH = 22;
const REASON_WIDTH = 24;

/** One line of a timeline: when, what to, what, and how long after the moment before. */
export function momentLine({ at, subject, what, state, reason, message, after }: Moment, paint: Paint): string {
  const time = new Date(at).toISOString().slice(11, 23);
  const name = subject.namespace === undefined ? subject.name : `${subject.namespace}/${subject.name}`;
  const later = after === undefined ? "" : ` +${(after / 1000).toFixed(1)}s`;
  return [
    paint("dim", time),
    signOf(state, paint),
    clean(`${subject.kind} ${name}`).padEnd(SUBJECT_WIDTH),
    clean(what).padEnd(WHAT_WIDTH),
    clean(reason).padEnd(REASON_WIDTH),
    `${clean(message)}${paint("dim", later)}`,
  ]
    .join(" ")
    .trimEnd();
}
