import { core } from "@gatewright/kube/api";
import { createManager } from "../../manager/create-manager.ts";
import type { ControllerDefinition } from "../../controller/definition.ts";
import { done } from "../../controller/outcome.ts";
import { watching } from "../../controller/watching.ts";
import { addProbed } from "../process/probe.ts";
import type { Program } from "../process/program.ts";
import type { Scenario } from "../scenario.ts";
import { at, mirrorScenario, original } from "./mirror.ts";

const FINALIZER = "simulation.test/copied";

/**
 * Keeps a copy in `copies` of each ConfigMap in `originals`, and removes it, by a finalizer, when the original goes. Caches may be
 * old, and a write of a former leader may arrive late: so the original is asked for before a copy is made, and a copy without an
 * original is removed.
 */
const copier: ControllerDefinition<core.ConfigMap> = {
  name: "copier",
  concurrency: 2,
  for: core.ConfigMap,
  scope: { namespace: "originals" },
  watches: [
    watching(core.ConfigMap, {
      scope: { namespace: "copies" },
      map: ({ metadata }) => [{ namespace: "originals", name: metadata.name ?? "" }],
    }),
  ],
  access: [{ resource: core.ConfigMap, verbs: ["get", "create", "patch", "update", "delete"] }],
  async reconcile({ object, client, ref }) {
    const maps = client.for(core.ConfigMap);
    const place = { namespace: "copies", name: ref.name };
    const removeCopy = async (): Promise<void> => {
      const copy = await maps.find(place);
      if (copy !== undefined) await maps.delete(place, { preconditions: { uid: copy.metadata.uid ?? "" } });
    };
    if (object === undefined) {
      if ((await maps.find(ref)) === undefined) await removeCopy();
      return done();
    }
    const { uid, resourceVersion, deletionTimestamp, finalizers = [] } = object.metadata;
    const setFinalizers = (wanted: readonly string[]): Promise<unknown> =>
      maps.patch(ref, { merge: { metadata: { uid, resourceVersion, finalizers: wanted } } });
    if (deletionTimestamp !== undefined) {
      if (!finalizers.includes(FINALIZER)) return done();
      await removeCopy();
      await setFinalizers(finalizers.filter((name) => name !== FINALIZER));
      return done();
    }
    if (!finalizers.includes(FINALIZER)) await setFinalizers([...finalizers, FINALIZER]);
    const copy = await maps.find(place);
    if (copy !== undefined && JSON.stringify(copy.data) === JSON.stringify(object.data)) return done();
    const original = await maps.get(ref);
    if (original.metadata.uid !== uid || original.metadata.deletionTimestamp !== undefined) return done();
    await maps.apply({ metadata: place, ...(object.data === undefined ? {} : { data: object.data }) });
    return done();
  },
};

const LEASE = { namespace: "default", name: "copier" };

const program: Program = ({ transport, clock, random, log, identity, probe }) => {
  const manager = createManager({ name: "copier", transport, clock, random, log, lease: { ...LEASE, identity } });
  addProbed(probe, manager, copier);
  return manager;
};

/** The mirror's work on the runtime, by two processes of which one leads. */
export const copierScenario: Scenario = {
  ...mirrorScenario(),
  name: "copier",
  about: "copies of ConfigMaps are kept in another namespace by a controller on the runtime, with a standby",
  steps: [
    { at: 1_000, create: original("a", { x: "1" }) },
    { at: 4_000, create: original("b", { x: "1" }) },
    { at: 8_000, patch: at("a"), with: { data: { x: "2" } } },
    { at: 12_000, delete: at("b") },
    { at: 16_000, create: original("c", { x: "1" }) },
    { at: 20_000, patch: at("a"), with: { data: { x: "3" } } },
    { at: 24_000, patch: at("c"), with: { data: { x: "2", y: "1" } } },
    { at: 28_000, create: original("d", {}) },
    { at: 32_000, patch: at("c"), with: { data: { x: null } } },
    { at: 36_000, delete: at("a", "copies") },
    { at: 40_000, delete: at("d") },
  ],
  processes: [
    { name: "a", program },
    { name: "b", program },
  ],
  lease: LEASE,
};
