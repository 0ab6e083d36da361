import { createHmac, hash } from "node:crypto";

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

/** Keys that were used last: one is good for a day, and making it costs four times as much as using it. */
const made = new Map<string, Buffer>();
const MOST_KEPT = 50;

/** The key of one day, region and service: what leaks of it opens nothing else. Not to be written to. */
export function signingKey(secret: string, scope: CredentialScope): Buffer {
  const name = `${secret} ${scopeText(scope)}`;
  const known = made.get(name);
  if (known !== undefined) return known;
  const steps = [scope.date, scope.region, scope.service, "aws4_request"];
  const key = steps.reduce<Buffer>((last, step) => hmac(last, step), Buffer.from(`AWS4${secret}`));
  if (made.size >= MOST_KEPT) made.clear();
  made.set(name, key);
  return key;
}

/** Signs lines as each kind of signature has them: an algorithm, a moment, a scope, and what is signed. */
export function signLines(key: Buffer, lines: readonly string[]): string {
  return hmac(key, lines.join("\n")).toString("hex");
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
