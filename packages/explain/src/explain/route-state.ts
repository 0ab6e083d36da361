import type { Immutable } from "@gatewright/kube";
import type { GRPCRoute, HTTPRoute } from "@gatewright/resources";
import type { Cause } from "../chain.ts";
import { conditionLink, link } from "../link.ts";
import type { LinkInput } from "../link.ts";
import { subjectOfObject } from "../subject.ts";
import { unseen } from "./object-link.ts";

export type ParentedRoute = HTTPRoute | GRPCRoute;

/** A route of the Gateway API: taken if one parent takes it, since a hostname may be on two while it moves. */
export function routeState(
  route: Immutable<ParentedRoute>,
  now: number,
  rest: Partial<Pick<LinkInput, "on" | "also">> = {},
): Cause {
  const { kind, metadata, spec, status } = route;
  const about = { title: `${kind} ${metadata.name ?? ""}`, subject: subjectOfObject(route), ...rest };
  if ((spec.parentRefs ?? []).length === 0) {
    const message = "It names no parent, so nobody serves it.";
    return link({ ...about, state: "broken", reason: "NoMatchingParent", message, words: ["gateway-api"] });
  }
  const parents = (status?.parents ?? []).map(({ conditions }) => {
    const [accepted, failed] = [
      conditions.find(({ type }) => type === "Accepted"),
      conditions.find(({ type, status: held }) => type !== "PartiallyInvalid" && held !== "True"),
    ];
    const condition = failed ?? accepted;
    return condition === undefined
      ? undefined
      : conditionLink({ ...about, condition, generation: metadata.generation, words: ["gateway-api"], now });
  });
  const [first] = parents.filter((each) => each !== undefined);
  const taken = parents.find((each) => each?.state === "ok");
  return taken ?? first ?? link({ ...about, ...unseen(metadata.creationTimestamp, now) });
}
