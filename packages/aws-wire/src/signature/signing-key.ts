import { createHmac, createSecretKey, hash } from "node:crypto";
import type { KeyObject } from "node:crypto";

/** For what a key signs: `20150830/us-east-1/iam/aws4_request`. */
export interface CredentialScope {
  readonly date: string;
  readonly region: string;
  readonly service: string;
}

export function scopeText({ date, region, service }: CredentialScope): string {
  return `${date}/${region}/${service}/aws4_request`;
}

export function sha256Hex(data: string | Uint8Array): string {
  return hash("sha256", data, "hex");
}

/**
 * Keys that were used last: one is good for a day, and making it costs far more than using it. As key objects, since with bytes each
 * use would make one anew.
 */
const made = new Map<string, KeyObject>();
const MOST_KEPT = 50;

/** The key of one day, region and service: what leaks of it opens nothing else. */
export function signingKey(secret: string, scope: CredentialScope): KeyObject {
  const name = `${secret} ${scopeText(scope)}`;
  const known = made.get(name);
  if (known !== undefined) return known;
  const steps = [scope.date, scope.region, scope.service, "aws4_request"];
  const bytes = steps.reduce<Buffer>((last, step) => hmac(last, step), Buffer.from(`AWS4${secret}`));
  const key = createSecretKey(bytes);
  if (made.size >= MOST_KEPT) made.clear();
  made.set(name, key);
  return key;
}

/** Signs lines as each kind of signature has them: an algorithm, a moment, a scope, and what is signed. */
export function signLines(key: KeyObject, lines: readonly string[]): string {
  return hmac(key, lines.join("\n")).toString("hex");
}

function hmac(key: Buffer | KeyObject, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
