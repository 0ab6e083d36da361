import type { Place } from "./ec2-store.ts";
import type { Ground } from "./ground.ts";
import { checkId, notFound } from "./ids.ts";
import { stateAt } from "./instance-life.ts";
import type { InstanceRecord } from "./records.ts";

/** Instances that are remembered, terminated ones for an hour among them. */
export function livingInstances({ store, world }: Ground, place: Place): readonly InstanceRecord[] {
  const now = world.clock.now();
  return store.instances.list(place).filter(({ life }) => stateAt(life, now) !== "gone");
}

/** The instance of an id that is remembered. */
export function instanceFor(ground: Ground, place: Place, id: string): InstanceRecord {
  const [instance] = instancesFor(ground, place, [id]);
  if (instance === undefined) throw notFound("instance", [id]);
  return instance;
}

export function instancesFor(ground: Ground, place: Place, ids: readonly string[]): readonly InstanceRecord[] {
  const now = ground.world.clock.now();
  for (const id of ids) checkId("instance", id);
  const found = ids.map((id) => ground.store.instances.get(place, id));
  const missing = ids.filter((_, i) => {
    const instance = found[i];
    return instance === undefined || stateAt(instance.life, now) === "gone";
  });
  if (missing.length > 0) throw notFound("instance", missing);
  return found.filter((instance) => instance !== undefined);
}
