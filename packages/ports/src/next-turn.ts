/**
 * Resolves in the next turn of the event loop, when every microtask that could run has run. What makes a simulation certain that
 * one event has had all its consequences before the next one happens.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
