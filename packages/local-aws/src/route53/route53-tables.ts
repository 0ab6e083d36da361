import type { Records, State } from "../state/state.ts";
import type { SetVersions } from "./set-versions.ts";
import type { Zone } from "./zone.ts";

/** A request that was accepted, for GetChange. */
export interface StoredChange {
  readonly account: string;
  readonly comment?: string | undefined;
  readonly submitted: number;
  readonly synced: number;
}

/** What Route 53 remembers. */
export interface Route53Tables {
  /** By id. */
  readonly zones: Records<Zone>;
  /** Ids of public zones by name and age, for DNS. */
  readonly publicNames: Records<string>;
  /** By `setKey`. */
  readonly sets: Records<SetVersions>;
  /** Keys of deleted sets that are kept until DNS has forgotten them; the moment when it has. */
  readonly deleted: Records<number>;
  /** By id; ids rise with time. */
  readonly changes: Records<StoredChange>;
}

export function route53Tables(state: State): Route53Tables {
  return {
    zones: state.records("route53/zones"),
    publicNames: state.records("route53/public-names"),
    sets: state.records("route53/sets"),
    deleted: state.records("route53/deleted-sets"),
    changes: state.records("route53/changes"),
  };
}

/** Where a public zone is found by its name: the oldest of a name comes first. */
export function publicNameKey(zone: Zone): string {
  return `${zone.name} ${String(zone.created).padStart(15, "0")} ${zone.id}`;
}
