import { deepEqual, formatGroupResource } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";
import type { CancelTimer, Clock } from "@gatewright/ports";
import type { Cluster } from "../../cluster.ts";
import { aggregatedRules } from "./aggregated-rules.ts";
import { CLUSTER_ROLES } from "./rbac-object.ts";

const RETRY_MS = 1000;

export interface AggregateRolesDeps {
  readonly cluster: Cluster;
  readonly clock: Clock;
  /** Hears of failures that are going to be retried. */
  report(message: string, error: unknown): void;
}

/** Keeps the rules of ClusterRoles with an aggregationRule equal to those of the roles they select, until stopped. */
export class RoleAggregation {
  readonly #deps: AggregateRolesDeps;
  #dirty = false;
  #running: Promise<void> | undefined;
  #retry: CancelTimer | undefined;
  #end: (() => void) | undefined;

  private constructor(deps: AggregateRolesDeps) {
    this.#deps = deps;
  }

  static start(deps: AggregateRolesDeps): RoleAggregation {
    const aggregation = new RoleAggregation(deps);
    const table = deps.cluster.store.table(formatGroupResource(CLUSTER_ROLES));
    const end = table.watch(table.snapshot().revision, () => aggregation.#changed());
    if (end === "expired") throw new Error(`the newest revision of ${table.name} is outside of its own window`);
    aggregation.#end = end;
    aggregation.#changed();
    return aggregation;
  }

  /** Resolves when all roles are as they should be, or wait for a retry. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async stop(): Promise<void> {
    this.#end?.();
    this.#end = undefined;
    this.#retry?.();
    await this.idle();
  }

  #changed(): void {
    this.#dirty = true;
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
  }

  async #run(): Promise<void> {
    // Changes come in bursts (start-up, helm install): let the burst pass before looking.
    await Promise.resolve();
    while (this.#dirty) {
      this.#dirty = false;
      try {
        await this.#aggregate();
      } catch (error) {
        this.#deps.report("aggregating cluster roles failed", error);
        this.#retry?.();
        this.#retry = this.#deps.clock.timer(RETRY_MS, () => this.#changed());
      }
    }
  }

  async #aggregate(): Promise<void> {
    const { cluster } = this.#deps;
    const roles = [...cluster.list(CLUSTER_ROLES)];
    for (const role of roles) {
      const rules = aggregatedRules(role, roles) as Json | undefined;
      if (rules === undefined || deepEqual(rules, role["rules"] ?? [])) continue;
      await cluster.edit(CLUSTER_ROLES, "", role.metadata.name ?? "", (current) => {
        if (deepEqual(rules, current["rules"] ?? [])) return false;
        current["rules"] = rules;
        return true;
      });
    }
  }
}
