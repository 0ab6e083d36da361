import type { Immutable } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import { deadline, sleep } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import { countProbe, probeVerdict } from "./probe-count.ts";
import type { ProbeCount } from "./probe-count.ts";
import { runProbe } from "./run-probe.ts";
import type { ProbeTarget } from "./probe-target.ts";

export type ProbeKind = "Startup" | "Liveness" | "Readiness";

export interface ProbeListener {
  /** The verdict about a container: told when it is found for the first time, and when it changes. */
  verdict(kind: ProbeKind, ok: boolean): void;
  /** One probe failed, whatever that means for the verdict. */
  failed(kind: ProbeKind, output: string): void;
}

/**
 * Probes a container until the signal aborts: first for its startup, then for liveness and readiness at the same time. After a failed
 * startup or liveness there is nothing left to be found out, and that probe ends.
 */
export async function probeContainer(
  target: ProbeTarget,
  listener: ProbeListener,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const { startupProbe, livenessProbe, readinessProbe } = target.spec;
  const bornAt = clock.monotonic();
  const loop = (kind: ProbeKind, probe: Immutable<core.Probe> | undefined): Promise<void> =>
    probe === undefined ? Promise.resolve() : probing({ kind, probe, target, listener, clock, bornAt }, signal);
  try {
    await loop("Startup", startupProbe);
    signal.throwIfAborted();
    await Promise.all([loop("Liveness", livenessProbe), loop("Readiness", readinessProbe)]);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

interface Probing {
  readonly kind: ProbeKind;
  readonly probe: Immutable<core.Probe>;
  readonly target: ProbeTarget;
  readonly listener: ProbeListener;
  readonly clock: Clock;
  readonly bornAt: number;
}

/** Ends when nothing more can come of it. Rejects when the signal aborts. */
async function probing({ kind, probe, target, listener, clock, bornAt }: Probing, signal: AbortSignal): Promise<void> {
  const { initialDelaySeconds = 0, periodSeconds = 10, timeoutSeconds = 1 } = probe;
  const thresholds = { success: probe.successThreshold ?? 1, failure: probe.failureThreshold ?? 3 };
  let count: ProbeCount | undefined;
  let told: boolean | undefined;
  const first = bornAt + initialDelaySeconds * 1000 - clock.monotonic();
  if (first > 0) await sleep(clock, first, signal);
  for (;;) {
    using limit = deadline(clock, timeoutSeconds * 1000, signal);
    const result = await runProbe(probe, target, limit.signal);
    signal.throwIfAborted();
    if (!result.ok) listener.failed(kind, result.output);
    count = countProbe(count, result.ok);
    const verdict = probeVerdict(count, thresholds);
    if (verdict !== undefined && verdict !== told) {
      told = verdict;
      listener.verdict(kind, verdict);
      if (kind === "Startup" && verdict) return;
      if (kind !== "Readiness" && !verdict) await stuck(signal);
    }
    await sleep(clock, periodSeconds * 1000, signal);
  }
}

/** The container will be restarted: until then its other probes must not begin or go on as if it were well. */
function stuck(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) =>
    signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
  );
}
