/** `aggregate` of a route. */
export interface AggregateSpec {
  readonly enabled?: boolean;
  readonly targets?: readonly AggregateTarget[];
  /** How many are asked at the same time. Default 8. */
  readonly maxParallel?: number;
  /** `all` (default), `any`, or `quorum`. */
  readonly failMode?: string;
  /** With `quorum`; default more than half. */
  readonly quorumCount?: number;
  readonly merge?: AggregateMerge;
  readonly perMessageMerge?: boolean;
  readonly spool?: { readonly enabled?: boolean; readonly backend?: string };
}

/** One that is asked. */
export interface AggregateTarget {
  readonly name: string;
  readonly destination: { readonly host: string; readonly port: number };
  readonly timeout?: string;
  /** How often it is asked again after no answer or a server's error, for methods that may be repeated. */
  readonly retries?: number;
}

/** How many answers become one. Not enabled: one field a target, under its name. */
export interface AggregateMerge {
  readonly enabled?: boolean;
  /** `deep` (default), `shallow`, `replace`, `ndjson`. */
  readonly strategy?: string;
  /** Items of arrays with the same value here are one, merged. */
  readonly keyField?: string;
  /** Items are ordered by this field, the earliest first. */
  readonly timeField?: string;
  /** How many items of an array stay. 0: all. */
  readonly limit?: number;
}
