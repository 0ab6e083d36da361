import type { Immutable } from "@gatewright/kube";
import { DomainClaim, Gateway, GatewayHostnameRequest, HostnameGrant } from "@gatewright/resources";
import type { Cause } from "../chain.ts";
import type { Known } from "../known.ts";
import { link, unreadLink } from "../link.ts";
import { subjectOf, subjectOfObject } from "../subject.ts";
import { gatewayLink } from "./gateway-state.ts";
import { requestLink } from "./hostname.ts";
import { routeState } from "./route-state.ts";
import type { ParentedRoute } from "./route-state.ts";
import { serviceLink } from "./service.ts";

type Route = Immutable<ParentedRoute>;

export interface HttpRouteOptions {
  /** `known`: whoever asks tells of the hostname and the Gateway itself. Default: they are followed. */
  readonly hostname?: "known";
}

/** A route of the Gateway API: who takes it, where it leads, and whether its names are the namespace's. */
export function httpRouteLink(known: Known, route: Route, { hostname }: HttpRouteOptions = {}): Cause {
  const on = [
    ...(hostname === "known" ? [] : [...grantLinks(known, route), ...nameLinks(known, route)]),
    ...backendLinks(known, route),
  ];
  const parents = hostname === "known" ? [] : parentLinks(known, route);
  return routeState(route, known.now, { on: [...parents, ...on] });
}

function backendLinks(known: Known, { metadata, spec }: Route): readonly Cause[] {
  const { namespace = "" } = metadata;
  const seen = new Set<string>();
  return (spec.rules ?? []).flatMap(({ backendRefs = [] }) =>
    backendRefs.flatMap(({ kind, name, namespace: where = namespace, port }) => {
      const key = `${where}/${name}:${port}`;
      if (kind !== "Service" || seen.has(key)) return [];
      seen.add(key);
      return [serviceLink(known, { namespace: where, name }, port)];
    }),
  );
}

/** Gateways that it names. */
function parentLinks(known: Known, { metadata, spec }: Route): readonly Cause[] {
  return (spec.parentRefs ?? []).flatMap(({ kind, name, namespace: where = metadata.namespace ?? "" }) => {
    if (kind !== "Gateway") return [];
    const [title, ref] = [`Gateway ${name}`, { namespace: where, name }];
    const seen = known.get(Gateway, ref);
    if (seen.state === "present") return [gatewayLink(seen.object, known.now)];
    const subject = subjectOf(Gateway, ref);
    if (seen.state === "unknown") return [unreadLink(title, seen.problem, subject)];
    const message = `There is no Gateway ${where}/${name}.`;
    const next = [
      {
        text: "Mend parentRefs: status.parents of the hostname's request says what to name.",
        command: "kubectl get ghr -o yaml",
      },
    ];
    return [link({ title, subject, state: "broken", reason: "NotFound", message, next })];
  });
}

/** Whether the namespace may use the names: the operator's own grant in it is what admission looks at. */
export function grantLinks(known: Known, route: Route): readonly Cause[] {
  const { namespace = "" } = route.metadata;
  const names = route.spec.hostnames ?? [];
  const seen = known.get(HostnameGrant, { namespace, name: "hostnames" });
  if (names.length === 0 || seen.state === "unknown") return [];
  const granted = seen.state === "present" ? seen.object.spec.hostnames : [];
  const missing = names.filter((name) => !granted.some((each) => covers(each, name)));
  const title = "Grant";
  const subject = subjectOf(HostnameGrant, { namespace, name: "hostnames" });
  if (missing.length === 0)
    return [link({ title, subject, state: "ok", message: `${names.join(", ")} may be used in ${namespace}.` })];
  const held = missing.flatMap((name) => holderText(known, name));
  const message = `Namespace ${namespace} may not use ${missing.join(", ")}.${held.length === 0 ? "" : ` ${held.join(" ")}`}`;
  return [link({ title, subject, state: "broken", reason: "NotGranted", message })];
}

function holderText(known: Known, hostname: string): readonly string[] {
  const seen = known.list(DomainClaim, { fieldSelector: `spec.hostname=${hostname}` });
  const [claim] = seen.state === "known" ? seen.items : [];
  return claim === undefined ? [] : [`${hostname} belongs to namespace ${claim.spec.ownerRef.namespace}.`];
}

/** The requests of its names, in its own namespace. */
function nameLinks(known: Known, { metadata, spec }: Route): readonly Cause[] {
  return (spec.hostnames ?? []).slice(0, 5).flatMap((hostname) => {
    const { namespace = "" } = metadata;
    const seen = known.list(GatewayHostnameRequest, { namespace, fieldSelector: `spec.hostname=${hostname}` });
    const [request] = seen.state === "known" ? seen.items : [];
    return request === undefined ? [] : [requestLink(known, request)];
  });
}

/** A wildcard stands for one label. */
export function covers(granted: string, hostname: string): boolean {
  if (granted === hostname) return true;
  return granted.startsWith("*.") && hostname.slice(hostname.indexOf(".")) === granted.slice(1);
}

/** A grant: which names it has, and whether they are held. */
export function grantLink(known: Known, grant: Immutable<HostnameGrant>): Cause {
  const { spec } = grant;
  const names = spec.hostnames.slice(0, 10);
  const on = names.flatMap((hostname) => {
    const seen = known.list(DomainClaim, { fieldSelector: `spec.hostname=${hostname}` });
    const [claim] = seen.state === "known" ? seen.items : [];
    return claim === undefined
      ? []
      : [
          link({
            title: `DomainClaim ${claim.metadata.name}`,
            subject: subjectOfObject(claim),
            state: "ok",
            message: `Held by namespace ${claim.spec.ownerRef.namespace}.`,
          }),
        ];
  });
  const message = `Routes of namespace ${spec.namespace} may use ${names.join(", ")}${spec.hostnames.length > 10 ? ", …" : ""}.`;
  return link({
    title: `HostnameGrant ${grant.metadata.name}`,
    subject: subjectOfObject(grant),
    state: "ok",
    message,
    on,
  });
}
