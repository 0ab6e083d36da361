import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import { run } from "../tools/command.ts";
import type { Outcome } from "../tools/command.ts";

const MAIN = join(import.meta.dirname, "..", "..", "packages", "cli", "src", "main.cjs");

suite("commands without an API server that answers", () => {
  const folder = mkdtempSync(join(tmpdir(), "gatewright-no-cluster-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const kubeconfig = join(folder, "kubeconfig");
  const context = { name: "x", context: { cluster: "x", user: "x" } };
  const cluster = { name: "x", cluster: { server: "http://127.0.0.1:9" } };
  const config = { apiVersion: "v1", kind: "Config", clusters: [cluster], users: [{ name: "x", user: {} }] };
  writeFileSync(kubeconfig, JSON.stringify({ ...config, contexts: [context], "current-context": "x" }));

  const gatewright = (...args: readonly string[]): Promise<Outcome> =>
    run(process.execPath, [MAIN, ...args], {
      env: { KUBECONFIG: kubeconfig },
      signal: AbortSignal.timeout(120_000),
    });

  test("watch says so, before its time is over and after", async () => {
    for (const args of [
      ["--timeout", "0s"],
      ["-A", "--timeout", "100s"],
    ]) {
      const { code, stderr } = await gatewright("watch", ...args);
      assert.equal(code, 3, stderr);
      assert.match(
        stderr,
        /^gatewright watch: (?:127\.0\.0\.1:9: .*ECONNREFUSED.*|the API server has not answered in time)\n$/,
      );
    }
  });

  test("move says so", async () => {
    const { code, stderr } = await gatewright("move", "test", "--to", "gw-02");
    assert.equal(code, 3, stderr);
    assert.match(stderr, /^gatewright move: 127\.0\.0\.1:9: .*ECONNREFUSED.*\n$/);
  });

  test("move takes names, and tells what is none before anything is asked", async () => {
    for (const [request = "", to = ""] of [
      ["ghr/test", "gw-02"],
      ["test", ""],
    ]) {
      const { code, stderr } = await gatewright("move", request, "--to", to);
      assert.equal(code, 2, stderr);
      assert.match(stderr, /is no name of a request or of a Gateway/);
    }
  });

  test("why takes --timeout with --wait alone, and says when files have nothing in them", async () => {
    const alone = await gatewright("why", "application/x", "--timeout", "5s");
    assert.equal(alone.code, 2);
    assert.match(alone.stderr, /--timeout goes with --wait/);
    const empty = await gatewright("why", "-f", "/dev/null");
    assert.equal(empty.code, 3);
    assert.match(empty.stderr, /nothing to ask about/);
  });
});
