import { forbidden, formatGroupVersion } from "@gatewright/kube";
import type { GroupResource, KubeObject } from "@gatewright/kube";
import type { Authorizer } from "../../auth/authorizer.ts";
import type { Cluster } from "../../cluster.ts";
import type { AdmissionAttributes } from "../admission.ts";
import { CompiledByVersion } from "../matching/compiled-by-version.ts";
import { matchRequest } from "../matching/match-criteria.ts";
import type { Invocation } from "../matching/match-criteria.ts";
import { requestFacts } from "./admission-request.ts";
import type { VersionedObjects } from "./admission-request.ts";
import { readWebhooks } from "./webhook.ts";
import type { Webhook } from "./webhook.ts";

/** Reads the webhooks of all configurations of one kind, configurations by name, each only when it changed. */
export function webhookSource(cluster: Pick<Cluster, "list">, resource: GroupResource): () => Iterable<Webhook> {
  const compiled = new CompiledByVersion(readWebhooks);
  return function* webhooks() {
    for (const configuration of cluster.list(resource)) yield* compiled.get(configuration);
  };
}

/**
 * Whether a webhook is to be called for the request, and with what. Throws a StatusError when that cannot be told and the
 * webhook must not be skipped.
 */
export async function applies(
  webhook: Webhook,
  attributes: AdmissionAttributes,
  cluster: Cluster,
  authorizer: Authorizer,
): Promise<{ readonly invocation: Invocation; readonly objects: VersionedObjects } | undefined> {
  const invocation = matchRequest(webhook.criteria, attributes, cluster);
  if (!invocation) return undefined;
  const objects = await inVersion(attributes, invocation, cluster);
  if (webhook.conditions) {
    const request = requestFacts(attributes, invocation);
    const verdict = webhook.conditions.evaluate({ ...objects, request, attributes, authorizer });
    if (verdict.type === "error") throw forbidden(attributes.resource, attributes.name, verdict.message);
    if (verdict.type === "excluded") return undefined;
  }
  return { invocation, objects };
}

/** The request's objects as the matched rule wants them: in its version of the resource. */
export async function inVersion(
  attributes: AdmissionAttributes,
  { kind }: Invocation,
  cluster: Pick<Cluster, "resources">,
): Promise<VersionedObjects> {
  const { object, oldObject } = attributes;
  if (kind.version === attributes.kind.version) return { object, oldObject };
  return {
    object: object && (await converted(object, attributes.resource, kind.version, cluster)),
    oldObject: oldObject && (await converted(oldObject, attributes.resource, kind.version, cluster)),
  };
}

export async function converted(
  object: KubeObject,
  resource: GroupResource,
  version: string,
  cluster: Pick<Cluster, "resources">,
): Promise<KubeObject> {
  const served = cluster.resources.get(resource);
  if (!served || object.apiVersion === formatGroupVersion({ group: resource.group, version })) return object;
  const [result] = await served.convert([object], version);
  return result ?? object;
}
