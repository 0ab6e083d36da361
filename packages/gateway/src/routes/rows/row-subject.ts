import type { Finding } from "../../configuration/objects.ts";
import type { MatchRow } from "../../table/match-row.ts";

/** What rows need to know about their object besides its spec and its route. */
export interface RowSubject {
  /** Of the object's content, for findings. */
  readonly version: string;
  /** RFC 3339. Absent: newer than all others. */
  readonly createdAt?: string;
}

/** The ways to a route. With an error among the findings there are none. */
export interface RouteRows {
  readonly rows: readonly MatchRow[];
  readonly findings: readonly Finding[];
}
