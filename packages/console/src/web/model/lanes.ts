import { at, listAt, textAt } from "./kube.ts";
import type { KubeObject } from "./kube.ts";
import { STATES, worst } from "./state.ts";
import type { State } from "./state.ts";

/** One stop on the way of a request, or what is missing there. */
export type LaneNode =
  | {
      readonly type: "object";
      readonly object: KubeObject;
      readonly state: State;
      readonly title: string;
      readonly detail: string;
    }
  | { readonly type: "words"; readonly text: string };

/** A way from an application to whoever asks for it: application, route, hostname, load balancer. */
export interface Lane {
  readonly id: string;
  readonly state: State;
  readonly nodes: readonly [LaneNode, LaneNode, LaneNode, LaneNode];
}

/** What ways are made of. */
export interface LaneObjects {
  readonly applications: readonly KubeObject[];
  readonly hostnames: readonly KubeObject[];
  /** HTTPRoutes and GRPCRoutes of the Gateway API. */
  readonly routes: readonly KubeObject[];
  /** Routes of our own gateways. */
  readonly ownRoutes: readonly KubeObject[];
  readonly gateways: readonly KubeObject[];
  readonly stateOf: (object: KubeObject) => State;
}

/** On what the pool of Gateways makes for itself. */
export const POOL_LABEL = "gateway.opendi.com/pool";

/** All ways, the worst first. Every application, hostname and route is on one at least. */
export function lanesOf(all: LaneObjects): readonly Lane[] {
  const lanes: Lane[] = [];
  const met = new Set<KubeObject>();
  const node = (object: KubeObject | undefined, detail: string, absent: string, title?: string): LaneNode => {
    if (object === undefined) return { type: "words", text: absent };
    met.add(object);
    return { type: "object", object, state: all.stateOf(object), title: title ?? object.metadata.name, detail };
  };
  const add = (id: string, nodes: Lane["nodes"]): void => {
    lanes.push({ id, nodes, state: worst(nodes.flatMap((each) => (each.type === "object" ? [each.state] : []))) });
  };
  const applicationNode = (application: KubeObject | undefined, absent: string): LaneNode =>
    node(application, application?.metadata.namespace ?? "", absent);

  const routes = all.routes.filter(({ metadata }) => metadata.labels?.[POOL_LABEL] !== "true");
  for (const request of all.hostnames) {
    const hostname = textAt(request.status, "hostname") || textAt(request.spec, "hostname");
    const gateway = all.gateways.find(
      ({ metadata }) =>
        metadata.name === textAt(request.status, "assignedGateway") &&
        metadata.namespace === textAt(request.status, "assignedGatewayNamespace"),
    );
    const named = node(request, request.metadata.namespace ?? "", "", hostname);
    const balancer = node(gateway, balancerText(gateway), "no load balancer yet");
    const here = routes.filter(
      (route) =>
        isOpenTo(request, route) && listAt(route.spec, "hostnames").some((each) => covers(hostname, String(each))),
    );
    const owner = ownerOf(request, all.applications);
    if (here.length === 0) {
      add(`hostname ${uidOf(request)}`, [
        applicationNode(owner, "—"),
        { type: "words", text: "no route yet" },
        named,
        balancer,
      ]);
    }
    for (const route of here) {
      const application = ownerOf(route, all.applications) ?? backendOf(route, all.applications) ?? owner;
      const way = node(route, `${route.kind} · ${route.metadata.namespace ?? ""}`, "");
      add(`hostname ${uidOf(request)} ${uidOf(route)}`, [
        applicationNode(application, serviceText(route)),
        way,
        named,
        balancer,
      ]);
    }
  }
  for (const route of routes) {
    if (met.has(route)) continue;
    const application = ownerOf(route, all.applications) ?? backendOf(route, all.applications);
    const gateway = parentOf(route, all.gateways);
    const hosts = listAt(route.spec, "hostnames").map(String).join(", ");
    add(`route ${uidOf(route)}`, [
      applicationNode(application, serviceText(route)),
      node(route, `${route.kind} · ${route.metadata.namespace ?? ""}`, ""),
      { type: "words", text: hosts === "" ? "any host" : hosts },
      node(gateway, balancerText(gateway), "no Gateway"),
    ]);
  }
  for (const route of all.ownRoutes) {
    const gateways = textAt(route.status, "gateways");
    add(`own ${uidOf(route)}`, [
      applicationNode(backendOf(route, all.applications), serviceText(route)),
      node(route, `${route.kind} · ${route.metadata.namespace ?? ""}`, ""),
      { type: "words", text: ownHosts(route) },
      { type: "words", text: gateways === "" ? "no gateway has said so" : `${gateways} gateways` },
    ]);
  }
  for (const application of all.applications) {
    if (met.has(application)) continue;
    add(`application ${uidOf(application)}`, [
      applicationNode(application, ""),
      { type: "words", text: "no route" },
      { type: "words", text: "no hostname" },
      { type: "words", text: "in the cluster only" },
    ]);
  }
  return lanes.toSorted((a, b) => STATES.indexOf(a.state) - STATES.indexOf(b.state));
}

