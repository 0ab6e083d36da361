import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cacheFolder } from "../folders.ts";
import { go, publishedGoMod } from "../go.ts";
import { withProgress } from "../progress.ts";
import type { Progress } from "../progress.ts";

/** The newest whose parts are published as it was built with them: later patches use a state of `sdk` that never was. */
export const VAULT_VERSION = "1.21.1";

const MODULE = "github.com/hashicorp/vault";

/** Path of Vault with its own engines only, built once. Throws PartMissingError without Go. */
export async function vaultBinary(progress: Progress, signal?: AbortSignal): Promise<string> {
  const binary = join(cacheFolder(`vault-${VAULT_VERSION}`), "vault");
  if (existsSync(binary)) return binary;
  const module = mkdtempSync(join(tmpdir(), "gatewright-vault-"));
  try {
    await withProgress(progress, `building Vault ${VAULT_VERSION}`, async () => {
      const theirs = readFileSync(await publishedGoMod(`${MODULE}@v${VAULT_VERSION}`, module, signal), "utf8");
      writeFileSync(join(module, "go.mod"), moduleAround(theirs));
      const built = `${binary}.${process.pid}.new`;
      const flags = ["-mod=mod", "-trimpath", "-tags", "minimal", "-ldflags", "-s -w", "-o", built];
      await go(["build", ...flags, MODULE], module, signal);
      renameSync(built, binary);
    });
  } finally {
    rmSync(module, { recursive: true, force: true });
  }
  return binary;
}

/** A module with all that Vault requires. Folders that the published archive does not have give way to published modules. */
function moduleAround(goMod: string): string {
  const kept = goMod
    .split("\n")
    .filter((line) => !line.includes("=> ./"))
    .map((line) => (line.startsWith("module ") ? "module gatewright-testbed" : line));
  return [...kept, `require ${MODULE} v${VAULT_VERSION}`, ""].join("\n");
}
