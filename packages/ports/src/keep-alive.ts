/** The longest that a timer of the platform can be set ahead. */
const LONGEST_MS = 2_147_483_647;

/**
 * Keeps the process from ending until it is disposed of. Timers of the system clock do not, so a program that waits for nothing but
 * a moment to try again would otherwise end there, without a word.
 */
export function keepAlive(): Disposable {
  const handle = setInterval(() => {}, LONGEST_MS);
  return { [Symbol.dispose]: () => clearInterval(handle) };
}
