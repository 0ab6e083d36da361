import type { ListResourceRecordSetsResponse } from "@gatewright/aws-wire/types/route53";
import type { Route53Calls } from "../services/route53.ts";
import { canonicalName, recordKey } from "./canonical.ts";
import type { RecordSet } from "./record-set.ts";
import { fromWire } from "./wire-record.ts";

const FEW = 10;
const MANY = 300;

/**
 * What a zone has at names, by name: an empty list for a name with nothing. One call a name at most, and no more than the whole zone
 * takes: a page tells of all names between its first and its last. Live, but not of one moment.
 */
export async function readNames(
  calls: Pick<Route53Calls, "listResourceRecordSets">,
  zoneId: string,
  names: Iterable<string>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly RecordSet[]>> {
  // A set that comes twice counts once.
  const found = new Map<string, Map<string, RecordSet>>();
  for (const name of names) found.set(canonicalName(name), new Map());
  const wanted = [...found.keys()].toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  const MaxItems = String(wanted.length > 1 ? MANY : FEW);
  for (let at = 0; at < wanted.length;) {
    let start: object = { StartRecordName: `${wanted[at] ?? ""}.` };
    for (;;) {
      const page = await calls.listResourceRecordSets({ HostedZoneId: zoneId, MaxItems, ...start }, { signal });
      for (const set of page.ResourceRecordSets) put(found, fromWire(set));
      if (!page.IsTruncated || page.NextRecordName === undefined) return listed(found);
      const next = sortKey(canonicalName(page.NextRecordName));
      const from = at;
      while (at < wanted.length && sortKey(wanted[at] ?? "") < next) at++;
      if (at < wanted.length && sortKey(wanted[at] ?? "") === next) {
        start = nextStart(page);
        continue;
      }
      // Whatever the order of the listing, a page begins with the name that was asked for.
      if (at === from) at++;
      break;
    }
  }
  return listed(found);
}

function put(found: ReadonlyMap<string, Map<string, RecordSet>>, record: RecordSet): void {
  found.get(record.name)?.set(recordKey(record), record);
}

function listed(found: ReadonlyMap<string, ReadonlyMap<string, RecordSet>>): Map<string, readonly RecordSet[]> {
  return new Map([...found].map(([name, records]) => [name, [...records.values()]]));
}

/** Where a listing goes on after a page. */
export function nextStart(page: ListResourceRecordSetsResponse): object {
  return {
    StartRecordName: page.NextRecordName,
    StartRecordType: page.NextRecordType,
    ...(page.NextRecordIdentifier !== undefined && { StartRecordIdentifier: page.NextRecordIdentifier }),
  };
}

/** Sorts as Route 53 lists: by labels from the right, with the dot after each. */
function sortKey(name: string): string {
  return `${name.split(".").toReversed().join(".")}.`;
}
