import type { Clock } from "@gatewright/ports";
import type { Cache, InformerHealth } from "../cache/informer.ts";
import type { Controller } from "../controller/controller.ts";
import type { Elector } from "../lease/elector.ts";
import type { HealthCheck } from "./manager.ts";

/** How long a watch may be silent: servers send a bookmark about once a minute. */
const SILENCE_MS = 300_000;
/** The same while the informer knows why it hears nothing: a server that restarts is back sooner. */
const FAILING_MS = 30_000;

/** One check for each informer: whole, and heard of lately. */
export function informerChecks(cache: Pick<Cache, "health">): readonly HealthCheck[] {
  return cache.health().map((informer) => {
    const { group, plural } = informer.resource;
    return {
      name: group === "" ? `cache/${plural}` : `cache/${plural}.${group}`,
      for: "ready",
      problem: () => informerProblem(informer),
    };
  });
}

function informerProblem({ synced, silentMs, problem }: InformerHealth): string | undefined {
  if (!synced) return problem === undefined ? "not listed yet" : `not listed yet: ${problem}`;
  if (silentMs <= (problem === undefined ? SILENCE_MS : FAILING_MS)) return undefined;
  const silence = `nothing heard from the API server for ${Math.round(silentMs / 1000)} s`;
  return problem === undefined ? silence : `${silence}: ${problem}`;
}

/** Whether it is known who leads. Following is as healthy as leading. */
export function leaseCheck(elector: Elector, clock: Clock): HealthCheck {
  const known = (): boolean =>
    elector.validUntil() > clock.monotonic() || elector.holder !== undefined || elector.epoch > 0;
  return { name: "lease", for: "ready", problem: () => (known() ? undefined : "the lease has not been read yet") };
}

/** Whether the reconciles of a controller end when they are told to. A restart is all that helps if not. */
export function controllerCheck(controller: Controller): HealthCheck {
  return {
    name: `controller/${controller.name}`,
    for: "live",
    problem() {
      const stuck = controller.stuck();
      return stuck.length === 0 ? undefined : `reconciles do not end though they were aborted: ${stuck.join(", ")}`;
    },
  };
}

/** What a check says; a check that throws has a problem. */
export function answerOf(check: HealthCheck): { readonly name: string; readonly problem: string | undefined } {
  try {
    return { name: check.name, problem: check.problem() };
  } catch {
    // What it threw may hold anything, and this is read without credentials.
    return { name: check.name, problem: "the check itself failed" };
  }
}
