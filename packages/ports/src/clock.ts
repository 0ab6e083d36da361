/** Cancels a timer. Calling it after the timer fired, or twice, does nothing. */
export type CancelTimer = () => void;

/**
 * Time as a parameter. Code that takes a `Clock` runs unchanged on the system's time and on a simulated one.
 */
export interface Clock {
  /** Wall-clock milliseconds since the Unix epoch. May jump; use it for timestamps that people read. */
  now(): number;
  /** Milliseconds that never go backwards. Use it for durations and deadlines. */
  monotonic(): number;
  /** Calls `fire` once, `ms` from now at the earliest. A timer never keeps the process alive by itself. */
  timer(ms: number, fire: () => void): CancelTimer;
}
