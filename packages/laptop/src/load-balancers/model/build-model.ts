import { keyOf } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import type { TargetGroupConfiguration } from "@gatewright/resources";
import { resolveBackend } from "../cluster/backends.ts";
import type { ClusterView } from "../cluster/cluster-view.ts";
import type { Configuration } from "../cluster/configuration.ts";
import { GATEWAY_AWS } from "../controller-names.ts";
import { chosenCertificates } from "./listener-certificates.ts";
import type { KnownCertificate } from "./listener-certificates.ts";
import { ModelError } from "./model.ts";
import type { GatewayModel, ListenerModel, LoadBalancerModel, RuleModel, TargetGroupModel } from "./model.ts";
import { awsName, trackingTags } from "./names.ts";
import type { GatewayOutline, PortOutline } from "./outline.ts";
import { byPrecedence } from "./precedence.ts";
import type { Candidate } from "./precedence.ts";
import { fixedResponse, ruleActions, ruleTransforms } from "./rule-actions.ts";
import { ruleConditions } from "./rule-conditions.ts";
import { targetGroupOf } from "./target-groups.ts";
import type { TargetGroupGround, TargetGroupSettings } from "./target-groups.ts";

export interface ModelOptions {
  /** What all load balancers of this cluster are tagged with. */
  readonly cluster: string;
  /** For Services that say nothing of it. */
  readonly defaultTargetType: "instance" | "ip";
}

const DEFAULT_SSL_POLICY = "ELBSecurityPolicy-2016-08";

interface Building {
  readonly view: ClusterView;
  readonly ground: TargetGroupGround;
  readonly groups: Map<string, TargetGroupModel>;
}

