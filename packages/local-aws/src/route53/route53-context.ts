import type { ResourceRecordSet } from "@gatewright/aws-wire/types/route53";
import type { LoadBalancerNames } from "../neighbours.ts";
import type { AwsWorld } from "../world.ts";
import type { Route53Tables } from "./route53-tables.ts";

/** What every operation of Route 53 stands on. */
export interface Route53Context {
  readonly world: AwsWorld;
  readonly tables: Route53Tables;
  readonly loadBalancers: LoadBalancerNames;
  /** Whether a zone refuses changes while it works on one. */
  readonly oneAtATime: boolean;
}

/** What an operation changes about record sets: by key, null for those that go. */
export type SetChanges = ReadonlyMap<string, ResourceRecordSet | null>;
