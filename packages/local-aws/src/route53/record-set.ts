import type { AliasTarget, Change, ResourceRecordSet } from "@gatewright/aws-wire/types/route53";
import { AwsError } from "../aws-error.ts";
import { parseDomainName } from "../dns/domain-name.ts";
import type { DomainName } from "../dns/domain-name.ts";
import { isProblem, nameProblem } from "../dns/rdata-fields.ts";
import type { RdataProblem } from "../dns/rdata-fields.ts";
import { readRdata } from "../dns/rdata.ts";
import { RECORD_TYPES } from "../dns/record-type.ts";
import { bareId } from "./find-zone.ts";

/** The properties that make a set one of several of its name and type. */
const ROUTING = [
  "Weight",
  "Region",
  "Failover",
  "GeoLocation",
  "MultiValueAnswer",
  "CidrRoutingConfig",
  "GeoProximityLocation",
] as const;
const LARGEST_TTL = 2_147_483_647;
const MOST_VALUES = 400;

/** The way a set is chosen among those of its name and type; undefined when it is the only one. */
export function routingOf(set: ResourceRecordSet): (typeof ROUTING)[number] | undefined {
  return ROUTING.find((property) => set[property] !== undefined);
}

/** The set with its names in the form that they are kept and shown in, or what is wrong with it, as the batch's messages. */
export function readRecordSet(change: Change): ResourceRecordSet | { readonly messages: readonly string[] } {
  const given = change.ResourceRecordSet;
  checkShape(change);
  const name = parseDomainName(given.Name);
  if (typeof name !== "string") return { messages: [fatal(nameProblem(name))] };
  if (given.AliasTarget) {
    const target = parseDomainName(given.AliasTarget.DNSName);
    if (typeof target !== "string") return { messages: [fatal(nameProblem(target))] };
    const zone = bareId(given.AliasTarget.HostedZoneId, "hostedzone", "hostedZoneId");
    return withNames(given, name, { ...given.AliasTarget, DNSName: target, HostedZoneId: zone });
  }
  const messages = valueProblems(given);
  return messages.length > 0 ? { messages } : withNames(given, name, undefined);
}

/** Whether two sets, names in their kept form, are the same in all that the API tells of; values in any order. */
export function sameRecordSet(a: ResourceRecordSet, b: ResourceRecordSet): boolean {
  return fingerprint(a) === fingerprint(b);
}

function fingerprint(set: ResourceRecordSet): string {
  return JSON.stringify([
    set.Name,
    set.Type,
    set.SetIdentifier,
    set.AliasTarget ? undefined : set.TTL,
    set.ResourceRecords?.map(({ Value }) => Value).toSorted(),
    set.AliasTarget && [set.AliasTarget.HostedZoneId, set.AliasTarget.DNSName, set.AliasTarget.EvaluateTargetHealth],
    set.HealthCheckId,
    set.TrafficPolicyInstanceId,
    ...ROUTING.map((property) => sorted(set[property])),
  ]);
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .map(([key, part]) => [key, sorted(part)])
    .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1));
}

function withNames(set: ResourceRecordSet, name: DomainName, alias: AliasTarget | undefined): ResourceRecordSet {
  return { ...set, Name: name, ...(alias && { AliasTarget: alias }) };
}

/** Refuses what is no record set at all, whatever the zone. */
function checkShape({ Action, ResourceRecordSet: set }: Change): void {
  const where = `in Change with [Action=${Action}, Name=${set.Name}, Type=${set.Type}, SetIdentifier=${set.SetIdentifier ?? "null"}]`;
  const refuse = (message: string): never => {
    throw new AwsError("InvalidInput", `Invalid request: ${message} ${where}`);
  };
  if (!RECORD_TYPES.includes(set.Type)) refuse(`Unknown type '${set.Type.slice(0, 32)}'`);
  const values = set.TTL !== undefined || (set.ResourceRecords?.length ?? 0) > 0;
  const kinds =
    Number(set.AliasTarget !== undefined) + Number(values) + Number(set.TrafficPolicyInstanceId !== undefined);
  if (kinds !== 1) {
    refuse(
      "Expected exactly one of [AliasTarget, all of [TTL, and ResourceRecords], or TrafficPolicyInstanceId], " +
        `but found ${kinds === 0 ? "none" : "more than one"}`,
    );
  }
  if (set.TrafficPolicyInstanceId !== undefined) refuse("Traffic policy instances are not available");
  if (values && set.TTL === undefined) refuse("Missing field 'TTL'");
  if (values && !set.ResourceRecords?.length) refuse("Missing field 'ResourceRecords'");
  if (set.TTL !== undefined && (!Number.isInteger(set.TTL) || set.TTL < 0 || set.TTL > LARGEST_TTL)) {
    refuse(`TTL must be from 0 to ${LARGEST_TTL}`);
  }
  const routings = ROUTING.filter((property) => set[property] !== undefined);
  if (routings.length > 1) refuse(`Expected at most one of [${ROUTING.join(", ")}], but found more than one`);
  if (routings.length === 1 && !set.SetIdentifier) refuse("Missing field 'SetIdentifier'");
  if (routings.length === 0 && set.SetIdentifier !== undefined) {
    refuse(`Expected exactly one of [${ROUTING.join(", ")}], but found none`);
  }
  if (set.SetIdentifier !== undefined && set.SetIdentifier.length > 128) refuse("SetIdentifier is longer than 128");
  if (set.Weight !== undefined && (!Number.isInteger(set.Weight) || set.Weight < 0 || set.Weight > 255)) {
    refuse("Weight must be from 0 to 255");
  }
  if (set.Failover !== undefined && !["PRIMARY", "SECONDARY"].includes(set.Failover)) refuse("Unknown Failover");
}

function valueProblems(set: ResourceRecordSet): string[] {
  const records = set.ResourceRecords ?? [];
  const messages: string[] = [];
  if (records.length > MOST_VALUES) messages.push(`Number of values limit of ${MOST_VALUES} exceeded.`);
  if (set.Type === "CNAME" && records.length > 1) {
    messages.push(`RRSet of type CNAME with DNS name ${set.Name} can have only one resource record.`);
  }
  const seen = new Set<string>();
  for (const { Value } of records) {
    const read = readRdata(set.Type, Value);
    if (isProblem(read)) messages.push(`Invalid Resource Record: '${fatal(read)}'`);
    if (seen.has(Value)) messages.push(`Duplicate Resource Record: '${Value.slice(0, 255)}'`);
    seen.add(Value);
  }
  return messages;
}

function fatal({ problem, says, at }: RdataProblem): string {
  return `FATAL problem: ${problem} (${says}) encountered with '${at}'`;
}
