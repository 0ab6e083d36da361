import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { run } from "../tools/command.ts";
import type { Outcome } from "../tools/command.ts";
import { startUpProcess } from "../tools/up-process.ts";
import type { UpProcess } from "../tools/up-process.ts";

const MAIN = join(import.meta.dirname, "..", "..", "packages", "cli", "src", "main.cjs");

suite("the everyday commands on a local world", () => {
  let world: UpProcess;
  before(async () => {
    world = await startUpProcess("--ephemeral");
  });
  after(() => world[Symbol.asyncDispose]());

  const gatewright = (args: readonly string[], stdin = "", kubeconfig = world.kubeconfig): Promise<Outcome> =>
    run(process.execPath, [MAIN, ...args], { stdin, env: { KUBECONFIG: kubeconfig } });

  test("exit codes say what text says: live, not live, a wrong question, no answer", async () => {
    const live = await gatewright(["status"]);
    assert.equal(live.code, 0, live.stderr);
    assert.match(live.stdout, /^(?:✓ \d+ live\n|There is nothing yet)/);
    assert.ok(!live.stdout.includes("\u001b"), "colours are for terminals");
    const absent = await gatewright(["why", "application/nope", "-o", "json"]);
    assert.equal(absent.code, 1, absent.stderr);
    const { state, links, cause } = JSON.parse(absent.stdout) as {
      state: string;
      links: { reason: string }[];
      cause: number;
    };
    assert.deepEqual([state, links[cause]?.reason], ["broken", "NotFound"]);
    const typo = await gatewright(["why", "aplication/nope"]);
    assert.equal(typo.code, 2);
    assert.match(typo.stderr, /did you mean application\?/);
    const nobody = await gatewright(["status"], "", join(world.kubeconfig, "..", "none"));
    assert.equal(nobody.code, 2, "there is no such kubeconfig");
  });

  test("who has read enough may go: the command ends without a word", async () => {
    const command = `"${process.execPath}" "${MAIN}" manifests --only crds | head -n 1; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = await run("bash", ["-c", command]);
    assert.match(stdout, /^.+\n141\n$/);
    assert.equal(stderr, "");
  });

  test("manifests are asked about without being stored", async () => {
    const request = `apiVersion: gateway.opendi.com/v1alpha1
kind: GatewayHostnameRequest
metadata: { name: bad }
spec: { zoneId: A1231313, hostname: "https://test.opendi.com" }
`;
    const { code, stdout } = await gatewright(["why", "-f", "-"], request);
    assert.equal(code, 1, stdout);
    assert.match(stdout, /^✗ GatewayHostnameRequest bad is refused\n\nCause {2}.*without scheme/);
    const good = await gatewright(["why", "-f", "-"], request.replace("https://", ""));
    assert.equal(good.code, 0, good.stderr);
  });

  test("a name that DNS does not have fails at DNS", async () => {
    const { code, stdout } = await gatewright(["try", "https://nobody.opendi.com/"]);
    assert.equal(code, 1);
    assert.match(stdout, /fails at DNS\n\nCause {2}DNS: .*\(DnsMissing\)/);
  });

  test("a password in a URL is refused, and not repeated", async () => {
    const { code, stdout, stderr } = await gatewright(["try", "https://user:hush@store.opendi.com/"]);
    assert.equal(code, 2);
    assert.doesNotMatch(stdout + stderr, /hush/);
  });
});
