import { getOwn, setOwn } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";
import { parseFieldPath, valueAt } from "../../filters/transform/field-path.ts";
import type { FieldPath } from "../../filters/transform/field-path.ts";
import { formatJson, isRecord, parseJsonText } from "../../filters/transform/json-text.ts";
import { mergeJson } from "../../filters/transform/merge-json.ts";
import { compareJson } from "../../filters/transform/compare-json.ts";
import type { AggregateMerge } from "./aggregate-spec.ts";

/** What one target answered. */
export interface TargetAnswer {
  readonly name: string;
  readonly bytes: Buffer;
  /** Lines of JSON rather than one value. */
  readonly lines: boolean;
}

/** The bodies of several answers as one. Throws BodySyntaxError when one of them is not JSON. */
export type MergeAnswers = (answers: readonly TargetAnswer[]) => {
  readonly text: string;
  readonly contentType: string;
};

/** Compiles how answers become one. `wrong` is told what makes no sense. */
export function mergeAnswers(
  spec: AggregateMerge | undefined,
  wrong: (field: string, message: string) => void,
): MergeAnswers {
  if (spec?.enabled !== true) return byName;
  const items = new ItemRules(spec, wrong);
  const strategy = spec.strategy ?? "deep";
  switch (strategy) {
    case "ndjson":
      return (answers) => ({
        text: items
          .arranged(answers.flatMap(linesOf))
          .map((item) => `${formatJson(item)}\n`)
          .join(""),
        contentType: "application/x-ndjson",
      });
    case "replace":
      return (answers) => json(answers.length === 0 ? null : valueOf(answers[answers.length - 1]));
    case "deep":
    case "shallow":
      return (answers) => {
        let merged: Json | undefined;
        for (const answer of answers)
          merged = merged === undefined ? valueOf(answer) : items.merged(merged, valueOf(answer), strategy);
        return json(items.arrangedWithin(merged ?? null));
      };
    default:
      wrong("strategy", `${JSON.stringify(strategy)} is not known`);
      return byName;
  }
}

/** How the items of arrays are told apart, ordered and counted. */
class ItemRules {
  readonly #key: FieldPath | undefined;
  readonly #time: FieldPath | undefined;
  readonly #limit: number;

  constructor(spec: AggregateMerge, wrong: (field: string, message: string) => void) {
    const path = (field: "keyField" | "timeField"): FieldPath | undefined => {
      const text = spec[field];
      if (text === undefined || text === "") return undefined;
      const parsed = parseFieldPath(text);
      if (parsed === undefined) wrong(field, `${JSON.stringify(text)} is no path of fields`);
      return parsed;
    };
    this.#key = path("keyField");
    this.#time = path("timeField");
    this.#limit = spec.limit ?? 0;
  }

  /** Two values as one: arrays one after the other, objects by their fields. */
  merged(base: Json, over: Json, strategy: "deep" | "shallow"): Json {
    if (Array.isArray(base) && Array.isArray(over)) return [...base, ...over];
    if (strategy === "shallow" || !isRecord(base) || !isRecord(over)) return mergeJson(base, over, strategy);
    for (const key of Object.keys(over)) {
      const [before, value] = [getOwn(base, key), getOwn(over, key) ?? null];
      setOwn(base, key, before === undefined ? value : this.merged(before, value, "deep"));
    }
    return base;
  }

  /** Applies the rules to every array in a value that is not itself within one. */
  arrangedWithin(value: Json): Json {
    if (Array.isArray(value)) return this.arranged(value);
    if (isRecord(value))
      for (const key of Object.keys(value)) setOwn(value, key, this.arrangedWithin(getOwn(value, key) ?? null));
    return value;
  }

  arranged(given: readonly Json[]): Json[] {
    const items = this.#key === undefined ? [...given] : this.#distinct(given, this.#key);
    const time = this.#time;
    if (time !== undefined) items.sort((one, other) => compareJson(valueAt(one, time), valueAt(other, time)));
    if (this.#limit > 0) items.length = Math.min(items.length, this.#limit);
    return items;
  }

  #distinct(given: readonly Json[], key: FieldPath): Json[] {
    const places = new Map<string, number>();
    const items: Json[] = [];
    for (const item of given) {
      const value = valueAt(item, key);
      const text = value === undefined ? undefined : formatJson(value);
      const place = text === undefined ? undefined : places.get(text);
      if (place !== undefined) items[place] = mergeJson(items[place] ?? null, item, "deep");
      else if (items.push(item) && text !== undefined) places.set(text, items.length - 1);
    }
    return items;
  }
}

function byName(answers: readonly TargetAnswer[]): { text: string; contentType: string } {
  const all: JsonObject = {};
  for (const answer of answers) setOwn(all, answer.name, answer.lines ? linesOf(answer) : valueOf(answer));
  return json(all);
}

function json(value: Json): { text: string; contentType: string } {
  return { text: formatJson(value), contentType: "application/json" };
}

function valueOf(answer: TargetAnswer | undefined): Json {
  return answer === undefined || answer.bytes.length === 0 ? null : parseJsonText(answer.bytes);
}

/** The lines of an answer, or the items of its array, or itself. */
function linesOf(answer: TargetAnswer): Json[] {
  if (!answer.lines) {
    const value = valueOf(answer);
    return Array.isArray(value) ? value : [value];
  }
  return answer.bytes
    .toString()
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => parseJsonText(Buffer.from(line)));
}
