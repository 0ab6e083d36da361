import type { Json } from "@gatewright/kube";

/** Whether AWS has the KMS key that is wanted. It may tell the ARN of a key, however it was named; where an alias leads is not told. */
export function sameKey(want: Json | undefined, have: Json | undefined): boolean {
  if (typeof want !== "string" || typeof have !== "string") return want === have;
  return have === want || have.endsWith(`/${want}`) || (/(^|:)alias\//.test(want) && have.includes(":key/"));
}
