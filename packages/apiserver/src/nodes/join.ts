import type { Duplex } from "node:stream";

/** Carries bytes both ways until both sides have ended. When one is cut off, so is the other. */
export function join(one: Duplex, other: Duplex): void {
  carry(one, other);
  carry(other, one);
}

function carry(from: Duplex, to: Duplex): void {
  from.pipe(to);
  // Whichever failed, its user sees the connection end; neither side can be told more.
  from.on("error", () => to.destroy());
  from.once("close", () => {
    if (!from.readableEnded || !from.writableFinished) to.destroy();
  });
}
