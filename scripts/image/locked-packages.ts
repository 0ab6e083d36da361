import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A package as the lock file has it. */
export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** Its folder, relative to the root. */
  readonly path: string;
  readonly license: string | undefined;
  /** `sha512-…`. */
  readonly integrity: string | undefined;
  /** Its folder in a flat `node_modules`; nested where another version has the name. */
  readonly place: string;
}

interface LockEntry {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** These packages and all that they need, each once, as the lock file pins them for a package of the workspace. */
export function lockedPackages(root: string, names: readonly string[], user: string): readonly LockedPackage[] {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, LockEntry>>;
  };
  const placed = new Map<string, LockedPackage>();
  const visit = (name: string, from: string, parent: string): void => {
    const path = resolved(lock.packages, name, from);
    const { version = "", license, integrity, dependencies = {} } = lock.packages[path]!;
    const flat = placed.get(name);
    if (flat?.version === version) return;
    const place = flat === undefined ? name : `${parent}/node_modules/${name}`;
    placed.set(place, { name, version, path, license, integrity, place });
    for (const dependency of Object.keys(dependencies).sort()) visit(dependency, path, place);
  };
  for (const name of [...names].sort()) visit(name, user, "");
  return [...placed.values()];
}

/** Where Node would find a package. */
function resolved(packages: Readonly<Record<string, LockEntry>>, name: string, from: string): string {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/")))) {
    const path = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    if (folder === "") throw new Error(`${name}, which ${from} needs, is not in the lock file`);
  }
}
