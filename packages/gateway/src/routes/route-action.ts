import type { Answer } from "../exchange/answer.ts";
import type { Around } from "../filters/around.ts";
import { forwardAction } from "../forwarding/forward-action.ts";
import type { BackendHandle } from "../live/backend-book.ts";
import type { Call } from "../pipeline/call.ts";
import { directResponseAction } from "./actions/direct-response.ts";
import { redirectAction } from "./actions/redirect.ts";
import type { CheckedRoute } from "./compile-route.ts";

/** What a route does in the end. A redirect is before a direct answer, and both are before destinations. */
export function routeAction(
  { kind, spec }: CheckedRoute,
  around: Around,
  backend: (host: string, port: number) => BackendHandle,
): (call: Call) => Answer | Promise<Answer> {
  if (kind === "APIRoute" && spec.redirect !== undefined) return redirectAction(spec.redirect, around);
  if (kind === "APIRoute" && spec.directResponse !== undefined)
    return directResponseAction(spec.directResponse, around);
  const destinations = (spec.route ?? []).map(({ destination, weight }) => ({
    backend: backend(destination.host, destination.port),
    weight: weight ?? 100,
  }));
  const mirror = kind === "GraphQLRoute" ? undefined : spec.mirror?.destination;
  const mirrorTo = mirror && backend(mirror.host, mirror.port);
  return forwardAction(spec, destinations, around, mirrorTo);
}
