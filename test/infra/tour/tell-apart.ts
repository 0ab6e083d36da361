import { isObject } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";

/** Where what is seen is not as it is wanted. Members that are not wanted may be anything; null is for what is not there. */
export function tellApart(want: Json, have: Json | undefined, at = ""): readonly string[] {
  if (isObject(want) && isObject(have)) {
    return Object.entries(want).flatMap(([key, each]) => tellApart(each, have[key], at === "" ? key : `${at}.${key}`));
  }
  if (Array.isArray(want) && Array.isArray(have) && want.length === have.length) {
    return want.flatMap((each, index) => tellApart(each, have[index], `${at}[${index}]`));
  }
  if (want === null && have === undefined) return [];
  const document = typeof have === "string" && isObject(want) ? documentIn(have) : undefined;
  if (document !== undefined) return tellApart(want, document, at);
  return JSON.stringify(want) === JSON.stringify(have)
    ? []
    : [`${at} is ${JSON.stringify(have) ?? "not there"}, not ${JSON.stringify(want)}`];
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
