import { deepEqual, getOwn, isObject } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";

/** Whether two JSON documents say the same, however they are spelled. */
export function sameDocument(want: string | undefined, have: string | undefined): boolean {
  const [ours, theirs] = [parsed(want), parsed(have)];
  return ours === undefined || theirs === undefined ? want === have : deepEqual(ours, theirs);
}

/** Whether a document has all that another says: SNS fills delivery policies up with what it takes for granted. */
export function saysAll(want: string | undefined, have: string | undefined): boolean {
  const [ours, theirs] = [parsed(want), parsed(have)];
  return ours === undefined || theirs === undefined ? want === have : isWithin(ours, theirs);
}

function isWithin(part: Json, whole: Json | undefined): boolean {
  if (!isObject(part) || !isObject(whole)) return whole !== undefined && deepEqual(part, whole);
  return Object.entries(part).every(([key, value]) => isWithin(value, getOwn(whole, key)));
}

function parsed(text: string | undefined): Json | undefined {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    // What is no JSON is only the same as itself.
    return undefined;
  }
}
