/** Hears of what nobody caught while a world runs, instead of letting it end the whole process. `release` ends that. */
export function catchUncaught(tell: (what: string) => void): { release(): void } {
  const exception = (error: unknown): void => tell(`uncaught exception: ${describe(error)}`);
  const rejection = (error: unknown): void => tell(`unhandled rejection: ${describe(error)}`);
  process.on("uncaughtException", exception);
  process.on("unhandledRejection", rejection);
  return {
    release() {
      process.off("uncaughtException", exception);
      process.off("unhandledRejection", rejection);
    },
  };
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const place = error.stack
    ?.split("\n")
    .find((line) => line.includes(".ts:"))
    ?.replace(/^.*\/([^/]+\.ts:\d+).*$/, "$1");
  return `${error.name}: ${error.message}${place === undefined ? "" : ` (${place})`}`;
}
