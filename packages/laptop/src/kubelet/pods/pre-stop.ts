import { deadline, sleep } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import { runProbe } from "../probes/run-probe.ts";
import type { ProbeResult, ProbeTarget } from "../probes/probe-target.ts";

/** Does what a container wants done before it is asked to end. Takes no longer than `graceMs`. */
export async function preStop(target: ProbeTarget, clock: Clock, graceMs: number): Promise<ProbeResult> {
  const hook = target.spec.lifecycle?.preStop;
  if (hook === undefined || graceMs <= 0) return { ok: true };
  if (hook.sleep !== undefined) {
    await sleep(clock, Math.min(hook.sleep.seconds * 1000, graceMs));
    return { ok: true };
  }
  // Nothing would answer: a played container takes its hook as done.
  if (target.container.simulated) return { ok: true };
  using limit = deadline(clock, graceMs);
  return runProbe(hook, target, limit.signal);
}
