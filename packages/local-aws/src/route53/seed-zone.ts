import { acceptChange } from "./accept-change.ts";
import { newZone, zoneRecords } from "./new-zone.ts";
import type { Route53Context } from "./route53-context.ts";

/** A zone that is there from the beginning. */
export interface SeededZone {
  /** Letters and digits, at most 32. */
  readonly id: string;
  readonly name: string;
  readonly account: string;
}

/** Makes a zone with a given id, in sync at once. One that is there stays as it is. */
export async function seedZone(context: Route53Context, { id, name, account }: SeededZone): Promise<void> {
  if (!/^[A-Za-z0-9]{1,32}$/.test(id)) throw new RangeError(`${id} cannot be the id of a zone`);
  if (context.tables.zones.get(id)) return;
  const atOnce = { ...context, world: { ...context.world, pace: { ...context.world.pace, durations: 0 } } };
  const zone = newZone(context.world, { id, name, account, callerReference: `seed-${id}` });
  await context.world.state.commit(acceptChange(atOnce, zone, zoneRecords(zone)).commit);
}
