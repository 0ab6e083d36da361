import { ensurePath, getPath, isObject } from "@gatewright/kube";
import type { GroupResource, KubeObject } from "@gatewright/kube";
import type { Clock, Random } from "@gatewright/ports";
import type { Cluster } from "../cluster.ts";
import type { AdmissionPlugin } from "./admission.ts";
import { refusal } from "./refusal.ts";
import { mountServiceAccount } from "./service-account-volume.ts";

const SERVICE_ACCOUNTS: GroupResource = { group: "", resource: "serviceaccounts" };
const MIRROR_POD = "kubernetes.io/config.mirror";
/** The default account of a new namespace is made a moment after it. */
const DEFAULT_ACCOUNT_WAIT_MS = 1_000;

/**
 * Pods run as a service account that exists: `default` unless they name another. They get its token, unless they or the
 * account say otherwise, and its imagePullSecrets.
 */
export function serviceAccount(cluster: Cluster, clock: Clock, random: Random): AdmissionPlugin {
  return {
    name: "ServiceAccount",
    async mutate(attributes) {
      const { operation, kind, resource, subresource, object: pod, namespace } = attributes;
      if (operation !== "CREATE" || !pod || subresource !== "" || resource.resource !== "pods" || kind.group !== "")
        return;
      const spec = ensurePath(pod, "spec");
      if (Object.hasOwn(pod.metadata.annotations ?? {}, MIRROR_POD)) {
        if (spec.serviceAccountName) throw refusal(attributes, "a mirror pod may not reference service accounts");
        return;
      }
      const name =
        typeof spec.serviceAccountName === "string" && spec.serviceAccountName !== ""
          ? spec.serviceAccountName
          : "default";
      spec.serviceAccountName = name;
      spec.serviceAccount = name;
      const account =
        cluster.get(SERVICE_ACCOUNTS, namespace, name) ??
        (name === "default" ? await appears(cluster, clock, namespace, name) : undefined);
      if (!account) {
        const why = `error looking up service account ${namespace}/${name}: serviceaccount "${name}" not found`;
        throw refusal(attributes, why);
      }
      if ((spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true) === true) {
        mountServiceAccount(spec, random);
      }
      const secrets = getPath(account, "imagePullSecrets");
      if (!Array.isArray(spec.imagePullSecrets) && Array.isArray(secrets) && secrets.length > 0) {
        spec.imagePullSecrets = secrets.filter(isObject).map((secret) => ({ name: String(secret.name ?? "") }));
      }
    },
  };
}

/** The object, as soon as it is there; undefined if it still is not after a while. */
function appears(cluster: Cluster, clock: Clock, namespace: string, name: string): Promise<KubeObject | undefined> {
  const table = cluster.store.table(cluster.resources.get(SERVICE_ACCOUNTS)?.table ?? SERVICE_ACCOUNTS.resource);
  return new Promise((resolve) => {
    const finish = (): void => {
      cancelTimer();
      if (endWatch !== "expired") endWatch();
      resolve(cluster.get(SERVICE_ACCOUNTS, namespace, name));
    };
    const cancelTimer = clock.timer(DEFAULT_ACCOUNT_WAIT_MS, finish);
    const endWatch = table.watch(cluster.store.revision, (change) => {
      if (change.entry.key === `${namespace}/${name}`) finish();
    });
  });
}
