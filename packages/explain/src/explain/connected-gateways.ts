import type { Immutable } from "@gatewright/kube";
import { ConnectedGateway, GATEWAY_LABEL } from "@gatewright/resources";
import type { Cause } from "../chain.ts";
import type { Known } from "../known.ts";
import { link, unreadLink } from "../link.ts";
import { subjectOfObject } from "../subject.ts";
import { connectedState } from "./connected-state.ts";

/** A gateway that is connected to the operator. */
export function connectedLink(gateway: Immutable<ConnectedGateway>): Cause {
  const { gateway: who } = gateway.spec;
  const title = `Gateway ${who.namespace}/${who.podName ?? who.name}`;
  const { since, ...state } = connectedState(gateway);
  return link({ title, subject: subjectOfObject(gateway), ...state, since });
}

/** The gateways that should have an object, by what is connected; `object` is how they call it: `APIRoute shop/orders`. */
export function gatewayLinks(known: Known, object: string, label: string | undefined): readonly Cause[] {
  const seen = known.list(ConnectedGateway, {});
  if (seen.state === "unknown") return [unreadLink("Gateways", seen.problem)];
  const wanted = seen.items.filter(({ spec }) => isMeant(spec.gateway, object, label));
  if (wanted.length === 0) {
    const others = seen.items.length === 0 ? "" : ` ${seen.items.length} are that should not have it.`;
    const message = `No gateway is connected to the operator that should have it.${others}`;
    const also = [{ text: "See who is connected.", command: "gatewright gateways" }];
    return [link({ title: "Gateways", state: "broken", reason: "NothingConnected", message, also })];
  }
  return wanted.slice(0, 8).map((gateway) => ownWords(gateway, object));
}

type Who = Immutable<ConnectedGateway>["spec"]["gateway"];

function isMeant({ name, labels, namespaces }: Who, object: string, label: string | undefined): boolean {
  const namespace = object.slice(object.indexOf(" ") + 1, object.indexOf("/"));
  if (namespaces !== undefined && namespaces.length > 0 && !namespaces.includes(namespace)) return false;
  return label === undefined || label === name || labels?.[GATEWAY_LABEL] === label;
}

/** What a gateway says of this object. That it refused another is no matter here. */
function ownWords(gateway: Immutable<ConnectedGateway>, object: string): Cause {
  const { spec } = gateway;
  const refusals = (spec.refusals ?? []).filter((refusal) => refusal.object === object);
  const own = { ...spec, refused: refusals.length, refusals };
  return connectedLink({ ...gateway, spec: own });
}
