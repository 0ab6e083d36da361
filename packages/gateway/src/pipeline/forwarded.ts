import { isIP } from "node:net";
import type { Fields } from "../exchange/fields.ts";

/** Which proxies in front of the gateway are believed about whom they speak for. */
export interface TrustedProxies {
  trusts(address: string): boolean;
}

/**
 * The client behind trusted proxies: the last address in `x-forwarded-for` that is not one of theirs. Whoever connects without being
 * trusted is the client, whatever it claims.
 */
export function clientBehind(connected: string, fields: Fields, proxies: TrustedProxies): string {
  if (!proxies.trusts(connected)) return connected;
  const claimed = fields.all("x-forwarded-for").join(",").split(",");
  let client = connected;
  for (let at = claimed.length - 1; at >= 0; at--) {
    const address = (claimed[at] ?? "").trim();
    if (isIP(address) === 0) return client;
    client = address;
    if (!proxies.trusts(address)) return client;
  }
  return client;
}

/** Says to backends who asks, over what. What untrusted clients claimed is overwritten; trusted proxies' words are kept and added to. */
export function writeForwarded(
  fields: Fields,
  connected: string,
  scheme: string,
  authority: string,
  trusted: boolean,
): void {
  const before = trusted ? fields.all("x-forwarded-for").join(", ") : "";
  fields.set("x-forwarded-for", before === "" ? connected : `${before}, ${connected}`);
  if (!trusted) {
    fields.remove("forwarded");
    fields.remove("x-real-ip");
  }
  if (!trusted || !fields.has("x-forwarded-proto")) fields.set("x-forwarded-proto", scheme);
  if (!trusted || !fields.has("x-forwarded-host")) fields.set("x-forwarded-host", authority);
}
