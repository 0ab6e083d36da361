/** Resolves on the first SIGTERM or SIGINT. A second one ends the process at once. */
export function untilSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const end = (signal: NodeJS.Signals): void => {
      for (const name of ["SIGTERM", "SIGINT"] as const) {
        process.off(name, end);
        process.on(name, () => process.exit(1));
      }
      resolve(signal);
    };
    process.on("SIGTERM", end);
    process.on("SIGINT", end);
  });
}
