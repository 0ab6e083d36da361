import assert from "node:assert/strict";
import { test } from "node:test";
import { certificateFacts, createAuthority } from "@gatewright/certificates";
import { ManualClock, nextTurn, seededRandom } from "@gatewright/ports";
import { quietLog } from "@gatewright/runtime";
import type { AskVault } from "./vault-api.ts";
import { vaultCertificates } from "./vault-certificates.ts";

const HOUR = 3_600_000;

/** Vault's two calls, which can be told to be away. */
function world() {
  const clock = new ManualClock();
  const random = seededRandom(3);
  const asked: string[] = [];
  const validity = { notBefore: clock.now() - HOUR, notAfter: clock.now() + 10_000 * HOUR };
  const root = createAuthority({ subject: { commonName: "vault" }, ...validity }, random);
  let answers: "well" | "away" | "denied" = "well";
  const ask: AskVault = async ({ path, token, body }) => {
    asked.push(path);
    if (answers === "away") return { status: 503, body: { errors: ["Vault is sealed"] } };
    if (answers === "denied") return { status: 403, body: { errors: ["permission denied"] } };
    if (path === "auth/kubernetes/login") {
      assert.deepEqual(body, { role: "gatewright", jwt: "service-account" });
      return { status: 200, body: { auth: { client_token: "t" } } };
    }
    assert.equal(token, "t");
    const names = { hosts: String(body["alt_names"]).split(",") };
    const [notBefore, notAfter] = [clock.now(), clock.now() + 24 * HOUR];
    const { certificate, key } = await root.issue({ names, usedBy: ["server"], notBefore, notAfter });
    return { status: 200, body: { data: { certificate, private_key: key, issuing_ca: root.certificate } } };
  };
  const problems: unknown[] = [];
  const source = vaultCertificates({
    ask,
    login: { role: "gatewright" },
    serviceAccountToken: async () => "service-account\n",
    hosts: ["operator.gatewright.svc", "10.0.0.1"],
    clock,
    random,
    log: { ...quietLog, error: (_, fields) => void problems.push(fields?.["error"]) },
  });
  const stop = new AbortController();
  const running = source.run(stop.signal);
  return {
    clock,
    source,
    asked,
    problems,
    root,
    vault(how: typeof answers) {
      answers = how;
    },
    async pass(ms: number) {
      await this.settled();
      clock.advance(ms);
      await this.settled();
    },
    async settled() {
      for (let turn = 0; turn < 20; turn++) await nextTurn();
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
      assert.equal(clock.pending, 0);
    },
  };
}

test("logs in as the service account and serves with what Vault issued", async () => {
  await using here = world();
  await here.settled();
  assert.deepEqual(here.asked, ["auth/kubernetes/login", "pki/issue/operator"]);
  const pair = here.source.current();
  assert.ok(pair);
  assert.deepEqual(certificateFacts(pair.certificate).hosts, ["operator.gatewright.svc"]);
  assert.equal(here.source.bundle(), here.root.certificate);
});

test("a certificate is replaced at two thirds of its life, and those who serve are told", async () => {
  await using here = world();
  await here.settled();
  const first = here.source.current();
  let told = 0;
  here.source.subscribe(() => told++);
  await here.pass(15 * HOUR);
  assert.equal(here.source.current(), first);
  await here.pass(2 * HOUR);
  assert.notEqual(here.source.current()?.certificate, first?.certificate);
  assert.equal(told, 1);
});

test("while Vault is away the certificate before serves on, and Vault is asked ever more slowly", async () => {
  await using here = world();
  await here.settled();
  const first = here.source.current();
  here.vault("away");
  await here.pass(17 * HOUR);
  const before = here.asked.length;
  for (let minute = 0; minute < 60; minute++) await here.pass(60_000);
  const tries = here.asked.length - before;
  assert.ok(tries >= 10 && tries <= 25, `${tries} tries in an hour`);
  assert.equal(here.source.current(), first);
  here.vault("well");
  await here.pass(300_000);
  assert.notEqual(here.source.current()?.certificate, first?.certificate);
});

test("a refusal says what to look at", async () => {
  await using here = world();
  here.vault("denied");
  await here.pass(1000);
  assert.match(
    String(here.problems[0]),
    /403 to logging in as gatewright at auth\/kubernetes: permission denied\. Check the role/u,
  );
});
