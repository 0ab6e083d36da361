import { hostOf } from "../exchange/authority.ts";
import { matchedBy } from "./compiled-row.ts";
import { findRow } from "./find-row.ts";
import { addRow, isEmpty, noRoutes, removeRow } from "./host-routes.ts";
import type { HostRoutes } from "./host-routes.ts";
import { LayeredMap } from "./layered-map.ts";
import type { MatchRow } from "./match-row.ts";
import type { MatchedRoute, Question, RouteTable } from "./route-table.ts";

/** Rows to leave out, as they were given, and rows to take in. Of a row that is not there nothing is left out. */
export interface TableEdit {
  readonly remove: Iterable<MatchRow>;
  readonly add: Iterable<MatchRow>;
}

/** A group of rows that a host is looked up in: `routes` under `name` (`a.example.com`, `*.example.com` or `*`). */
export interface HostGroup {
  readonly name: string;
  readonly routes: HostRoutes;
}

/**
 * Finds routes by host, then path, then everything else. The most specific host is asked first; where none of its rows holds, the
 * less specific ones are. The cost of a lookup does not depend on how many routes there are, that of an edit hardly.
 */
export class RoutingTable implements RouteTable {
  readonly #exact: LayeredMap<HostRoutes>;
  /** By what follows the star: `.example.com`. */
  readonly #wildcards: LayeredMap<HostRoutes>;
  readonly #any: HostRoutes | undefined;
  /** No wildcard is longer. Removing rows does not lower it. */
  readonly #longestWildcard: number;

  private constructor(
    exact: LayeredMap<HostRoutes>,
    wildcards: LayeredMap<HostRoutes>,
    any: HostRoutes | undefined,
    longestWildcard: number,
  ) {
    this.#exact = exact;
    this.#wildcards = wildcards;
    this.#any = any;
    this.#longestWildcard = longestWildcard;
  }

  static empty(): RoutingTable {
    const owner = {};
    return new RoutingTable(LayeredMap.empty(owner), LayeredMap.empty(owner), undefined, 0);
  }

  match(question: Question): MatchedRoute | undefined {
    const host = hostOf(question.head.authority);
    const exact = this.#exact.get(host);
    if (exact !== undefined) {
      const found = findRow(exact, question, host);
      if (found !== undefined) return matchedBy(found, question);
    }
    if (this.#longestWildcard > 0) {
      for (let dot = this.#firstDot(host); dot !== -1; dot = host.indexOf(".", dot + 1)) {
        const routes = this.#wildcards.get(host.slice(dot));
        const found = routes === undefined ? undefined : findRow(routes, question, host);
        if (found !== undefined) return matchedBy(found, question);
      }
    }
    const found = this.#any === undefined ? undefined : findRow(this.#any, question, host);
    return found === undefined ? undefined : matchedBy(found, question);
  }

  /** The groups that a host is looked up in, in this order. */
  groups(host: string): HostGroup[] {
    const groups: HostGroup[] = [];
    const exact = this.#exact.get(host);
    if (exact !== undefined) groups.push({ name: host, routes: exact });
    for (let dot = this.#firstDot(host); dot !== -1; dot = host.indexOf(".", dot + 1)) {
      const routes = this.#wildcards.get(host.slice(dot));
      if (routes !== undefined) groups.push({ name: `*${host.slice(dot)}`, routes });
    }
    if (this.#any !== undefined) groups.push({ name: "*", routes: this.#any });
    return groups;
  }

  /** The table after an edit; this one stays as it is. Throws for a pattern that is not RE2. */
  edited(edit: TableEdit): RoutingTable {
    const owner = {};
    let exact = this.#exact;
    let wildcards = this.#wildcards;
    let any = this.#any;
    let longest = this.#longestWildcard;
    const change = (row: MatchRow, how: (routes: HostRoutes, row: MatchRow, owner: object) => HostRoutes): void => {
      const { host } = row;
      const changed = (routes: HostRoutes | undefined): HostRoutes | undefined => {
        const next = how(routes ?? noRoutes(owner), row, owner);
        return isEmpty(next) ? undefined : next;
      };
      if (host === undefined) any = changed(any);
      else if (host.startsWith("*.")) {
        const suffix = host.slice(1);
        wildcards = wildcards.set(suffix, changed(wildcards.get(suffix)), owner);
        longest = Math.max(longest, suffix.length);
      } else exact = exact.set(host, changed(exact.get(host)), owner);
    };
    for (const row of edit.remove) change(row, removeRow);
    for (const row of edit.add) change(row, addRow);
    return new RoutingTable(exact, wildcards, any, longest);
  }

  /** The first dot that a wildcard may begin at: at least one character comes before it. */
  #firstDot(host: string): number {
    return host.indexOf(".", Math.max(1, host.length - this.#longestWildcard));
  }
}

/** A table of these rows. Throws for a pattern that is not RE2. */
export function buildTable(rows: Iterable<MatchRow>): RoutingTable {
  return RoutingTable.empty().edited({ remove: [], add: rows });
}

/** The table after an edit, which costs what it changes, not what the table holds. The given table stays as it is. */
export function updateTable(table: RoutingTable, edit: TableEdit): RoutingTable {
  return table.edited(edit);
}
