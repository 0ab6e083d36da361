import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/** How large files are, in bytes: as they are, and compressed, which is how registries keep and count layers. */
export interface LayerSize {
  readonly files: number;
  readonly plain: number;
  readonly compressed: number;
}

export function layerSize(folder: string): LayerSize {
  const files = globSync("**/*", { cwd: folder })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .sort();
  const contents = files.map((path) => readFileSync(path));
  const plain = contents.reduce((sum, { length }) => sum + length, 0);
  return { files: files.length, plain, compressed: gzipSync(Buffer.concat(contents)).length };
}
