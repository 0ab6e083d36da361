import { sameRecord } from "@gatewright/aws";
import type { Certificate, RecordSet } from "@gatewright/aws";
import type { Claim, Memory } from "./claim.ts";
import { isDone } from "./conditions.ts";

const TTL_S = 300;

/** The record that proves a name to ACM. The same for every certificate of the account that has the name. */
export function validationRecord({ name, value }: { readonly name: string; readonly value: string }): RecordSet {
  return { name, type: "CNAME", ttl: TTL_S, values: [value] };
}

/**
 * Whether what is in the zone proves what a validation record is to prove. ACM does not look at the ttl: other tools and people who
 * validated the same name in this account have made the same record with one of their own.
 */
export function proves(found: RecordSet, { ttl: _ttl, ...record }: RecordSet): boolean {
  const { ttl: _foundTtl, ...there } = found;
  return sameRecord(there, record);
}

/** The name that a validation record proves; it proves the wildcard over its siblings as well. */
export function provenName(record: { readonly name: string }): string {
  return record.name.slice(record.name.indexOf(".") + 1);
}

/**
 * ACM has issued what the claim asked for before the claim had its record in the zone: the name was proven by a record of somebody else.
 * That one goes when they do, and then ACM cannot renew; so the claim puts its own there.
 */
export function isIssuedUnproven(claim: Claim, memory: Memory, { status, type }: Certificate): boolean {
  const { request, adopted } = memory.certificate ?? {};
  const requested = request !== undefined && adopted !== true;
  return requested && status === "ISSUED" && type === "AMAZON_ISSUED" && !isDone(claim, "DnsValidated");
}