function uidOf({ metadata }: KubeObject): string {
  return metadata.uid ?? `${metadata.namespace ?? ""}/${metadata.name}`;
}

/** Whether routes of that namespace may use the name. Somebody else's route to the same name is not this request's. */
function isOpenTo({ metadata, spec }: KubeObject, route: KubeObject): boolean {
  const { namespace = "" } = route.metadata;
  return namespace === metadata.namespace || listAt(spec, "routePolicy", "namespaces").includes(namespace);
}

/** Whether a route's hostname is the one that was asked for, or stands for it. */
function covers(hostname: string, routed: string): boolean {
  if (routed === hostname) return true;
  const [wide, narrow] = routed.startsWith("*.") ? [routed, hostname] : [hostname, routed];
  return wide.startsWith("*.") && narrow.endsWith(wide.slice(1)) && !narrow.slice(0, -wide.length + 1).includes(".");
}

function ownerOf({ metadata }: KubeObject, applications: readonly KubeObject[]): KubeObject | undefined {
  const owner = metadata.ownerReferences?.find(({ kind }) => kind === "Application");
  return owner && applications.find((each) => each.metadata.uid === owner.uid);
}

/** The names of Services that a route leads to, of either family. */
function servicesOf(route: KubeObject): readonly string[] {
  const rules = listAt(route.spec, "rules").flatMap((rule) =>
    listAt(rule, "backendRefs").map((ref) => textAt(ref, "name")),
  );
  const own = listAt(route.spec, "route").map((each) => textAt(each, "destination", "host").split(".")[0] ?? "");
  return [...rules, ...own].filter((name) => name !== "");
}

/** An Application's Service has its name. */
function backendOf(route: KubeObject, applications: readonly KubeObject[]): KubeObject | undefined {
  const names = servicesOf(route);
  return applications.find(
    ({ metadata }) => metadata.namespace === route.metadata.namespace && names.includes(metadata.name),
  );
}

function serviceText(route: KubeObject): string {
  const [first, ...others] = [...new Set(servicesOf(route))];
  if (first === undefined)
    return at(route.spec, "directResponse") === undefined ? "no backend" : "answered by the gateway";
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

function parentOf(route: KubeObject, gateways: readonly KubeObject[]): KubeObject | undefined {
  const [parent] = listAt(route.spec, "parentRefs");
  const namespace = textAt(parent, "namespace") || route.metadata.namespace;
  return gateways.find(({ metadata }) => metadata.name === textAt(parent, "name") && metadata.namespace === namespace);
}

function balancerText(gateway: KubeObject | undefined): string {
  return textAt(gateway?.status, "addresses", 0, "value");
}

function ownHosts(route: KubeObject): string {
  const hosts = listAt(route.spec, "match").flatMap((match) => {
    const host = at(match, "host") ?? at(match, "authority");
    return typeof host === "string" ? [host] : Object.values((host ?? {}) as Record<string, unknown>).map(String);
  });
  const more = listAt(route.spec, "hosts").map(String);
  const all = [...new Set([...hosts, ...more])];
  return all.length === 0 ? "any host" : all.join(", ");
}
