import type { Resource } from "@gatewright/kube";
import { apps, core, networking } from "@gatewright/kube/api";
import { allResources, gatewayResources } from "@gatewright/resources";

/** A kind as the page knows it. */
export interface ShownKind {
  /** `apiroutes.avapigw.io`, `services`: one word that names it. */
  readonly id: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Whether people make objects of it by hand, from a form. */
  readonly made: boolean;
}

/** What the operator writes, and nobody else. */
const NOT_MADE = new Set(["ConnectedGateway", "DomainClaim"]);
/** Beside our own kinds: what they become. No Secret is among them, whoever asks. */
const BUILT_IN: readonly Resource[] = [
  core.Event,
  core.Namespace,
  core.Pod,
  core.Service,
  apps.Deployment,
  networking.Ingress,
];

const RESOURCES: readonly { readonly resource: Resource; readonly made: boolean }[] = [
  ...allResources.map((resource) => ({ resource, made: !NOT_MADE.has(resource.kind) })),
  ...gatewayResources.map((resource) => ({ resource, made: false })),
  ...BUILT_IN.map((resource) => ({ resource, made: false })),
];

/** The kinds that the page can show, live. */
export const SHOWN_KINDS: readonly ShownKind[] = RESOURCES.map(({ resource, made }) => {
  const { group, version, kind, plural, namespaced } = resource;
  return { id: idOf(resource), group, version, kind, plural, namespaced, made };
});

const BY_ID: ReadonlyMap<string, Resource> = new Map(RESOURCES.map(({ resource }) => [idOf(resource), resource]));

/** The kind that an id stands for; undefined for kinds that are not shown. */
export function shownResource(id: string): Resource | undefined {
  return BY_ID.get(id);
}

function idOf({ group, plural }: Resource): string {
  return group === "" ? plural : `${plural}.${group}`;
}
