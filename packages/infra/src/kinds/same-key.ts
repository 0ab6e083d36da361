import type { Json } from "@gatewright/kube";

/** Whether AWS has the KMS key that is wanted: it may tell an ARN where an id or an alias was said. */
export function sameKey(want: Json | undefined, have: Json | undefined): boolean {
  if (typeof want !== "string" || typeof have !== "string" || want === "") return want === have;
  return have === want || have.endsWith(`/${want}`) || have.endsWith(`:${want}`);
}

/**
 * The same, where AWS tells the key that an alias led to when it was said: which alias that was it does not tell, so any is taken for it.
 * For keys that cannot be changed; one that can is named by its id or ARN.
 */
export function sameKeyOrAlias(want: Json | undefined, have: Json | undefined): boolean {
  const resolved = typeof want === "string" && /(?:^|:)alias\//.test(want) && typeof have === "string";
  return sameKey(want, have) || (resolved && /:key\//.test(have));
}
