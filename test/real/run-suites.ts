import { globSync } from "node:fs";
import { join } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";

/** How many tests ended how. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** A suite that hangs must not hang the run. */
const LONGEST_MS = 20 * 60_000;

/** Files of suites that need real parts and whose path holds `filter`: they end in `.real.ts`, so that `npm test` leaves them out. */
export function suiteFiles(filter = ""): string[] {
  const root = join(import.meta.dirname, "..", "..");
  return globSync("test/real/**/*.real.ts", { cwd: root })
    .filter((file) => file.includes(filter))
    .sort()
    .map((file) => join(root, file));
}

/** Runs suites one after the other, each in a process of its own, and prints what each test gave. */
export async function runSuites(files: readonly string[]): Promise<Counts> {
  const events = run({ files: [...files], concurrency: 1, timeout: LONGEST_MS });
  let counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  events.on("test:summary", ({ file, counts: { passed, skipped, todo, tests } }) => {
    // Those of single files come first, the last one is of all.
    if (file === undefined) counts = { passed, skipped: skipped + todo, failed: tests - passed - skipped - todo };
  });
  const printed = events.compose(new spec());
  for await (const text of printed) process.stdout.write(text as string);
  return counts;
}
