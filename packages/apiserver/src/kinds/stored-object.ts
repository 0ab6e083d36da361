import { deepClone } from "@gatewright/kube";
import type { KubeObject } from "@gatewright/kube";
import type { Cluster } from "../cluster.ts";
import { WriteConflict } from "../store/store.ts";

/**
 * Changes a stored object beside the ways that clients have, for subresources that may write what nobody else may. `change`
 * gets a copy and may throw to refuse; it is called again when someone else wrote meanwhile. Resolves to undefined when the
 * object is not there.
 */
export async function changeStored(
  cluster: Cluster,
  table: string,
  key: string,
  change: (object: KubeObject) => void,
): Promise<KubeObject | undefined> {
  const objects = cluster.store.table(table);
  for (;;) {
    const expected = objects.head(key);
    if (!expected) return undefined;
    const object = deepClone(objects.decode(expected));
    change(object);
    try {
      await objects.write({
        key,
        expected,
        object(revision) {
          object.metadata.resourceVersion = String(revision);
          return object;
        },
      });
      return object;
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error;
    }
  }
}
