import type { Clock } from "@gatewright/ports";

/** A clock whose timers fire when the test says so. */
export class HandClock implements Clock {
  readonly timers = new Set<() => void>();
  now = (): number => 0;
  monotonic = (): number => 0;
  timer(_: number, fire: () => void): () => void {
    this.timers.add(fire);
    return () => this.timers.delete(fire);
  }
  /** Fires all timers and lets what they begin on a disk in memory come to its end. */
  async fire(): Promise<void> {
    const due = [...this.timers];
    this.timers.clear();
    for (const fire of due) fire();
    for (let i = 0; i < 100; i++) await Promise.resolve();
  }
}
