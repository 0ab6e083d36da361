/** One thing that the world serves: what it is, where, and how to use it. */
export interface Served {
  readonly what: string;
  readonly where: string;
  readonly how?: string;
}

/** What a user reads when the world is up: where everything is, and what to try. The first address is that of the API server. */
export function greeting(served: readonly Served[], tries: readonly string[]): string {
  const wide = (pick: (each: Served) => string): number => Math.max(...served.map((each) => pick(each).length));
  const [what, where] = [wide((each) => each.what), wide((each) => each.where)];
  const lines = served.map((each) =>
    `  ${each.what.padEnd(what)}  ${each.where.padEnd(where)}  ${each.how ?? ""}`.trimEnd(),
  );
  return [
    "Gatewright is up.",
    "",
    ...lines,
    "",
    "To try in another terminal:",
    "",
    ...tries.map((each) => `  ${each}`),
    "",
  ].join("\n");
}
