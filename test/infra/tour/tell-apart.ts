import { isObject } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";

/** A place where something is not as it is wanted. */
export interface Apart {
  readonly at: string;
  readonly have: Json | undefined;
  readonly want: Json | undefined;
}

/** Where what is seen is not as it is wanted. Members that are not wanted may be anything; null is for what is not there. */
export function tellApart(want: Json, have: Json | undefined, at = ""): readonly Apart[] {
  if (isObject(want) && isObject(have)) {
    return Object.entries(want).flatMap(([key, each]) => tellApart(each, have[key], at === "" ? key : `${at}.${key}`));
  }
  if (Array.isArray(want) && Array.isArray(have) && want.length === have.length) {
    return want.flatMap((each, index) => tellApart(each, have[index], `${at}[${index}]`));
  }
  if (want === null && have === undefined) return [];
  const document = typeof have === "string" && isObject(want) ? documentIn(have) : undefined;
  if (document !== undefined) return tellApart(want, document, at);
  return canonical(want) === canonical(have) ? [] : [{ at, have, want }];
}

/** Where two looks differ, by their members. */
export function tellChanged(before: Looked, after: Looked): readonly Apart[] {
  return Object.keys(before).flatMap((look) => {
    const [was, is] = [before[look], after[look]];
    if (!isObject(was) || !isObject(is))
      return canonical(was) === canonical(is) ? [] : [{ at: look, have: is, want: was }];
    const members = new Set([...Object.keys(was), ...Object.keys(is)]);
    return [...members].flatMap((member) =>
      canonical(was[member]) === canonical(is[member])
        ? []
        : [{ at: `${look}.${member}`, have: is[member], want: was[member] }],
    );
  });
}

/** What was told, by look. */
export type Looked = Readonly<Record<string, Json | undefined>>;

/** One text for all spellings of the same. */
function canonical(value: Json | undefined): string {
  if (typeof value === "string") {
    const document = documentIn(value);
    return isObject(document) ? canonical(document) : JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([key, each]) => `${key}:${canonical(each)}`).join()}}`;
}

/** Policies are told as texts of JSON: what they say counts, not how it is spelled. */
function documentIn(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    // Any other text.
    return undefined;
  }
}
