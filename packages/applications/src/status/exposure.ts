import type { Immutable } from "@gatewright/kube";
import type { HTTPRoute } from "@gatewright/resources";
import type { Observation } from "../observation.ts";
import { REASON } from "./reason.ts";
import type { Fact } from "./verdict.ts";

/** Whether an Application answers at its hostname, and why not; undefined for one that is not exposed. Pure. */
export function judgeExposure({ app, exposure }: Observation): Fact | undefined {
  if (app.spec.expose === undefined) return undefined;
  if (exposure === undefined) return no(REASON.exposeUnavailable, "hostnames are not served in this cluster");
  const ready = exposure.request?.status?.conditions?.find(({ type }) => type === "Ready");
  if (exposure.request === undefined || ready === undefined || !isCurrent(exposure.request)) {
    return no(REASON.exposing, "the hostname has been asked for");
  }
  if (ready.status !== "True") return no(ready.reason, ready.message);
  return routeProblem(exposure.route) ?? { status: "True", reason: ready.reason, message: ready.message };
}

/** Where it answers from outside: only what the request says, so the name before this one while it is being replaced. */
export function exposedUrl({ app, exposure }: Observation): string | undefined {
  return app.spec.expose === undefined ? undefined : exposure?.request?.status?.url;
}

function isCurrent({ metadata, status }: NonNullable<NonNullable<Observation["exposure"]>["request"]>): boolean {
  return status?.observedGeneration === metadata.generation;
}

/** What keeps the load balancer from taking the route: it is enough that one parent takes it, since a hostname may move. */
function routeProblem(route: Immutable<HTTPRoute> | undefined): Fact | undefined {
  if (route === undefined) return no(REASON.exposing, "the route is yet to be made");
  const generation = route.metadata.generation ?? 0;
  let problem = no(REASON.exposing, "the load balancer has not taken the route yet");
  for (const { conditions = [] } of route.status?.parents ?? []) {
    const current = conditions.filter(({ observedGeneration }) => (observedGeneration ?? 0) >= generation);
    const failed = current.find(({ type, status }) => type !== "PartiallyInvalid" && status === "False");
    if (failed === undefined && current.some(({ type, status }) => type === "Accepted" && status === "True")) {
      return undefined;
    }
    if (failed !== undefined) problem = no(failed.reason, `the route is not taken: ${failed.message}`);
  }
  return problem;
}

function no(reason: string, message: string): Fact {
  return { status: "False", reason, message };
}
