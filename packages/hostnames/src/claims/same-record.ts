import type { RecordSet } from "@gatewright/aws";

/** What tells a record from all others of its zone. */
export function recordKey({
  name,
  type,
  setIdentifier = "",
}: Pick<RecordSet, "name" | "type" | "setIdentifier">): string {
  return `${bare(name)} ${type} ${setIdentifier}`;
}

/** Whether two records say the same. Names are compared without case and without the dot at their end. */
export function sameRecord(a: RecordSet, b: RecordSet): boolean {
  return a.foreign === undefined && b.foreign === undefined && textOf(a) === textOf(b);
}

function textOf(record: RecordSet): string {
  const { alias, ttl, values = [], weight, failover, healthCheckId, type } = record;
  return JSON.stringify([
    recordKey(record),
    alias === undefined
      ? [ttl ?? null, ...values.map((value) => (type === "CNAME" ? bare(value) : value)).toSorted()]
      : null,
    alias === undefined ? null : [bare(alias.dnsName), alias.zoneId, alias.evaluateTargetHealth],
    weight ?? null,
    failover ?? null,
    healthCheckId ?? null,
  ]);
}

function bare(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}
