import { keyOf } from "@gatewright/kube";
import type { Immutable, ObjectKey } from "@gatewright/kube";
import { apps } from "@gatewright/kube/api";
import { controllerOf } from "@gatewright/runtime";
import type { ReconcileContext } from "@gatewright/runtime";
import { confirmCurrent, staleCache } from "../ownership/confirm-current.ts";
import { selectorText } from "../ownership/selector-text.ts";

type Deployment = Immutable<apps.Deployment>;
type ReplicaSets = readonly Immutable<apps.ReplicaSet>[];

/**
 * Whether the cache can be believed about the ReplicaSets of a Deployment. One that it does not know yet would be left out of the
 * sum, and all pods made a second time.
 */
export class ReplicaSetTrust {
  readonly #trusted = new Map<ObjectKey, string>();
  /** Deployments for which a write went another way than expected: the answer was lost, or the cache is old. */
  readonly #doubtful = new Set<ObjectKey>();

  /**
   * Rejects with a conflict unless the server has the Deployment as it is here and, when that is in doubt, the same ReplicaSets. It
   * is in doubt once in each term, and after {@link doubt}; except for one that nobody has changed or worked on since it was made,
   * since a second ReplicaSet for its first template would have the name of the first.
   */
  async confirm(
    { client, signal }: Pick<ReconcileContext<apps.Deployment>, "client" | "signal">,
    deployment: Deployment,
    replicaSets: ReplicaSets,
  ): Promise<void> {
    const { uid = "", generation, namespace = "", name = "" } = deployment.metadata;
    const isUntouched = deployment.status?.observedGeneration === undefined && generation === 1;
    await confirmCurrent(client, apps.Deployment, deployment, { signal, exact: isUntouched });
    const key = keyOf(deployment);
    if (this.#trusted.get(key) === uid) return;
    if (!isUntouched || this.#doubtful.has(key)) {
      const labelSelector = selectorText(deployment.spec?.selector ?? {});
      const { items } = await client.for(apps.ReplicaSet).list({ namespace, labelSelector, signal });
      const live = items.filter((replicaSet) => controllerOf(replicaSet)?.uid === uid);
      if (standing(live) !== standing(replicaSets)) throw staleCache(apps.ReplicaSet, name);
    }
    this.#trusted.set(key, uid);
    this.#doubtful.delete(key);
  }

  doubt(deployment: Deployment): void {
    this.#trusted.delete(keyOf(deployment));
    this.#doubtful.add(keyOf(deployment));
  }

  forget(key: ObjectKey): void {
    this.#trusted.delete(key);
    this.#doubtful.delete(key);
  }

  /** Another process may have led meanwhile. */
  newTerm(): void {
    this.#trusted.clear();
  }
}

function standing(replicaSets: ReplicaSets): string {
  return replicaSets
    .map(({ metadata }) => `${metadata.uid} ${metadata.generation}`)
    .sort()
    .join();
}