/** What AWS should have for a Gateway. Pure. Throws {@link ModelError} when a part cannot be made, since then no part is. */
export function buildModel(
  view: ClusterView,
  outline: GatewayOutline,
  known: readonly KnownCertificate[],
  options: ModelOptions,
): GatewayModel {
  const { stack, configuration } = outline;
  const fallback = defaultSettings(view, configuration);
  const building: Building = { view, ground: { ...options, stack, fallback }, groups: new Map() };
  const listeners = outline.ports.map((port) => listenerOf(building, outline, port, known));
  return {
    stack,
    loadBalancer: loadBalancerOf(outline, options),
    listeners,
    targetGroups: [...building.groups.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  };
}

function loadBalancerOf(
  { gateway, stack, configuration }: GatewayOutline,
  { cluster }: ModelOptions,
): LoadBalancerModel {
  const { settings } = configuration;
  const { namespace = "", name = "", uid = "" } = gateway.metadata;
  const scheme = settings.scheme ?? "internal";
  const subnets = (settings.loadBalancerSubnets ?? []).flatMap(({ identifier }) => identifier ?? []);
  return {
    // The scheme cannot change, so another scheme is another load balancer.
    name: settings.loadBalancerName ?? awsName({ namespace, name }, [cluster, uid, scheme]),
    scheme,
    ipAddressType: settings.ipAddressType ?? "ipv4",
    subnets: subnets.length > 0 ? subnets.toSorted() : undefined,
    securityGroups: settings.securityGroups && settings.securityGroups.toSorted(),
    attributes: sorted(settings.loadBalancerAttributes),
    tags: { ...settings.tags, ...trackingTags(cluster, stack, "LoadBalancer") },
  };
}

function listenerOf(
  building: Building,
  outline: GatewayOutline,
  port: PortOutline,
  known: readonly KnownCertificate[],
): ListenerModel {
  const { cluster, stack } = building.ground;
  const { protocol, settings, certificates } = port;
  const where = `${stack} with protocol:port ${protocol}:${port.port}`;
  const mutual = settings?.mutualAuthentication;
  return {
    port: port.port,
    protocol,
    certificates: certificates === undefined ? [] : chosenCertificates(certificates, known, where),
    sslPolicy: protocol === "HTTPS" ? (settings?.sslPolicy ?? DEFAULT_SSL_POLICY) : undefined,
    mutualAuthentication:
      protocol === "HTTPS" && mutual !== undefined
        ? { Mode: mutual.mode, ...(mutual.trustStore !== undefined && { TrustStoreArn: mutual.trustStore }) }
        : undefined,
    attributes: sorted(settings?.listenerAttributes),
    rules: candidatesOf(port).map((candidate) => ruleOf(building, candidate, protocol)),
    tags: { ...outline.configuration.settings.tags, ...trackingTags(cluster, stack, String(port.port)) },
  };
}

/** One for each match of each rule of each route, and each hostname, in the order in which they are tried. */
function candidatesOf({ attached }: PortOutline): readonly Candidate[] {
  const byRoute = Map.groupBy(attached, ({ route }) => `${route.kind}/${keyOf(route.ref)}`);
  return [...byRoute.values()]
    .flatMap((at) => {
      const route = at[0]!.route;
      const hostnames = [...new Set(at.flatMap((each) => each.hostnames))];
      // A route that a listener lets through for all hostnames needs no rules for single ones.
      const effective = hostnames.includes(undefined) ? [undefined] : hostnames;
      return route.rules.flatMap((rule, ruleIndex) =>
        rule.matches.flatMap((match, matchIndex) =>
          effective.map((hostname) => ({ route, rule, ruleIndex, match, matchIndex, hostname })),
        ),
      );
    })
    .toSorted(byPrecedence);
}

function ruleOf(building: Building, candidate: Candidate, protocol: "HTTP" | "HTTPS"): RuleModel {
  const { view, ground, groups } = building;
  const { route, rule, match, matchIndex, hostname } = candidate;
  const extension = rule.filters.find(({ type }) => type === "ExtensionRef")?.extensionRef;
  const configured =
    extension?.group === GATEWAY_AWS && extension.kind === "ListenerRuleConfiguration"
      ? view.listenerRuleConfiguration({ namespace: route.ref.namespace, name: extension.name })
      : undefined;
  const settings = configured?.spec;
  const sources = (settings?.conditions ?? [])
    .filter(({ matchIndexes }) => matchIndexes === undefined || matchIndexes.includes(matchIndex))
    .flatMap(({ sourceIPConfig }) => sourceIPConfig?.values ?? []);
  const targets = new Map<string, number>();
  for (const backend of rule.backends) {
    const found = resolveBackend(view, route, backend);
    if (!found.found) continue;
    const group = targetGroupOf(view, ground, route, found);
    groups.set(group.id, group);
    targets.set(group.id, (targets.get(group.id) ?? 0) + found.weight);
  }
  const named = rule.backends.length;
  const targetGroups = scaled([...targets].map(([id, weight]) => ({ id, weight })));
  const missing = extension !== undefined && configured === undefined;
  return {
    conditions: ruleConditions(match, hostname, sources),
    actions: missing
      ? [fixedResponse(500)]
      : ruleActions(rule, settings, { groups: targetGroups, named }, { protocol }),
    transforms: ruleTransforms(rule, match),
    tags: { ...settings?.tags, ...trackingTags(ground.cluster, ground.stack) },
  };
}

/** Weights of load balancers end at 999, those of routes at a million. One that is not 0 does not become 0. */
function scaled(groups: readonly { readonly id: string; readonly weight: number }[]) {
  const most = Math.max(...groups.map(({ weight }) => weight), 0);
  if (most <= 999) return groups;
  return groups.map(({ id, weight }) => ({
    id,
    weight: weight === 0 ? 0 : Math.max(1, Math.round((weight * 999) / most)),
  }));
}

/** The settings that are meant for Services without their own; they are where those who name them are. */
function defaultSettings(view: ClusterView, { settings, ofGateway, ofClass }: Configuration): TargetGroupSettings {
  const name = settings.defaultTargetGroupConfiguration?.name;
  if (name === undefined) return {};
  const owner = [ofGateway, ofClass].find((each) => each?.spec?.defaultTargetGroupConfiguration?.name === name);
  const namespace = owner?.metadata.namespace ?? "";
  const found: Immutable<TargetGroupConfiguration> | undefined = view.targetGroupConfiguration({ namespace, name });
  if (found === undefined) throw new ModelError(`TargetGroupConfiguration ${namespace}/${name} does not exist`);
  return found.spec?.defaultConfiguration ?? {};
}

function sorted(
  attributes: readonly { readonly key: string; readonly value: string }[] | undefined,
): readonly (readonly [string, string])[] {
  return (attributes ?? []).map(({ key, value }) => [key, value] as const).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
