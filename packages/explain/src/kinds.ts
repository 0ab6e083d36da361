import type { Resource } from "@gatewright/kube";
import { apps, batch, core, networking } from "@gatewright/kube/api";
import type { ResourceDefinition } from "@gatewright/kube/define";
import { allResources, gatewayResources } from "@gatewright/resources";

/** A kind that can be asked about, under all names that people use. */
export interface AskedKind {
  readonly resource: Resource;
  /** In lower case: the kind, its plural, short names. */
  readonly names: readonly string[];
}

const BUILT_IN: readonly (readonly [Resource, readonly string[]])[] = [
  [core.Pod, ["po"]],
  [core.Service, ["svc"]],
  [apps.Deployment, ["deploy"]],
  [apps.ReplicaSet, ["rs"]],
  [batch.Job, []],
  [networking.Ingress, ["ing"]],
];

/** All kinds that `why` knows. */
export const ASKED_KINDS: readonly AskedKind[] = [
  ...[...allResources, ...gatewayResources.filter(isAsked)].map(defined),
  ...BUILT_IN.map(([resource, short]) => ({ resource, names: namesOf(resource, short) })),
];

/** Of the Gateway API those that somebody asks about. */
function isAsked({ kind }: Resource): boolean {
  return ["Gateway", "HTTPRoute", "GRPCRoute", "ListenerSet"].includes(kind);
}

/**
 * Kinds of a name as kubectl takes them: `ghr`, `HTTPRoute`, `httproutes`, `grpcroutes.avapigw.io`. Several when groups share it, ours
 * first; none when it is not known.
 */
export function kindsNamed(name: string): readonly AskedKind[] {
  const [word = "", ...rest] = name.toLowerCase().split(".");
  const group = rest.join(".").replace(/^v[0-9][a-z0-9]*\./, "");
  return ASKED_KINDS.filter(
    ({ names, resource }) => names.includes(word) && (rest.length === 0 || resource.group.toLowerCase() === group),
  );
}

/** The kinds as people write them, each once, in the order of the alphabet. */
export function kindNames(): readonly string[] {
  return [...new Set(ASKED_KINDS.map(({ resource }) => resource.kind.toLowerCase()))].sort();
}

function defined(definition: ResourceDefinition): AskedKind {
  return { resource: definition, names: namesOf(definition, definition.shortNames ?? []) };
}

function namesOf({ kind, plural }: Resource, short: readonly string[]): readonly string[] {
  return [kind.toLowerCase(), plural, ...short];
}
