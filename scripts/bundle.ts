import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BUNDLE_FOLDER, sourceStamp, stampPath } from "../packages/cli/src/bundle.ts";

/**
 * Puts the `gatewright` command into one file, for a quick start. Runs after every install. Without it everything works from
 * the sources, so a failure is told and is no error.
 */
const root = join(import.meta.dirname, "..");
const folder = join(root, BUNDLE_FOLDER);

async function bundle(): Promise<void> {
  const { build } = await import("esbuild");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: [join(root, "packages/cli/src/run.ts")],
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node24",
    external: ["@peculiar/x509", "reflect-metadata", "yaml"],
    logLevel: "error",
  });
  writeFileSync(stampPath(root), sourceStamp(root));
  // One run proves that it works and fills the compile cache.
  const main = join(root, "packages/cli/src/main.ts");
  const { status, stderr } = spawnSync(process.execPath, [main, "up", "--check"], { encoding: "utf8" });
  if (status === 0) return;
  rmSync(stampPath(root));
  throw new Error(stderr);
}

try {
  await bundle();
} catch (error) {
  console.warn(`no bundle was made; commands start from the sources: ${error instanceof Error ? error.message : String(error)}`);
}
