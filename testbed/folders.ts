import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Where built and fetched parts are kept, one folder for each part and version. Safe to delete: it is made again. */
export function cacheFolder(part: string): string {
  return made(join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "gatewright", "testbed", part));
}

/** Where a running part keeps its data, logs and keys. Readable by its owner only. */
export function stateFolder(part: string): string {
  const base = process.env["XDG_STATE_HOME"] ?? join(homedir(), ".local", "state");
  return made(join(base, "gatewright", "testbed", part));
}

function made(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}
