import { hash } from "node:crypto";
import type {
  OnDemandThroughput,
  ProvisionedThroughput,
  SSESpecification,
  WarmThroughput,
} from "@gatewright/aws-wire/types/dynamodb";
import { partitionOf } from "../partition.ts";
import type { Place, Throughput } from "./records.ts";
import { wrongValues } from "./refusals.ts";

const MOST_UNITS = 40_000;

/** The throughput that is provisioned; refuses more than a table may have. */
export function readThroughput(given: ProvisionedThroughput): Throughput {
  const { ReadCapacityUnits: read, WriteCapacityUnits: write } = given;
  for (const [name, units] of [
    ["ReadCapacityUnits", read],
    ["WriteCapacityUnits", write],
  ] as const) {
    if (!Number.isInteger(units) || units < 1) throw wrongValues(`${name} must be at least 1`);
    if (units > MOST_UNITS) {
      throw wrongValues(`${name} is ${units}, which is more than the ${MOST_UNITS} that a table can have`);
    }
  }
  return { read, write };
}

/** Ceilings that something new shall have: there is none to take away yet. */
export function newOnDemand(given: OnDemandThroughput): Partial<Throughput> {
  if (given.MaxReadRequestUnits === -1 || given.MaxWriteRequestUnits === -1) {
    throw wrongValues("MaxReadRequestUnits and MaxWriteRequestUnits must be at least 1 when they are specified");
  }
  return readOnDemand(given);
}

/** Ceilings of on-demand throughput; -1 takes one away. */
export function readOnDemand(given: OnDemandThroughput, before: Partial<Throughput> = {}): Partial<Throughput> {
  const ceiling = (units: number | undefined, old: number | undefined): number | undefined =>
    units === undefined ? old : units === -1 ? undefined : units;
  const read = ceiling(given.MaxReadRequestUnits, before.read);
  const write = ceiling(given.MaxWriteRequestUnits, before.write);
  if ([read, write].some((units) => units !== undefined && units < 1)) {
    throw wrongValues("OnDemandThroughput must be at least 1, or -1");
  }
  return { ...(read !== undefined && { read }), ...(write !== undefined && { write }) };
}

/** Warm throughput can be made larger only. */
export function readWarm(given: WarmThroughput, before: Throughput): Throughput {
  const { ReadUnitsPerSecond: read = before.read, WriteUnitsPerSecond: write = before.write } = given;
  if (read < before.read || write < before.write) {
    throw wrongValues("Requested WarmThroughput is lower than the current WarmThroughput of the table or index");
  }
  return { read, write };
}

/** The key that a table shall be encrypted with; undefined for DynamoDB's own. */
export function readKey(place: Place, { Enabled, SSEType, KMSMasterKeyId: id }: SSESpecification): string | undefined {
  if (Enabled !== true) {
    if (id !== undefined || SSEType !== undefined) {
      throw wrongValues("SSEType and KMSMasterKeyId cannot be specified when SSE is disabled");
    }
    return undefined;
  }
  if (SSEType === "AES256") throw wrongValues("AES256 is not supported as SSEType");
  return keyArn(place, id ?? "alias/aws/dynamodb");
}

/** An alias stands for a key whose id is worked out from it: there is no KMS here. */
function keyArn({ account, region }: Place, id: string): string {
  const prefix = `arn:${partitionOf(region)}:kms:${region}:${account}:key/`;
  const alias = /^(?:arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:)?(alias\/.+)$/.exec(id)?.[1];
  if (alias !== undefined) {
    const digest = hash("sha256", `${account} ${region} ${alias}`, "hex");
    return `${prefix}${digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5")}`;
  }
  return id.startsWith("arn:") ? id : `${prefix}${id}`;
}
