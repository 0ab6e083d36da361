import { parseGoDuration, quote } from "@gatewright/kube";

interface Field {
  readonly min: number;
  readonly max: number;
  readonly names: readonly string[];
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

const FIELDS: readonly Field[] = [
  { min: 0, max: 59, names: [] },
  { min: 0, max: 23, names: [] },
  { min: 1, max: 31, names: [] },
  { min: 1, max: 12, names: MONTHS },
  { min: 0, max: 6, names: DAYS },
];

const DESCRIPTORS = new Set(["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"]);

/** Why a text is not a cron schedule of five fields or one of the `@` forms, or undefined when it is one. */
export function cronScheduleError(schedule: string): string | undefined {
  if (schedule === "") return "empty spec string";
  const spec = schedule.replace(/^(TZ|CRON_TZ)=\S* ?/, "").trim();
  if (spec.startsWith("@")) return descriptorError(spec);
  const fields = spec.split(/\s+/).filter((field) => field !== "");
  if (fields.length !== FIELDS.length) {
    return `expected exactly ${FIELDS.length} fields, found ${fields.length}: [${fields.join(" ")}]`;
  }
  for (const [i, field] of fields.entries()) {
    for (const part of field.split(",").filter((text) => text !== "")) {
      const why = rangeError(part, FIELDS[i]!);
      if (why !== undefined) return why;
    }
  }
  return undefined;
}

function descriptorError(spec: string): string | undefined {
  if (DESCRIPTORS.has(spec)) return undefined;
  if (!spec.startsWith("@every ")) return `unrecognized descriptor: ${spec}`;
  const duration = spec.slice("@every ".length);
  if (parseGoDuration(duration) !== undefined) return undefined;
  return `failed to parse duration ${spec}: time: invalid duration ${quote(duration)}`;
}

/** `*`, `5`, `mon-fri`, `0-30/5`. */
function rangeError(part: string, field: Field): string | undefined {
  const [range = "", step, ...moreSteps] = part.split("/");
  const [low = "", high, ...moreHyphens] = range.split("-");
  let [start, end] = [field.min, field.max];
  if (low !== "*" && low !== "?") {
    const first = valueOf(low, field);
    if (typeof first === "string") return first;
    start = first;
    if (moreHyphens.length > 0) return `too many hyphens: ${part}`;
    const last = high === undefined ? first : valueOf(high, field);
    if (typeof last === "string") return last;
    end = high === undefined && step !== undefined ? field.max : last;
  }
  if (moreSteps.length > 0) return `too many slashes: ${part}`;
  const width = step === undefined ? 1 : integer(step);
  if (typeof width === "string") return width;
  if (start < field.min) return `beginning of range (${start}) below minimum (${field.min}): ${part}`;
  if (end > field.max) return `end of range (${end}) above maximum (${field.max}): ${part}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${part}`;
  return width === 0 ? `step of range should be a positive number: ${part}` : undefined;
}

function valueOf(text: string, field: Field): number | string {
  const named = field.names.indexOf(text.toLowerCase());
  return named >= 0 ? field.min + named : integer(text);
}

function integer(text: string): number | string {
  if (!/^[+-]?\d+$/.test(text))
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${quote(text)}: invalid syntax`;
  const value = Number(text);
  return value < 0 ? `negative number (${value}) not allowed: ${text}` : value;
}
