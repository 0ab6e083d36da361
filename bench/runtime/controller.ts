import type { ApiObject, Resource } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import { createManager, done, loadTransport, ownerReference } from "@gatewright/runtime";
import type { ControllerDefinition } from "@gatewright/runtime";

/** The same controller as peer/main.go on this runtime. */
interface Note extends ApiObject {
  readonly spec: { readonly text: string };
  readonly status?: { readonly observedGeneration?: number; readonly ready?: boolean };
}

const Note: Resource<Note> = {
  group: "bench.gatewright.dev",
  version: "v1",
  kind: "Note",
  plural: "notes",
  namespaced: true,
};

const notes: ControllerDefinition<Note> = {
  name: "notes",
  for: Note,
  owns: [core.ConfigMap],
  access: [
    { resource: core.ConfigMap, verbs: ["create", "patch"] },
    { resource: Note, verbs: ["patch"], subresource: "status" },
  ],
  concurrency: Number(process.argv[2] ?? 10),
  async reconcile({ object: note, ref, cached, client, signal }) {
    if (note === undefined) return done();
    const { text } = note.spec;
    if (cached(core.ConfigMap).get(ref)?.data?.["text"] !== text) {
      const metadata = { ...ref, ownerReferences: [ownerReference(note, Note)] };
      await client.for(core.ConfigMap).apply({ metadata, data: { text } }, { signal });
    }
    const { generation = 0 } = note.metadata;
    if (note.status?.observedGeneration !== generation || note.status.ready !== true) {
      const merge = { status: { observedGeneration: generation, ready: true } };
      await client.for(Note).status.patch(ref, { merge }, { signal });
    }
    return done();
  },
};

const stopping = new AbortController();
process.once("SIGTERM", () => stopping.abort());
const { transport } = await loadTransport();
const manager = createManager({ name: "notes", transport });
manager.add(notes);
manager.addRunnable({
  name: "tell",
  when: "leading",
  async run(signal) {
    await Promise.all([Note, core.ConfigMap].map((kind) => manager.cache.informer(kind).whenSynced(signal)));
    console.log("synced");
  },
});
await manager.run(stopping.signal);
