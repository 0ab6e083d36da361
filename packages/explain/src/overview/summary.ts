import type { ApiObject, Immutable } from "@gatewright/kube";
import type { networking } from "@gatewright/kube/api";
import type { Application, ConnectedGateway, GatewayHostnameRequest, ManagedStatus } from "@gatewright/resources";
import { worse } from "../answer.ts";
import { objectLink } from "../explain/object-link.ts";
import { connectedState } from "../explain/connected-state.ts";
import { gatewayLink, gatewayAddress } from "../explain/gateway-state.ts";
import { routeState } from "../explain/route-state.ts";
import type { ParentedRoute } from "../explain/route-state.ts";
import type { OverviewRow } from "./overview.ts";
import type { Vocabulary } from "../reasons/catalogue.ts";

type Summary = Pick<OverviewRow, "state" | "reason" | "message" | "since" | "detail">;

const GATEWAY_API = "gateway.networking.k8s.io/";

/** How an object is by its own status, in a line. Pure. */
export function summaryOf(object: Immutable<ApiObject>, now: number): Summary {
  const { apiVersion, kind } = object;
  switch (kind) {
    case "Application":
      return application(object as Immutable<Application>, now);
    case "GatewayHostnameRequest": {
      const { spec, status } = object as Immutable<GatewayHostnameRequest>;
      return { ...byReady(object, ["hostnames"], now), detail: status?.url ?? spec.hostname };
    }
    case "Ingress":
      return ingress(object);
    case "ConnectedGateway":
      return { ...connectedState(object as Immutable<ConnectedGateway>), detail: detailOfConnected(object) };
    case "Gateway":
      return { ...told(gatewayLink(object as never, now)), detail: gatewayAddress(object as never) };
    default:
  }
  if (apiVersion.startsWith(GATEWAY_API)) {
    const route = object as Immutable<ParentedRoute>;
    return { ...told(routeState(route, now)), detail: (route.spec.hostnames ?? []).join(", ") };
  }
  if (apiVersion.startsWith("avapigw.io/")) {
    const { gateways = "" } = (object as { status?: { gateways?: string } }).status ?? {};
    return { ...byReady(object, ["routing"], now), detail: gateways === "" ? "" : `${gateways} gateways` };
  }
  const { resource } = ((object as { status?: ManagedStatus }).status ?? {}) as Partial<ManagedStatus>;
  return { ...byReady(object, ["infra"], now), detail: resource?.id ?? "" };
}

function application(object: Immutable<Application>, now: number): Summary {
  const ready = byReady(object, ["applications", "kubernetes"], now);
  const detail = object.status?.url ?? "";
  if (object.spec.expose === undefined) return { ...ready, detail };
  const exposed = told(
    objectLink(object, { type: "Exposed", words: ["applications", "hostnames", "gateway-api"], now }),
  );
  return { ...(worse(ready.state, exposed.state) === ready.state ? ready : exposed), detail };
}

function byReady(object: Immutable<ApiObject>, words: readonly Vocabulary[], now: number): Omit<Summary, "detail"> {
  return told(objectLink(object, { words, now }));
}

function told({ state, reason, message, since }: Omit<Summary, "detail">): Omit<Summary, "detail"> {
  return { state, reason, message, ...(since !== undefined && { since }) };
}

/** Says nothing of itself but where it is served. */
function ingress({ spec, status }: Immutable<networking.Ingress>): Summary {
  const hosts = (spec?.rules ?? []).flatMap(({ host }) => (host === undefined ? [] : [host]));
  const isServed = (status?.loadBalancer?.ingress ?? []).length > 0;
  return {
    state: isServed ? "ok" : "waiting",
    reason: isServed ? "Served" : "NotTaken",
    message: isServed ? "" : "No controller has given it an address.",
    detail: hosts.join(", "),
  };
}

function detailOfConnected(object: Immutable<ApiObject>): string {
  const { gateway } = (object as Immutable<ConnectedGateway>).spec;
  return `${gateway.namespace}/${gateway.podName ?? gateway.name}`;
}
