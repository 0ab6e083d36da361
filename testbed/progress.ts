/** Told what is being done, one line each. */
export type Progress = (line: string) => void;

export const silent: Progress = () => {};

/** Tells at once what is being done, again every 15 s with the time so far, and how long it took. */
export async function withProgress<T>(progress: Progress, what: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const seconds = (): string => `${Math.round((performance.now() - started) / 1000)} s`;
  progress(`${what} …`);
  const timer = setInterval(() => progress(`${what} … ${seconds()}`), 15_000);
  try {
    const made = await work();
    progress(`${what}: done in ${seconds()}`);
    return made;
  } finally {
    clearInterval(timer);
  }
}
