import { deadline } from "@gatewright/ports";
import type { CancelTimer } from "@gatewright/ports";
import type { SeenHealth, TargetHealthSource } from "../elbv2/ground.ts";
import type { TargetGroupRecord, TargetRecord } from "../elbv2/records.ts";
import { targetKey } from "../elbv2/store.ts";
import type { AwsWorld } from "../world.ts";
import { FIRST_HEALTH, stepHealth } from "./health-step.ts";
import type { Finding, HealthState } from "./health-step.ts";
import { probe } from "./probe.ts";
import type { ProbedAt } from "./probe.ts";

/** However fast time is set to pass, a target is left alone for this long between two checks. */
const LEAST_INTERVAL_MS = 100;

interface Checked {
  group: TargetGroupRecord;
  target: TargetRecord;
  state: HealthState;
  cancel: CancelTimer;
  readonly stop: AbortController;
}

/** A target that shall be checked. */
export interface ToCheck {
  readonly group: TargetGroupRecord;
  readonly target: TargetRecord;
}

export interface HealthChecksOptions {
  readonly world: Pick<AwsWorld, "clock" | "pace">;
  readonly addressOf: (group: TargetGroupRecord, target: TargetRecord) => ProbedAt | undefined;
  /** Default: over the network. */
  readonly probe?: typeof probe;
}

/** Checks targets again and again, and remembers what it saw as long as they are there. */
export class HealthChecks implements TargetHealthSource {
  readonly #options: HealthChecksOptions;
  readonly #checked = new Map<string, Checked>();

  constructor(options: HealthChecksOptions) {
    this.#options = options;
  }

  healthOf(group: TargetGroupRecord, { id, port }: TargetRecord): SeenHealth | undefined {
    return this.#checked.get(targetKey(group.arn, id, port))?.state.seen;
  }

  /** Says which targets there are now: new ones are checked at once, those that are gone no more. */
  follow(wanted: Iterable<ToCheck>): void {
    const keep = new Set<string>();
    for (const { group, target } of wanted) {
      const key = targetKey(group.arn, target.id, target.port);
      keep.add(key);
      const known = this.#checked.get(key);
      if (known !== undefined && known.target.registeredAt === target.registeredAt) {
        known.group = group;
        known.target = target;
        continue;
      }
      known?.stop.abort();
      known?.cancel();
      const fresh: Checked = { group, target, state: FIRST_HEALTH, cancel: () => {}, stop: new AbortController() };
      this.#checked.set(key, fresh);
      void this.#check(fresh);
    }
    for (const [key, gone] of this.#checked) if (!keep.has(key)) this.#drop(key, gone);
  }

  close(): void {
    for (const [key, each] of this.#checked) this.#drop(key, each);
  }

  #drop(key: string, gone: Checked): void {
    gone.stop.abort();
    gone.cancel();
    this.#checked.delete(key);
  }

  async #check(checked: Checked): Promise<void> {
    const { clock, pace } = this.#options.world;
    const { settings } = checked.group;
    const finding = await this.#find(checked);
    if (checked.stop.signal.aborted) return;
    checked.state = stepHealth(checked.state, finding, {
      healthy: settings.HealthyThresholdCount ?? 5,
      unhealthy: settings.UnhealthyThresholdCount ?? 2,
    });
    const interval = (settings.HealthCheckIntervalSeconds ?? 30) * 1000 * pace.durations;
    checked.cancel = clock.timer(Math.max(LEAST_INTERVAL_MS, interval), () => void this.#check(checked));
  }

  async #find({ group, target, stop }: Checked): Promise<Finding> {
    const { settings } = group;
    const { HealthCheckPort: own = "traffic-port" } = settings;
    const at = this.#options.addressOf(group, own === "traffic-port" ? target : { ...target, port: Number(own) });
    if (at === undefined) {
      return {
        ok: false,
        reason: "Target.FailedHealthChecks",
        description: `No address is known for target '${target.id}'`,
      };
    }
    using time = deadline(this.#options.world.clock, (settings.HealthCheckTimeoutSeconds ?? 5) * 1000, stop.signal);
    return await (this.#options.probe ?? probe)(settings, at, time.signal);
  }
}
