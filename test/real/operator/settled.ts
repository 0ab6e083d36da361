import { setTimeout as pause } from "node:timers/promises";

/** Waits until what is looked at stays the same for three seconds. */
export async function settled(look: () => Promise<unknown>): Promise<void> {
  let before = "";
  for (;;) {
    const now = JSON.stringify(await look());
    if (now === before) return;
    before = now;
    await pause(3_000);
  }
}
