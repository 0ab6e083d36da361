import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lockDirectory, nodeFiles } from "@gatewright/store";

/** The folder that holds everything of one local world: data, keys, kubeconfig. Only its owner can read it. */
export class Home {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  prepare(): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const ignore = this.path(".gitignore");
    if (!existsSync(ignore)) writeFileSync(ignore, "*\n");
  }

  /** Makes this process the only one that has the folder, until the lock is disposed of. Throws when another one runs there. */
  async lock(): Promise<AsyncDisposable> {
    const unlock = await lockDirectory(nodeFiles, this.folder);
    return { [Symbol.asyncDispose]: unlock };
  }

  path(...names: readonly string[]): string {
    return join(this.folder, ...names);
  }

  read(name: string): string | undefined {
    const path = this.path(name);
    return existsSync(path) ? readFileSync(path, "utf8") : undefined;
  }

  /** Replaces a file in one step: a reader sees the old or the new one. */
  write(name: string, text: string): void {
    const path = this.path(name);
    writeFileSync(`${path}.new`, text, { mode: 0o600 });
    chmodSync(`${path}.new`, 0o600);
    renameSync(`${path}.new`, path);
  }
}
