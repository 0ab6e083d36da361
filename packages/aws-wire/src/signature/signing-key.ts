import { createHash, createHmac } from "node:crypto";

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
  return createHash("sha256").update(data).digest("hex");
}

/** The key of one day, region and service: what leaks of it opens nothing else. */
export function signingKey(secret: string, { date, region, service }: CredentialScope): Buffer {
  const steps = [date, region, service, "aws4_request"];
  return steps.reduce<Buffer>((key, step) => hmac(key, step), Buffer.from(`AWS4${secret}`));
}

/** Signs lines as each kind of signature has them: an algorithm, a moment, a scope, and what is signed. */
export function signLines(key: Buffer, lines: readonly string[]): string {
  return hmac(key, lines.join("\n")).toString("hex");
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
