import { existsSync } from "node:fs";
import { join } from "node:path";
import { assembleImage } from "./image/assemble-image.ts";
import { layerSize } from "./image/layer-size.ts";

/** Assembles what the image is made of into build/image/app, and tells how large the image will be. Needs no engine. */

/** gcr.io/distroless/cc-debian12, compressed, as published: the C and C++ libraries, certificates, time zones. */
const BASE_BYTES = 12_000_000;

const root = join(import.meta.dirname, "..");
const folder = join(root, "build", "image", "app");
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

await assembleImage(root, folder);
const own = layerSize(folder);
console.log(`build/image/app: ${own.files} files, ${megabytes(own.plain)}, compressed ${megabytes(own.compressed)}`);
const node = join(root, "node_modules", `node-linux-${process.arch}`, "bin");
if (existsSync(node)) {
  const { compressed } = layerSize(node);
  const sum = megabytes(own.compressed + compressed + BASE_BYTES);
  console.log(`image, compressed: about ${sum} (Node ${megabytes(compressed)}, base ${megabytes(BASE_BYTES)}, ours)`);
}
