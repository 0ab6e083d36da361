import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Where the bundle of the command is kept. It is only ever a faster form of the sources. */
export const BUNDLE_FOLDER = join("node_modules", ".cache", "gatewright");
const STAMP = "sources.stamp";

/** The state of all sources, as one text: it changes when any file does. */
export function sourceStamp(root: string): string {
  let newest = 0;
  let count = 0;
  for (const room of readdirSync(join(root, "packages"))) {
    const folder = join(root, "packages", room, "src");
    if (!existsSync(folder)) continue;
    for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      if (!file.endsWith(".ts") && !file.endsWith(".json")) continue;
      newest = Math.max(newest, statSync(join(folder, file)).mtimeMs);
      count++;
    }
  }
  return `${count} ${newest} ${process.version}`;
}

/** The bundle to run instead of the sources, or undefined when there is none or the sources have moved on. */
export function freshBundle(root: string): string | undefined {
  const folder = join(root, BUNDLE_FOLDER);
  const stamp = join(folder, STAMP);
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== sourceStamp(root)) return undefined;
  return join(folder, "run.mjs");
}

export function stampPath(root: string): string {
  return join(root, BUNDLE_FOLDER, STAMP);
}
