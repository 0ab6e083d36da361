import { MODIFIED, StatusError, deepClone, formatGroupResource, internalError } from "@gatewright/kube";
import type { GroupResource, KubeObject } from "@gatewright/kube";
import { systemUser } from "../auth/user.ts";
import type { Cluster } from "../cluster.ts";
import type { Resource, ServedVersion } from "../resources/resource.ts";
import type { ResourceRegistry } from "../resources/registry.ts";
import type { Store } from "../store/store.ts";
import { createObject } from "../writer/create.ts";
import { deleteObject } from "../writer/delete.ts";
import { updateObject } from "../writer/update.ts";
import { keyOf } from "../writer/write-call.ts";
import type { WriteCall } from "../writer/write-call.ts";
import type { WriterDeps } from "../writer/writer.ts";

/** The server's own way to its objects: no sockets, no encoding, the same rules. `manager` owns the fields it writes. */
export function createLocalCluster(
  store: Store,
  resources: ResourceRegistry,
  writer: WriterDeps,
  manager: string,
): Cluster {
  const known = (gr: GroupResource): Resource => {
    const resource = resources.get(gr);
    if (!resource) throw internalError(`${formatGroupResource(gr)} is not served`);
    return resource;
  };
  const stored = (resource: Resource): ServedVersion => {
    const version = resource.versions.find((v) => v.version === resource.storageVersion) ?? resource.versions[0];
    if (!version) throw internalError(`${formatGroupResource(resource)} has no version`);
    return version;
  };
  const call = (resource: Resource, namespace: string): WriteCall => ({
    resource,
    version: stored(resource),
    namespace: resource.namespaced ? namespace : "",
    user: systemUser,
    dryRun: false,
    fieldManager: manager,
    options: {},
    warn: () => {},
  });
  const update = async (gr: GroupResource, object: KubeObject, subresource?: string): Promise<KubeObject> => {
    const resource = known(gr);
    const write = call(resource, object.metadata.namespace ?? "");
    const rules = subresource === undefined ? undefined : write.version.subresources.get(subresource);
    const written = await updateObject(
      write,
      {
        name: object.metadata.name ?? "",
        transform: () => ({ object: write.version.normalize(deepClone(object)) }),
        ...(rules?.type === "object" && { subresource: { name: subresource ?? "", rules } }),
        createMissing: false,
        unconditional: true,
      },
      writer,
    );
    return written.object;
  };
  return {
    store,
    resources,
    get(gr, namespace, name) {
      const resource = resources.get(gr);
      if (!resource) return undefined;
      const table = store.table(resource.table);
      const entry = table.get(keyOf(resource, namespace, name));
      return entry && table.decode(entry);
    },
    *list(gr, namespace = "") {
      const resource = resources.get(gr);
      if (!resource) return;
      const table = store.table(resource.table);
      const snapshot = table.snapshot();
      // Admission asks with every write for kinds of which there mostly are none.
      if (snapshot.size === 0) return;
      const prefix = namespace === "" ? "" : `${namespace}/`;
      for (const entry of snapshot.entries({ prefix })) yield table.decode(entry);
    },
    async create(gr, object) {
      const resource = known(gr);
      const write = call(resource, object.metadata.namespace ?? "");
      const body = write.version.normalize(deepClone(object));
      return (await createObject(write, body, writer)).object;
    },
    update,
    async edit(gr, namespace, name, change, subresource) {
      const resource = known(gr);
      const table = store.table(resource.table);
      for (;;) {
        const entry = table.head(keyOf(resource, namespace, name));
        if (!entry) return undefined;
        const object = deepClone(table.decode(entry));
        if (change(object) === false) return object;
        try {
          return await update(gr, object, subresource);
        } catch (error) {
          if (!(error instanceof StatusError)) throw error;
          if (error.code === 404) return undefined;
          if (error.code !== 409 || !error.message.endsWith(MODIFIED)) throw error;
        }
      }
    },
    async delete(gr, namespace, name, options = {}) {
      const resource = known(gr);
      await deleteObject(call(resource, namespace), name, options, writer);
    },
  };
}
