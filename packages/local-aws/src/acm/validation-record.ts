import { hash } from "node:crypto";
import type { PublicDns } from "../neighbours.ts";
import { provenName } from "./domain-names.ts";

/** The CNAME that proves a name. */
export interface ValidationRecord {
  /** With a dot at its end, as the value. */
  readonly name: string;
  readonly value: string;
}

/**
 * Depends on the account and the name alone: every certificate in every region asks for the same record, and so does the wildcard
 * of the name.
 */
export function validationRecord(account: string, name: string): ValidationRecord {
  const proven = provenName(name);
  const digest = (what: string): string => hash("sha256", `acm ${what} ${account} ${proven}`, "hex");
  const letters = Array.from(Buffer.from(digest("zone"), "hex").subarray(0, 10), (byte) =>
    String.fromCharCode(97 + (byte % 26)),
  ).join("");
  return {
    name: `_${digest("name").slice(0, 32)}.${proven}.`,
    value: `_${digest("value").slice(0, 32)}.${letters}.acm-validations.aws.`,
  };
}

/** Whether public DNS has the record. */
export function isPublished(dns: PublicDns, { name, value }: ValidationRecord): boolean {
  const bare = (text: string): string => text.replace(/\.$/, "").toLowerCase();
  return dns
    .lookup(bare(name), "CNAME")
    .some((answer) => answer.type === "CNAME" && bare(answer.value) === bare(value));
}
