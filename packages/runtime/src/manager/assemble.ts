import { systemClock, systemRandom } from "@gatewright/ports";
import type { Clock, Random } from "@gatewright/ports";
import { createCache } from "../cache/create-cache.ts";
import type { Cache } from "../cache/informer.ts";
import { createClient } from "../client/create-client.ts";
import type { Client } from "../client/client.ts";
import { createEventRecorder } from "../kit/create-event-recorder.ts";
import type { FlushingEventRecorder } from "../kit/create-event-recorder.ts";
import { createElector } from "../lease/create-elector.ts";
import type { ElectorDependencies } from "../lease/create-elector.ts";
import type { Elector } from "../lease/elector.ts";
import { gated } from "../lease/gated.ts";
import { slowPathMetric } from "../lease/slow-path-metric.ts";
import { openGate } from "../lease/write-gate.ts";
import type { WriteGate } from "../lease/write-gate.ts";
import { quietLog } from "@gatewright/telemetry";
import type { Log } from "@gatewright/telemetry";
import { LEASE_METRICS } from "../telemetry/metric-definitions.ts";
import { traced } from "../telemetry/traced.ts";
import { measured } from "../telemetry/request-metrics.ts";
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
  readonly gate: WriteGate;
  readonly events: FlushingEventRecorder;
}

/** Which server requests go to: a process has one, so a metric need not know its address. */
const SERVER = "apiserver";

/** Makes the parts of a process. Nothing is asked of the server yet. */
export function assemble(options: ManagerOptions): Parts {
  const { name, clock = systemClock, random = systemRandom, log = quietLog, metrics } = options;
  const followed = traced(options.transport);
  const transport = metrics === undefined ? followed : measured(followed, metrics, clock, SERVER);
  const manners = { userAgent: name, clock, random };
  const reading = createClient(transport, manners);
  const cache = createCache({ client: reading, clock, random, log, ...(metrics !== undefined && { metrics }) });
  const elector = electorOf(options, { transport, clock, random, log });
  const refusals = metrics?.counter(LEASE_METRICS.gateRefusals);
  const gate = elector ?? openGate;
  const held = gated(transport, gate, clock, (when) => refusals?.inc([when]));
  const client = createClient(held, { ...manners, observer: cache });
  return {
    clock,
    random,
    log,
    cache,
    elector,
    client,
    gate,
    ungated: createClient(transport, { ...manners, observer: cache }),
    events: createEventRecorder({ client, clock, random, reporter: name, log }),
  };
}

/** The elector that was given, or one for the lease; it tells how it stands as controller-runtime's do. */
function electorOf(
  { lease, metrics, elector: given }: ManagerOptions,
  dependencies: ElectorDependencies,
): Elector | undefined {
  if (lease === undefined) return given;
  const self = [lease.name];
  const elector = given ?? createElector(lease, { ...dependencies, changed: slowPathMetric(metrics, lease.name) });
  const leads = (): number => (elector.validUntil() > dependencies.clock.monotonic() ? 1 : 0);
  metrics?.gauge(LEASE_METRICS.leading).from(leads, self);
  metrics?.gauge(LEASE_METRICS.transitions).from(() => elector.epoch, self);
  return elector;
}
