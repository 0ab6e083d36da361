import type { InstanceRecord } from "./records.ts";

/** A status that lasts until a moment. */
export interface Phase {
  readonly status: string;
  readonly until: number;
}

/** What becomes of an instance when nobody does anything: one phase after the other, and then for good. */
export interface Life {
  readonly phases: readonly Phase[];
  /** `gone` for an instance that is not there any more. */
  readonly last: string;
}

/** One step of a life and how long it takes. */
export type Step = readonly [status: string, ms: number];

/** A life from now on. */
export function lifeFrom(now: number, steps: readonly Step[], last: string): Life {
  let until = now;
  const phases = steps.map(([status, ms]) => ({ status, until: (until += ms) })).filter((phase) => phase.until > now);
  return { phases, last };
}

/** What an instance is doing at a moment. */
export function statusAt({ life, pending }: Pick<InstanceRecord, "life" | "pending">, now: number): string {
  const status = life.phases.find(({ until }) => now < until)?.status ?? life.last;
  return status === "available" && pending !== undefined && pending.from <= now && now < pending.until
    ? pending.status
    : status;
}

/** The record as it is at a moment: changes that were due are made. Pure, so that any reader may do it. */
export function settled(record: InstanceRecord, now: number): InstanceRecord {
  const { pending, facts } = record;
  if (pending === undefined || now < pending.until) return record;
  const { Port: port = record.port, DBSubnetGroupName: subnetGroup = record.subnetGroup, ...values } = pending.values;
  return {
    ...record,
    port,
    subnetGroup,
    parameterGroup: pending.parameterGroup ?? record.parameterGroup,
    facts: fitting({ ...facts, ...values }),
    pending: undefined,
    life:
      pending.optimizedAt === undefined
        ? record.life
        : { phases: [{ status: "storage-optimization", until: pending.optimizedAt }], last: record.life.last },
  };
}

/** Without what only other types of storage, or instances with a standby, have. */
function fitting(facts: InstanceRecord["facts"]): InstanceRecord["facts"] {
  const { StorageType: type, MultiAZ: standby } = facts;
  return {
    ...facts,
    ...(type !== "gp3" && { StorageThroughput: undefined }),
    ...((type === "gp2" || type === "standard") && { Iops: undefined }),
    ...(standby !== true && { SecondaryAvailabilityZone: undefined }),
  };
}
