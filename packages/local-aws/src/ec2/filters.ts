import type { Filter } from "@gatewright/aws-wire/types/ec2";
import { AwsError } from "../aws-error.ts";
import type { Tags } from "./records.ts";

const MOST_VALUES = 200;

/** What a filter compares: the values that an item has by the name. */
export type FilterTable<T> = ReadonlyMap<string, (item: T) => readonly (string | number | boolean | undefined)[]>;

/** Those that pass every filter, each with one of its values. Filters of tags work for everything. */
export function filtered<T>(
  items: readonly T[],
  filters: readonly Filter[] | undefined,
  table: FilterTable<T>,
  tagsOf: (item: T) => Tags,
): readonly T[] {
  return (filters ?? []).reduce<readonly T[]>((left, { Name: name = "", Values: values = [] }) => {
    if (values.length > MOST_VALUES)
      throw new AwsError("FilterLimitExceeded", "The maximum number of filter values is 200.");
    const valuesOf = table.get(name) ?? tagValues(name, tagsOf);
    if (valuesOf === undefined) throw new AwsError("InvalidParameterValue", `The filter '${name}' is invalid`);
    return left.filter((item) =>
      valuesOf(item).some((value) => value !== undefined && values.some((pattern) => fits(pattern, String(value)))),
    );
  }, items);
}

function tagValues<T>(name: string, tagsOf: (item: T) => Tags): ((item: T) => readonly string[]) | undefined {
  if (name === "tag-key") return (item) => tagsOf(item).map(([key]) => key);
  if (name === "tag-value") return (item) => tagsOf(item).map(([, value]) => value);
  if (!name.startsWith("tag:")) return undefined;
  const wanted = name.slice("tag:".length);
  return (item) => tagsOf(item).flatMap(([key, value]) => (key === wanted ? [value] : []));
}

/** Whether a text is as a pattern says: `*` stands for any characters, `?` for one, a backslash takes the meaning away. */
export function fits(pattern: string, text: string): boolean {
  let at = 0;
  let i = 0;
  let star = -1;
  let starAt = 0;
  while (i < text.length) {
    const escaped = pattern[at] === "\\" && at + 1 < pattern.length;
    const expected = escaped ? pattern[at + 1] : pattern[at];
    if (!escaped && expected === "*") {
      star = at++;
      starAt = i;
    } else if (expected !== undefined && (expected === text[i] || (!escaped && expected === "?"))) {
      at += escaped ? 2 : 1;
      i++;
    } else if (star >= 0) {
      at = star + 1;
      i = ++starAt;
    } else return false;
  }
  while (pattern[at] === "*") at++;
  return at === pattern.length;
}
