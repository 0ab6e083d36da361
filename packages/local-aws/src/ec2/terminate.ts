import type { Place } from "./ec2-store.ts";
import type { Ground } from "./ground.ts";
import { STATE_MS } from "./instance-life.ts";
import type { Reason } from "./instance-life.ts";
import type { InstanceRecord } from "./records.ts";

/** Ends instances, and with them the disks that shall not outlive them. */
export async function terminate(
  { store, world }: Ground,
  place: Place,
  instances: readonly InstanceRecord[],
  reason: Reason,
): Promise<void> {
  if (instances.length === 0) return;
  const since = world.clock.now();
  const until = since + STATE_MS["shutting-down"] * world.pace.durations;
  await store.commit((commit) => {
    for (const instance of instances) {
      const life = { first: "shutting-down", since, until, last: "terminated", reason } as const;
      store.instances.put(commit, place, instance.id, { ...instance, life });
      for (const { volumeId } of instance.volumes) {
        const volume = store.volumes.get(place, volumeId);
        if (volume) store.volumes.put(commit, place, volumeId, { ...volume, releasedAt: until });
      }
    }
  });
}
