import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { run } from "../tools/command.ts";
import { suite } from "../tools/suite.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const SUITE = join(import.meta.dirname, "suite");

/** Why the suite cannot run here, or false. */
function missing(): string | false {
  const version = spawnSync("go", ["version"], { encoding: "utf8" });
  if (version.status !== 0) return "Go is not installed";
  const modules = spawnSync("go", ["mod", "download"], { cwd: SUITE, encoding: "utf8" });
  return modules.status === 0 ? false : `the suite's modules cannot be had: ${modules.stderr.split("\n")[0]}`;
}

suite("gatewright envtest", missing(), () => {
  test("a controller-runtime suite runs on the embedded server, untouched", async () => {
    const assets = mkdtempSync(join(tmpdir(), "gatewright-envtest-"));
    try {
      const written = await run(join(ROOT, "packages", "cli", "bin", "gatewright"), ["envtest", assets]);
      assert.equal(written.code, 0, written.stderr);
      const outcome = await run("go", ["test", "-count=1", "-v", "./..."], {
        cwd: SUITE,
        env: { KUBEBUILDER_ASSETS: assets },
      });
      assert.equal(outcome.code, 0, outcome.stdout + outcome.stderr);
      assert.match(outcome.stdout, /--- PASS: TestControllerReconcilesAndItsChildrenAreRepaired/);
      assert.match(outcome.stdout, /--- PASS: TestUsersAreAuthenticatedByCertificateAndAuthorized/);
    } finally {
      rmSync(assets, { recursive: true, force: true });
    }
  });
});
