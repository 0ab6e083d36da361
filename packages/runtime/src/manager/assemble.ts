import { systemClock, systemRandom } from "@gatewright/ports";
import type { Clock, Random } from "@gatewright/ports";
import { createCache } from "../cache/create-cache.ts";
import type { Cache } from "../cache/informer.ts";
import { createClient } from "../client/create-client.ts";
import type { Client } from "../client/client.ts";
import type { EventRecorder } from "../kit/event-recorder.ts";
import { createElector } from "../lease/create-elector.ts";
import type { Elector } from "../lease/elector.ts";
import { gated } from "../lease/gated.ts";
import { openGate } from "../lease/write-gate.ts";
import { quietLog } from "../telemetry/log.ts";
import type { Log } from "../telemetry/log.ts";
import { LEASE_METRICS } from "../telemetry/metric-definitions.ts";
import type { ManagerOptions } from "./manager.ts";

/** The parts of a process that a manager runs, wired to each other. */
export interface Parts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly cache: Cache;
  readonly elector: Elector | undefined;
  /** Gated by the lease, and seen by the cache. */
  readonly client: Client;
  readonly ungated: Client;
  readonly events: EventRecorder;
}

/** Makes the parts of a process. Nothing is asked of the server yet. */
export function assemble(options: ManagerOptions): Parts {
  const { name, transport, clock = systemClock, random = systemRandom, log = quietLog, metrics, lease } = options;
  const manners = { userAgent: name, clock, random };
  const reading = createClient(transport, manners);
  const cache = createCache({ client: reading, clock, random, log, ...(metrics !== undefined && { metrics }) });
  const elector =
    options.elector ?? (lease === undefined ? undefined : createElector(lease, { transport, clock, random, log }));
  const refusals = metrics?.counter(LEASE_METRICS.gateRefusals);
  const gate = gated(transport, elector ?? openGate, clock, (when) => refusals?.inc([when]));
  if (elector !== undefined && lease !== undefined) {
    const leads = (): number => (elector.validUntil() > clock.monotonic() ? 1 : 0);
    metrics?.gauge(LEASE_METRICS.leading).from(leads, [lease.name]);
    metrics?.gauge(LEASE_METRICS.transitions).from(() => elector.epoch, [lease.name]);
  }
  return {
    clock,
    random,
    log,
    cache,
    elector,
    client: createClient(gate, { ...manners, observer: cache }),
    ungated: createClient(transport, { ...manners, observer: cache }),
    events: { record() {} },
  };
}
