import { isObject, keyOf } from "@gatewright/kube";
import type { ApiObject, Immutable, KubeObject, ObjectRef, Resource } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import { isForbidden } from "@gatewright/runtime";
import type { Client, ResourceClient } from "@gatewright/runtime";
import type { SecretVersions } from "../references/secret-versions.ts";

/** A version that no stored Secret has. */
const TO_COME = "to-come";

/**
 * The same client, to which Secrets are as they will be once those among the objects are applied. Only what is found by name is; what
 * is stored is left alone. `versions` learns those of the stored ones, so that a value that stays as it is keeps its version.
 */
export function withSecretsToCome(client: Client, objects: readonly KubeObject[], versions: SecretVersions): Client {
  const coming = new Map(objects.filter(isSecret).map((secret) => [keyOf(secret), secret]));
  if (coming.size === 0) return client;
  const find: ResourceClient<core.Secret>["find"] = async (ref, options) => {
    const planned = coming.get(keyOf(ref));
    const stored = client.for(core.Secret).find(ref, options);
    if (planned === undefined) return stored;
    // Who may not read a Secret may yet write it.
    const before = await stored.catch((error: unknown) => (isForbidden(error) ? undefined : Promise.reject(error)));
    if (before !== undefined) for (const key of Object.keys(before.data ?? {})) versions.of(before, key);
    return applied(ref, before, planned);
  };
  return {
    with: (view) => client.with(view),
    request: (request) => client.request(request),
    for: <T extends ApiObject>(resource: Resource<T>): ResourceClient<T> =>
      resource.kind === core.Secret.kind && resource.group === core.Secret.group
        ? ({ ...client.for(core.Secret), find } as unknown as ResourceClient<T>)
        : client.for(resource),
  };
}

/** The Secret with the keys that it has, and those that it is given. */
function applied(
  ref: ObjectRef,
  stored: Immutable<core.Secret> | undefined,
  planned: KubeObject,
): Immutable<core.Secret> {
  const { data, stringData, type, metadata } = planned as unknown as Record<string, unknown> & KubeObject;
  const encoded = textsOf(stringData).map(([key, text]) => [key, Buffer.from(text).toString("base64")] as const);
  const kept = stored?.type ?? (typeof type === "string" ? type : undefined);
  return {
    apiVersion: "v1",
    kind: "Secret",
    ...(kept !== undefined && { type: kept }),
    data: Object.fromEntries([...Object.entries(stored?.data ?? {}), ...textsOf(data), ...encoded]),
    metadata: {
      ...ref,
      annotations: { ...stored?.metadata.annotations, ...metadata.annotations },
      uid: stored?.metadata.uid ?? keyOf(ref),
      resourceVersion: TO_COME,
    },
  };
}

function textsOf(map: unknown): readonly (readonly [string, string])[] {
  if (!isObject(map)) return [];
  return Object.entries(map).flatMap(([key, value]) => (typeof value === "string" ? [[key, value]] : []));
}

function isSecret({ apiVersion, kind }: KubeObject): boolean {
  return apiVersion === "v1" && kind === core.Secret.kind;
}
