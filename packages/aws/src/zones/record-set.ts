/** A record set of a zone as Gatewright speaks of it. */
export interface RecordSet {
  /** Canonical: lower case, no dot at the end, `*` as itself. */
  readonly name: string;
  readonly type: string;
  readonly ttl?: number;
  readonly values?: readonly string[];
  readonly alias?: {
    readonly dnsName: string;
    readonly zoneId: string;
    readonly evaluateTargetHealth: boolean;
  };
  readonly setIdentifier?: string;
  readonly weight?: number;
  readonly failover?: "PRIMARY" | "SECONDARY";
  readonly healthCheckId?: string;
  /** Has properties that are not told here (geography, latency …). Gatewright makes no such set; it equals none, and cannot be deleted by what is told. */
  readonly foreign?: true;
}

/** One thing to be done to a zone. */
export type RecordChange =
  /** Refused where something else is; where the same is, it is done. */
  | { readonly action: "create"; readonly record: RecordSet }
  /** Refused where something else is; where nothing is, it is done. */
  | { readonly action: "delete"; readonly record: RecordSet }
  /** One atomic swap. Where `from` is gone already, `to` is created. */
  | { readonly action: "replace"; readonly from: RecordSet; readonly to: RecordSet };
