import type { Operations, ResourceRecordSet } from "@gatewright/aws-wire/types/route53";
import { AwsError } from "../aws-error.ts";
import { parseDomainName } from "../dns/domain-name.ts";
import { RECORD_TYPES } from "../dns/record-type.ts";
import type { Handlers } from "../service.ts";
import { acceptChange, changeInfo } from "./accept-change.ts";
import { decideBatch } from "./change-batch.ts";
import type { ZoneSets } from "./change-batch.ts";
import { bareId, findIdleZone, findZone, maxItems } from "./find-zone.ts";
import type { Route53Context } from "./route53-context.ts";
import { namePrefix, setKey, treePrefix } from "./set-key.ts";
import { currentSet } from "./set-versions.ts";
import type { Zone } from "./zone.ts";

const LARGEST_PAGE = 300;
const LONGEST_COMMENT = 256;

/** Records changed and listed, and what became of a change. */
export function recordOperations(context: Route53Context): Handlers<Operations> {
  const { world, tables } = context;
  return {
    ChangeResourceRecordSets: async ({ HostedZoneId, ChangeBatch }, call) => {
      const zone = findIdleZone(context, HostedZoneId, call);
      if ((ChangeBatch.Comment?.length ?? 0) > LONGEST_COMMENT) {
        throw new AwsError("InvalidInput", `Comment must have at most ${LONGEST_COMMENT} characters`);
      }
      const changes = decideBatch(zone, ChangeBatch.Changes, setsOf(context, zone), context.loadBalancers);
      const accepted = acceptChange(context, zone, changes, ChangeBatch.Comment);
      await world.state.commit(accepted.commit);
      return { ChangeInfo: accepted.info };
    },

    GetChange: ({ Id }, call) => {
      const id = bareId(Id, "change", "id");
      const change = tables.changes.get(id);
      if (!change || change.account !== call.account) {
        throw new AwsError("NoSuchChange", `Could not find resource with ID: ${id}`, { status: 404 });
      }
      return { ChangeInfo: changeInfo(id, change, world.clock.now()) };
    },

    ListResourceRecordSets: (input, call) => {
      const zone = findZone(context, input.HostedZoneId, call);
      const size = maxItems(input.MaxItems, LARGEST_PAGE);
      const page: ResourceRecordSet[] = [];
      for (const [, versions] of tables.sets.scan(`${zone.id}/`, startKey(zone.id, input))) {
        const set = currentSet(versions);
        if (!set) continue;
        if (page.length === size) return { ...lastPage(page, size), IsTruncated: true, ...next(set) };
        page.push(set);
      }
      return lastPage(page, size);
    },
  };
}

/** The sets of a zone as the API shows them. */
function setsOf({ tables }: Route53Context, zone: Zone): ZoneSets {
  return {
    get: (key) => currentSet(tables.sets.get(key)),
    ofName: (name) =>
      tables.sets.list(namePrefix(zone.id, name)).flatMap(([key, versions]) => {
        const set = currentSet(versions);
        return set ? [[key, set] as const] : [];
      }),
  };
}

function lastPage(sets: readonly ResourceRecordSet[], size: number) {
  return { ResourceRecordSets: sets, IsTruncated: false, MaxItems: String(size) };
}

function next(set: ResourceRecordSet) {
  return {
    NextRecordName: set.Name,
    NextRecordType: set.Type,
    ...(set.SetIdentifier !== undefined && { NextRecordIdentifier: set.SetIdentifier }),
  };
}

function startKey(
  zone: string,
  start: {
    readonly StartRecordName?: string | undefined;
    readonly StartRecordType?: string | undefined;
    readonly StartRecordIdentifier?: string | undefined;
  },
): string {
  const { StartRecordName: name, StartRecordType: type, StartRecordIdentifier: identifier } = start;
  if (name === undefined) {
    if (type !== undefined) throw new AwsError("InvalidInput", "The request has a start type but no start name.");
    return `${zone}/`;
  }
  const parsed = parseDomainName(name);
  if (typeof parsed !== "string")
    throw new AwsError("InvalidInput", `${name.slice(0, 255)} is not a valid domain name`);
  if (type === undefined) {
    if (identifier !== undefined)
      throw new AwsError("InvalidInput", "The request has a start identifier but no start type.");
    return treePrefix(zone, parsed);
  }
  if (!RECORD_TYPES.includes(type)) throw new AwsError("InvalidInput", `Unknown record type: ${type.slice(0, 32)}`);
  return setKey(zone, parsed, type, identifier);
}
