import { pipeline } from "node:stream";
import type { Duplex } from "node:stream";

/** Carries bytes both ways until both sides have ended. When one fails, both are destroyed. */
export function join(one: Duplex, other: Duplex): void {
  const destroyBoth = (error: Error | null | undefined): void => {
    if (!error) return;
    // Whichever failed, its user sees the connection end; neither side can be told more.
    one.destroy();
    other.destroy();
  };
  pipeline(one, other, destroyBoth);
  pipeline(other, one, destroyBoth);
}
