import { realpathSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";

/**
 * The real path of a file that lies within one of these directories, by its name and by where it leads to. Throws for others, and for
 * what is not there. Objects of tenants name files, and the gateway's own keys are on the same machine: who may name those is the
 * gateway to its operator.
 */
export function confinedFile(path: string, directories: readonly string[]): string {
  if (isConfined(path, directories) && isNamedWithin(path, directories)) return realpathSync(path);
  throw new Error(`${path} is not within a directory that is allowed`);
}

/** Whether a file may be read at all: one that is not there may, once it is. */
export function isConfined(path: string, directories: readonly string[]): boolean {
  if (!isNamedWithin(path, directories)) return false;
  const real = realPath(path);
  return real === undefined || directories.some((directory) => isWithin(real, realPath(directory) ?? directory));
}

/** What is said about a file that may not be named. */
export function confinedMessage(path: string): string {
  return `${path} is not within a directory of files.allowDirectories in the gateway's settings: objects of operators and pushes name no other files`;
}

function isNamedWithin(path: string, directories: readonly string[]): boolean {
  if (!isAbsolute(path) || path.split(sep).includes("..")) return false;
  return directories.some((directory) => isWithin(resolve(path), resolve(directory)));
}

function isWithin(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way !== "" && !isAbsolute(way) && way.split(sep)[0] !== "..";
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // Not there, or not for us: reading says so.
    return undefined;
  }
}
