import type { Certificates } from "../neighbours.ts";
import type { AwsWorld } from "../world.ts";
import type { Place } from "./arn.ts";
import type { Quotas } from "./quotas.ts";
import type { TargetGroupRecord, TargetRecord } from "./records.ts";
import type { ElbStore } from "./store.ts";

/** What is seen of a target by those who check it. */
export interface SeenHealth {
  readonly state: "initial" | "healthy" | "unhealthy" | "unavailable";
  readonly reason?: string;
  readonly description?: string;
}

/** Who checks targets: the balancer where it runs. */
export interface TargetHealthSource {
  /** Undefined for a target that is not checked. */
  healthOf(group: TargetGroupRecord, target: TargetRecord): SeenHealth | undefined;
}

/** Where a subnet is, when somebody knows. */
export interface SubnetFacts {
  readonly zone: string;
  readonly vpcId: string;
}

/** What the operations stand on. */
export interface Ground {
  readonly world: AwsWorld;
  readonly store: ElbStore;
  readonly quotas: Quotas;
  readonly certificates: Certificates;
  readonly health: TargetHealthSource;
  readonly subnetOf: (place: Place, subnetId: string) => SubnetFacts | undefined;
}
