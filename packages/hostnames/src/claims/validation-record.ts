import type { RecordSet } from "@gatewright/aws";

const TTL_S = 300;

/** The record that proves a name to ACM. The same for every certificate of the account that has the name. */
export function validationRecord({ name, value }: { readonly name: string; readonly value: string }): RecordSet {
  return { name, type: "CNAME", ttl: TTL_S, values: [value] };
}

/** The name that a validation record proves; it proves the wildcard over its siblings as well. */
export function provenName(record: { readonly name: string }): string {
  return record.name.slice(record.name.indexOf(".") + 1);
}
