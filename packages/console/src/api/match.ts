import { badRequest } from "@gatewright/kube";
import type { ApiObject, Immutable, Json, Resource } from "@gatewright/kube";
import { core, networking } from "@gatewright/kube/api";
import { explainRoutes } from "@gatewright/gateway/explain";
import type { RoutesExplained } from "@gatewright/gateway/explain";
import type { GivenObject, ObjectKind } from "@gatewright/gateway";
import { APIRoute, AvapigwGRPCRoute, GATEWAY_LABEL, GraphQLRoute } from "@gatewright/resources";
import { ingressRoutes } from "@gatewright/routing/ingress";
import type { IngressClassSettings } from "@gatewright/routing/ingress";
import type { Client } from "@gatewright/runtime";
import { jsonAnswer } from "@gatewright/runtime/serving";
import type { HttpAnswer, HttpQuestion } from "@gatewright/runtime/serving";
import { listReader } from "./read-lists.ts";
import type { ListReader } from "./read-lists.ts";

const ROUTES: readonly Resource[] = [APIRoute, AvapigwGRPCRoute, GraphQLRoute];

/** A route, and the object that people know it by: an Ingress stands for several. */
interface Asked {
  readonly given: GivenObject;
  readonly of: { readonly kind: string; readonly namespace: string; readonly name: string };
  /** What gateways are called that have it; undefined: all have it. */
  readonly gateway: string | undefined;
  /** Why no gateway has it. */
  readonly keptOut?: { readonly field: string; readonly message: string };
}

/** What the operator says of a route. */
interface RouteStatus {
  readonly appliedGateways?: readonly unknown[];
  readonly conditions?: readonly {
    readonly type: string;
    readonly status: string;
    readonly reason: string;
    readonly message: string;
    readonly observedGeneration?: number;
  }[];
}

/**
 * Where a request would go, by the routes and Ingresses that the caller may read: `host`, `path`, `method`, `header` as the admin
 * endpoint of a gateway takes them, and `namespace` for one alone. Says how many routes it looked at, which of them take nothing, also
 * since the operator keeps them out, and which kinds it could not look at: a gateway may have others. `elsewhere` has gateways that send
 * it to a route that is for them alone. `ingress`: which Ingresses gateways serve; undefined: none.
 */
export async function match(
  { query, signal }: HttpQuestion,
  client: Client,
  ingress: IngressClassSettings | undefined,
): Promise<HttpAnswer> {
  const namespace = query.get("namespace") || undefined;
  const reader = listReader(client, signal);
  const lists = await Promise.all([
    ...ROUTES.map(async (resource) => (await reader.list(resource, namespace)).map(routeItself)),
    ingress === undefined ? [] : routesOfIngresses(reader, namespace, ingress),
  ]);
  const all = lists.flat();
  const { explanation, findings, elsewhere } = byGateways(
    all.filter(({ keptOut }) => keptOut === undefined),
    query,
  );
  const names = new Map(all.map(({ given, of }) => [nameOf(given), of]));
  const known = <C extends { readonly route: string }>(candidate: C): C => {
    const of = names.get(candidate.route);
    return of === undefined ? candidate : { ...candidate, route: nameOf(of) };
  };
  const { winner, others, notListed } = explanation;
  return jsonAnswer(200, {
    routes: all.length,
    unread: reader.unread,
    ...(winner !== undefined && { winner: known(winner) }),
    elsewhere: elsewhere.map(({ gateway, winner: own }) => ({ gateway, winner: known(own) })),
    others: others.map(known),
    notListed,
    findings: [
      ...findings.map((finding) => ({ ...finding, ...names.get(nameOf(finding)) })),
      ...all.flatMap(({ of, keptOut }) => (keptOut === undefined ? [] : [{ ...of, severity: "error", ...keptOut }])),
    ],
  } as unknown as Json);
}

interface ByGateways extends RoutesExplained {
  readonly elsewhere: readonly { readonly gateway: string; readonly winner: Winner }[];
}

type Winner = NonNullable<RoutesExplained["explanation"]["winner"]>;

/** What gateways do that have the routes for all alone, and which others send the request to a route of their own. */
function byGateways(routes: readonly Asked[], query: HttpQuestion["query"]): ByGateways {
  const given = routes.map((route) => route.given);
  const told = explainRoutes(given, query);
  if (typeof told === "string") throw badRequest(told);
  const { winner } = told.explanation;
  const gateway = routes.find((route) => nameOf(route.given) === winner?.route)?.gateway;
  if (winner === undefined || gateway === undefined) return { ...told, elsewhere: [] };
  const { explanation, elsewhere } = byGateways(
    routes.filter((route) => route.gateway !== gateway),
    query,
  );
  return { explanation, findings: told.findings, elsewhere: [{ gateway, winner }, ...elsewhere] };
}

function routeItself(object: Immutable<ApiObject>): Asked {
  const { namespace = "", name = "" } = object.metadata;
  // The list was asked for by kind.
  const of = { kind: object.kind as ObjectKind, namespace, name };
  const { spec, status = {} } = object as { readonly spec?: unknown; readonly status?: RouteStatus };
  const keptOut = keptOutBy(status, object.metadata.generation);
  return {
    given: { ...of, ...standing(object), spec },
    of,
    gateway: gatewayOf(object),
    ...(keptOut !== undefined && { keptOut }),
  };
}

/** Why the operator keeps a route out that no gateway serves; undefined: it does not, or has not said so of this generation. */
function keptOutBy(
  { appliedGateways = [], conditions = [] }: RouteStatus,
  generation: number | undefined,
): Asked["keptOut"] {
  const accepted = conditions.find(({ type }) => type === "Accepted");
  if (accepted?.status !== "False" || accepted.observedGeneration !== generation) return undefined;
  return appliedGateways.length > 0 ? undefined : { field: accepted.reason, message: accepted.message };
}

async function routesOfIngresses(
  reader: ListReader,
  namespace: string | undefined,
  settings: IngressClassSettings,
): Promise<readonly Asked[]> {
  const [ingresses, services] = await Promise.all([
    reader.list(networking.Ingress, namespace),
    reader.list(core.Service, namespace),
  ]);
  const ports = new Map(
    services.flatMap(({ metadata, spec }) =>
      (spec?.ports ?? []).map(({ name, port }) => [`${metadata.namespace}/${metadata.name}:${name ?? ""}`, port]),
    ),
  );
  return ingresses.flatMap((ingress) => {
    const { namespace: home = "", name = "" } = ingress.metadata;
    const of = { kind: "Ingress", namespace: home, name };
    const portNumber = (service: string, port: string): number | undefined => ports.get(`${home}/${service}:${port}`);
    return ingressRoutes(ingress, settings, { portNumber }).map((draft) => ({
      given: { ...draft, namespace: home, ...standing(ingress) },
      of,
      gateway: gatewayOf(ingress),
    }));
  });
}

function gatewayOf({ metadata }: Immutable<ApiObject>): string | undefined {
  return metadata.labels?.[GATEWAY_LABEL];
}

/** What says which of two that want the same is older. */
function standing({ metadata }: Immutable<ApiObject>): Pick<GivenObject, "version" | "createdAt"> {
  const { resourceVersion: version = "", creationTimestamp } = metadata;
  return { version, ...(typeof creationTimestamp === "string" && { createdAt: creationTimestamp }) };
}

function nameOf({ kind, namespace, name }: Asked["of"]): string {
  return `${kind} ${namespace}/${name}`;
}
