import type { Answer } from "../exchange/answer.ts";
import type { Around } from "../filters/around.ts";
import { forwardAction } from "../forwarding/forward-action.ts";
import type { BackendHandle } from "../live/backend-book.ts";
import type { Call } from "../pipeline/call.ts";
import { aggregateAction } from "./actions/aggregate.ts";
import { directResponseAction } from "./actions/direct-response.ts";
import { redirectAction } from "./actions/redirect.ts";
import type { CheckedRoute } from "./compile-route.ts";

type Act = (call: Call) => Answer | Promise<Answer>;
type BackendOf = (host: string, port: number) => BackendHandle;

/** What a route does in the end: a redirect before a direct answer, that before asking many, and all before destinations. */
export function routeAction({ kind, spec }: CheckedRoute, around: Around, backend: BackendOf): Act {
  if (kind === "APIRoute" && spec.redirect !== undefined) return redirectAction(spec.redirect, around);
  if (kind === "APIRoute" && spec.directResponse !== undefined)
    return directResponseAction(spec.directResponse, around);
  if (spec.aggregate?.enabled === true) return askMany(spec.aggregate, around, backend);
  const destinations = (spec.route ?? []).map(({ destination, weight }) => ({
    backend: backend(destination.host, destination.port),
    weight: weight ?? 100,
  }));
  const mirror = kind === "GraphQLRoute" ? undefined : spec.mirror?.destination;
  return forwardAction(spec, destinations, around, mirror && backend(mirror.host, mirror.port));
}

/** Each target is forwarded to by itself; how often it is asked again is the aggregate's business. */
function askMany(
  spec: NonNullable<CheckedRoute["spec"]["aggregate"]>,
  around: Around,
  backend: BackendOf,
): (call: Call) => Promise<Answer> {
  const ways = new Map<string, Act>();
  for (const [place, { name, destination, tls, authentication }] of spec.targets.entries()) {
    ways.set(name, forwardAction({}, [{ backend: backend(destination.host, destination.port), weight: 100 }], around));
    for (const [field, given] of [["tls", tls] as const, ["authentication", authentication] as const]) {
      if (given === undefined) continue;
      around.note({
        severity: "warning",
        field: `spec.aggregate.targets[${place}].${field}`,
        message: `has no effect here: name a Backend as the destination, and set ${field} there`,
      });
    }
  }
  return aggregateAction(spec, {
    ...around,
    ask: (target, call) => {
      const way = ways.get(target.name);
      if (way === undefined) throw new Error(`no way to ${target.name}`);
      return way(call);
    },
  });
}
