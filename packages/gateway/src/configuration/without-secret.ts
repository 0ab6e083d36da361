import type { FieldError } from "@gatewright/kube";

const SECRETS: ReadonlySet<string> = new Set([
  "clientSecret",
  "hash",
  "password",
  "passwordHash",
  "publicKey",
  "secret",
  "sentinelPassword",
  "staticToken",
  "url",
]);

const SHOWN = /^([A-Z][a-z ]+): (?:"(?:[^"\\]|\\.)*"|[-0-9.]+): /;

/** The text of an error, without the value where that may be a secret or hold one. */
export function withoutSecret({ field, body }: FieldError): string {
  const name = field.slice(field.lastIndexOf(".") + 1).replace(/\[[^\]]*\]$/, "");
  return SECRETS.has(name) ? body.replace(SHOWN, "$1: ") : body;
}
