import type { Change, ResourceRecordSet } from "@gatewright/aws-wire/types/route53";
import { AwsError } from "../aws-error.ts";
import { isWithin } from "../dns/domain-name.ts";
import type { DomainName } from "../dns/domain-name.ts";
import type { LoadBalancerNames } from "../neighbours.ts";
import { aliasProblems } from "./alias-target.ts";
import { readRecordSet, sameRecordSet } from "./record-set.ts";
import type { SetChanges } from "./route53-context.ts";
import { keyOfSet } from "./set-key.ts";
import { neighbourProblems } from "./set-neighbours.ts";
import type { Zone } from "./zone.ts";

/** The record sets of a zone, as far as a decision needs them. */
export interface ZoneSets {
  get(key: string): ResourceRecordSet | undefined;
  /** All sets of a name. */
  ofName(name: DomainName): readonly (readonly [key: string, set: ResourceRecordSet])[];
}

const MOST_ELEMENTS = 1_000;
const MOST_CHARACTERS = 32_000;
/** What a zone holds unless AWS agreed to more. */
export const MOST_RECORD_SETS = 10_000;

interface Step {
  readonly action: string;
  readonly key: string;
  readonly set: ResourceRecordSet;
}

/**
 * Decides what a batch does to a zone: all of it, or an InvalidChangeBatch. That tells of every set that is wrong by itself; of
 * what does not go together only when there is none. Deletions come before the rest, so that a batch can swap sets in whatever
 * order they stand. Pure but for what `sets` and `loadBalancers` read.
 */
export function decideBatch(
  zone: Zone,
  changes: readonly Change[],
  sets: ZoneSets,
  loadBalancers: LoadBalancerNames,
): SetChanges {
  checkSize(changes);
  const messages: string[] = [];
  const steps = readSteps(zone, changes, messages);
  refuseIfAny(messages);
  messages.push(...repeated(steps));
  refuseIfAny(messages);

  const result = new Map<string, ResourceRecordSet | null>();
  for (const step of steps.filter(({ action }) => action === "DELETE")) {
    messages.push(...deletionProblems(zone, step, sets.get(step.key)));
    result.set(step.key, null);
  }
  const rest = steps.filter(({ action }) => action !== "DELETE");
  for (const { action, key, set } of rest) {
    if (action === "CREATE" && !result.has(key) && sets.get(key)) {
      messages.push(`Tried to create resource record set ${label(set)} but it already exists`);
    }
    result.set(key, set);
  }
  const after = overlay(sets, result, steps);
  for (const { set } of rest) {
    messages.push(...placeProblems(zone, set), ...neighbourProblems(zone, set, after));
    messages.push(...aliasProblems(zone, set, after, loadBalancers));
  }
  let count = zone.recordCount;
  for (const [key, set] of result) count += (set ? 1 : 0) - (sets.get(key) ? 1 : 0);
  if (count > MOST_RECORD_SETS && count > zone.recordCount) {
    messages.push(`Number of records limit of ${MOST_RECORD_SETS} exceeded.`);
  }
  refuseIfAny(messages);
  return result;
}

/** `[name='a.example.com.', type='A']`, with the identifier where there is one. */
function label({ Name, Type, SetIdentifier }: ResourceRecordSet): string {
  return `[name='${Name}', type='${Type}'${SetIdentifier === undefined ? "" : `, set-identifier='${SetIdentifier}'`}]`;
}

function checkSize(changes: readonly Change[]): void {
  if (changes.length === 0) throw new AwsError("InvalidInput", "Invalid request: Missing field 'Changes'");
  let elements = 0;
  let characters = 0;
  for (const { Action, ResourceRecordSet: set } of changes) {
    if (!["CREATE", "DELETE", "UPSERT"].includes(Action)) {
      throw new AwsError("InvalidInput", `Invalid request: Unknown Action '${Action.slice(0, 32)}'`);
    }
    const times = Action === "UPSERT" ? 2 : 1;
    const values = set.ResourceRecords ?? [];
    elements += times * Math.max(values.length, 1);
    for (const { Value } of values) characters += times * Value.length;
  }
  const messages: string[] = [];
  if (elements > MOST_ELEMENTS) messages.push(`Number of records limit of ${MOST_ELEMENTS} exceeded.`);
  if (characters > MOST_CHARACTERS) messages.push(`Number of characters limit of ${MOST_CHARACTERS} exceeded.`);
  refuseIfAny(messages);
}

function readSteps(zone: Zone, changes: readonly Change[], messages: string[]): Step[] {
  const steps: Step[] = [];
  for (const change of changes) {
    const set = readRecordSet(change);
    if ("messages" in set) messages.push(...set.messages);
    else if (!isWithin(set.Name, zone.name)) {
      messages.push(`RRSet with DNS name ${set.Name} is not permitted in zone ${zone.name}`);
    } else steps.push({ action: change.Action, key: keyOfSet(zone.id, set), set });
  }
  return steps;
}

/** A set may stand in a batch once, or once to go and once to come. */
function repeated(steps: readonly Step[]): string[] {
  const seen = new Map<string, { deleted: number; made: number }>();
  const wrong = new Set<string>();
  for (const { action, key, set } of steps) {
    const count = seen.get(key) ?? { deleted: 0, made: 0 };
    if (action === "DELETE") count.deleted++;
    else count.made++;
    seen.set(key, count);
    if (count.deleted > 1 || count.made > 1) {
      wrong.add(`The request contains an invalid set of changes for a resource record set '${set.Type} ${set.Name}'`);
    }
  }
  return [...wrong];
}

function deletionProblems(zone: Zone, { set }: Step, existing: ResourceRecordSet | undefined): string[] {
  if (!existing) return [`Tried to delete resource record set ${label(set)} but it was not found`];
  if (!sameRecordSet(existing, set)) {
    return [
      `Tried to delete resource record set ${label(set)} but the values provided do not match the current values`,
    ];
  }
  if (set.Name !== zone.name) return [];
  if (set.Type === "SOA") return ["A HostedZone must contain exactly one SOA record."];
  if (set.Type === "NS") return ["A HostedZone must contain at least one NS record for the zone itself."];
  return [];
}

function placeProblems(zone: Zone, set: ResourceRecordSet): string[] {
  const apex = set.Name === zone.name;
  if (apex && (set.Type === "CNAME" || set.Type === "DS")) {
    return [`RRSet of type ${set.Type} with DNS name ${set.Name} is not permitted at apex in zone ${zone.name}`];
  }
  if (set.Type !== "SOA") return [];
  if (!apex) return [`RRSet of type SOA with DNS name ${set.Name} is not permitted in zone ${zone.name}`];
  return set.ResourceRecords?.length === 1 ? [] : ["A HostedZone must contain exactly one SOA record."];
}

/** The sets as they are after the changes. */
function overlay(sets: ZoneSets, changes: SetChanges, steps: readonly Step[]): ZoneSets {
  const keysOfName = Map.groupBy(steps, ({ set }) => set.Name);
  return {
    get: (key) => (changes.has(key) ? (changes.get(key) ?? undefined) : sets.get(key)),
    ofName: (name) => {
      const merged = new Map(sets.ofName(name));
      for (const { key } of keysOfName.get(name) ?? []) {
        const set = changes.get(key);
        if (set) merged.set(key, set);
        else merged.delete(key);
      }
      return [...merged];
    },
  };
}

function refuseIfAny(messages: readonly string[]): void {
  if (messages.length === 0) return;
  const distinct = [...new Set(messages)];
  throw new AwsError("InvalidChangeBatch", `[${distinct.join(", ")}]`, { details: { messages: distinct } });
}
