import { deepEqual, getOwn, isObject } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";

/** Whether two JSON documents say the same, however they are spelled. */
export function sameDocument(want: string | undefined, have: string | undefined): boolean {
  const [ours, theirs] = [parsed(want), parsed(have)];
  return ours === undefined || theirs === undefined ? want === have : deepEqual(ours, theirs);
}

/**
 * Whether SNS has a delivery policy as it is wanted. It fills them up with what it takes for granted, which says nothing; whatever else
 * only it has was taken out of the wish, or put in by others.
 */
export function sameDelivery(want: string, have: string | undefined): boolean {
  const [ours, theirs] = [parsed(want), have === undefined ? {} : parsed(have)];
  return ours === undefined || theirs === undefined ? want === have : isFilledUp(ours, theirs);
}

/** What holds in a policy of retries that says nothing else. */
const GRANTED: ReadonlyMap<string, Json> = new Map([
  ["numRetries", 3],
  ["minDelayTarget", 20],
  ["maxDelayTarget", 20],
]);
const NOTHING: ReadonlySet<unknown> = new Set([null, false, 0, "linear", "text/plain; charset=UTF-8"]);

function isFilledUp(ours: Json, theirs: Json): boolean {
  if (!isObject(ours) || !isObject(theirs)) return deepEqual(ours, theirs);
  return [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].every((key) => {
    const [want, have] = [getOwn(ours, key) ?? undefined, getOwn(theirs, key) ?? undefined];
    if (have === undefined) return want === undefined;
    if (want !== undefined) return isFilledUp(want, have);
    return GRANTED.has(key) ? GRANTED.get(key) === have : saysNothing(have);
  });
}

function saysNothing(value: Json): boolean {
  return isObject(value) ? Object.values(value).every(saysNothing) : NOTHING.has(value);
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
