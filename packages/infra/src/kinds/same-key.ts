import type { Json } from "@gatewright/kube";

/** Whether AWS has the KMS key that is wanted: it may tell an ARN where an id or an alias was said. */
export function sameKey(want: Json | undefined, have: Json | undefined): boolean {
  if (typeof want !== "string" || typeof have !== "string" || want === "") return want === have;
  return have === want || have.endsWith(`/${want}`) || have.endsWith(`:${want}`);
}
