import { isObject } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";
import { randomString } from "@gatewright/ports";
import type { Random } from "@gatewright/ports";

const MOUNT_PATH = "/var/run/secrets/kubernetes.io/serviceaccount";
const NAME_ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
/** What kubelets ask for; the server gives such tokens a longer life. */
const TOKEN_SECONDS = 3607;

const objects = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

/**
 * Gives containers the account's token, the cluster's authority and the namespace as files, where clients in pods look for
 * them. Containers that mount something there already are left alone.
 */
export function mountServiceAccount(spec: JsonObject, random: Random): void {
  const containers = [...objects(spec["initContainers"]), ...objects(spec["containers"])];
  const without = containers.filter((c) => !objects(c["volumeMounts"]).some((m) => m["mountPath"] === MOUNT_PATH));
  if (without.length === 0) return;
  const name = `kube-api-access-${randomString(random, NAME_ALPHABET, 5)}`;
  for (const container of without) {
    const mounts = Array.isArray(container["volumeMounts"]) ? container["volumeMounts"] : [];
    container["volumeMounts"] = [...mounts, { name, readOnly: true, mountPath: MOUNT_PATH }];
  }
  const volumes = Array.isArray(spec["volumes"]) ? spec["volumes"] : [];
  spec["volumes"] = [...volumes, { name, projected: { sources: sources(), defaultMode: 0o644 } }];
}

function sources(): Json[] {
  const namespace = { path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } };
  return [
    { serviceAccountToken: { expirationSeconds: TOKEN_SECONDS, path: "token" } },
    { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
    { downwardAPI: { items: [namespace] } },
  ];
}
