import { readFile, readdir, stat } from "node:fs/promises";
import { extname, join } from "node:path";

/** A file as it was found. `mark` changes when its content may have. */
export interface FoundFile {
  readonly path: string;
  readonly mark: string;
}

/** What a path leads to, or why that cannot be told. */
export type FoundFiles =
  | { readonly type: "found"; readonly files: readonly FoundFile[] }
  | { readonly type: "unknown"; readonly problem: string };

const NAMES: ReadonlySet<string> = new Set([".yaml", ".yml", ".json"]);
/** A file larger than this is no configuration. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * The files behind a path: itself, or those of a directory that end in .yaml, .yml or .json, sorted, hidden ones left out. Follows
 * links, so what Kubernetes mounts from a ConfigMap is seen as it changes.
 */
export async function findFiles(path: string): Promise<FoundFiles> {
  try {
    const found = await stat(path);
    if (!found.isDirectory()) return { type: "found", files: [await mark(path)] };
    const names = (await readdir(path)).filter((name) => !name.startsWith(".") && NAMES.has(extname(name))).sort();
    const files = await Promise.all(names.map((name) => markIfThere(join(path, name))));
    return { type: "found", files: files.filter((file) => file !== undefined) };
  } catch (error) {
    return { type: "unknown", problem: problemOf(error) };
  }
}

/** The text of a file. Throws what the file system throws, and for files that are too large. */
export async function readText(path: string, signal: AbortSignal): Promise<string> {
  const { size } = await stat(path);
  if (size > MAX_BYTES) throw new Error(`larger than ${MAX_BYTES / 1024 / 1024} MiB`);
  return readFile(path, { encoding: "utf8", signal });
}

/** What went wrong with a file, for people. */
export function problemOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return "there is no such file";
  if (code === "EACCES" || code === "EPERM") return "the gateway may not read it";
  return message;
}

async function mark(path: string): Promise<FoundFile> {
  const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
  return { path, mark: `${ino} ${size} ${mtimeNs} ${ctimeNs}` };
}

/** A file of a directory may go between the listing and the look at it; directories among them are not entered. */
async function markIfThere(path: string): Promise<FoundFile | undefined> {
  try {
    return (await stat(path)).isFile() ? await mark(path) : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
