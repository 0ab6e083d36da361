import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ManualClock } from "@gatewright/ports";
import type { ExecPlugin } from "../transport-config.ts";
import { ExecCredentials } from "./exec-credentials.ts";
import { ReloadedFile } from "./reloaded-file.ts";
import { runProgram } from "./run-program.ts";
import type { Program } from "./run-program.ts";
import { staticCredentials } from "./static-credentials.ts";

let directory: string;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), "credentials-"));
});
after(() => rm(directory, { recursive: true }));

test("a file is read once a minute, at once when outdated, and what it held stays while it cannot be read", async () => {
  const clock = new ManualClock();
  const path = join(directory, "rotating");
  const file = new ReloadedFile(path, clock);
  await assert.rejects(file.read(), { code: "credentials", message: `${path} cannot be used: ENOENT` });
  await writeFile(path, "one");
  assert.equal(await file.read(), "one");
  await writeFile(path, "two");
  clock.advance(59_000);
  assert.equal(await file.read(), "one");
  clock.advance(1_000);
  assert.equal(await file.read(), "two");
  await writeFile(path, "three");
  file.outdated();
  assert.equal(await file.read(), "three");
  await rm(path);
  file.outdated();
  assert.equal(await file.read(), "three");
});

test("a refused token is looked for again", async () => {
  const path = join(directory, "token");
  await writeFile(path, "first\n");
  const source = staticCredentials({ token: { file: path } }, new ManualClock());
  const first = await source.current();
  assert.deepEqual(first, { authorization: "Bearer first" });
  await writeFile(path, "second\n");
  assert.deepEqual(await source.current(), first);
  source.refused(first);
  assert.deepEqual(await source.current(), { authorization: "Bearer second" });
});

test("names and passwords, certificates and keys are shown as they are", async () => {
  const clientCertificate = { cert: { text: "C" }, key: { text: "K" } };
  const source = staticCredentials({ basic: { username: "a", password: "b" }, clientCertificate }, new ManualClock());
  assert.deepEqual(await source.current(), { authorization: "Basic YTpi", cert: "C", key: "K" });
});

const plugin: ExecPlugin = {
  apiVersion: "client.authentication.k8s.io/v1",
  command: "get-token",
  args: ["--now"],
  env: [{ name: "REGION", value: "north" }],
  interactiveMode: "IfAvailable",
  installHint: "install get-token from example.com",
  cluster: { server: "https://example.com" },
};

/** A plugin whose program is a function. */
function scripted(answer: (run: number) => string | Error, change: Partial<ExecPlugin> = {}) {
  const clock = new ManualClock();
  const runs: Program[] = [];
  const source = new ExecCredentials(
    { ...plugin, ...change },
    {
      clock,
      terminal: false,
      env: { PATH: "/bin" },
      run: async (program) => {
        runs.push(program);
        const result = answer(runs.length);
        if (typeof result === "string") return result;
        throw result;
      },
    },
  );
  return { clock, runs, source };
}

const printed = (status: object): string =>
  JSON.stringify({ kind: "ExecCredential", apiVersion: "client.authentication.k8s.io/v1", status });

test("a plugin runs once for all who ask, again when its credentials expire, and again when they are refused", async () => {
  const { clock, runs, source } = scripted((run) =>
    printed({ token: `t${run}`, expirationTimestamp: new Date(clock.now() + 60_000).toISOString() }),
  );
  const [a, b] = await Promise.all([source.current(), source.current()]);
  assert.deepEqual([a, b, runs.length], [{ authorization: "Bearer t1" }, { authorization: "Bearer t1" }, 1]);
  clock.advance(49_000);
  assert.equal((await source.current()).authorization, "Bearer t1");
  clock.advance(2_000);
  assert.equal((await source.current()).authorization, "Bearer t2");
  source.refused({ authorization: "Bearer t1" });
  assert.equal((await source.current()).authorization, "Bearer t2");
  source.refused({ authorization: "Bearer t2" });
  assert.equal((await source.current()).authorization, "Bearer t3");
});

test("a plugin is told the cluster and whether it may ask, with its own variables", async () => {
  const { runs, source } = scripted(() => printed({ clientCertificateData: "C", clientKeyData: "K" }));
  assert.deepEqual(await source.current(), { cert: "C", key: "K" });
  const [program] = runs;
  assert.deepEqual([program?.command, program?.args, program?.interactive], ["get-token", ["--now"], false]);
  const { KUBERNETES_EXEC_INFO: info = "", ...env } = program?.env ?? {};
  assert.deepEqual(env, { PATH: "/bin", REGION: "north" });
  assert.deepEqual(JSON.parse(info), {
    kind: "ExecCredential",
    apiVersion: "client.authentication.k8s.io/v1",
    spec: { cluster: { server: "https://example.com" }, interactive: false },
  });
});

const wrong: readonly (readonly [string, string | Error, RegExp])[] = [
  ["is absent", Object.assign(new Error("spawn"), { code: "ENOENT" }), /not installed\n\ninstall get-token from/],
  ["fails", new Error("it ended with code 3"), /get-token gave no credentials: it ended with code 3/],
  ["prints no JSON", "SECRET", /not JSON/],
  ["prints another kind", '{"kind":"SECRET"}', /no ExecCredential/],
  ["prints nothing of use", printed({ secret: "SECRET" }), /neither a token nor a certificate/],
  ["prints half a certificate", printed({ clientKeyData: "SECRET" }), /without the other/],
  ["prints a wrong expiry", printed({ token: "SECRET", expirationTimestamp: "soon" }), /no time/],
];
for (const [what, output, message] of wrong) {
  test(`a plugin that ${what} is told without its secrets`, async () => {
    await assert.rejects(scripted(() => output).source.current(), (error: Error & { code: string }) => {
      assert.match(error.message, message);
      assert.ok(error.code === "credentials" && !error.message.includes("SECRET"));
      return true;
    });
  });
}

test("a plugin that must ask is not run without a terminal, and one who gives up leaves the others waiting", async () => {
  const asking = scripted(() => "", { interactiveMode: "Always" });
  await assert.rejects(asking.source.current(), /no terminal/);
  assert.equal(asking.runs.length, 0);
  const { source } = scripted(() => printed({ token: "t" }));
  const controller = new AbortController();
  const leaving = source.current(controller.signal);
  const staying = source.current();
  controller.abort(new Error("stop"));
  await assert.rejects(leaving, /stop/);
  assert.equal((await staying).authorization, "Bearer t");
});

test("a real program is run, and its failures are told", async () => {
  const { signal } = new AbortController();
  const node = (code: string): Program => ({
    command: process.execPath,
    args: ["-e", code],
    env: { GREETING: "hello" },
    interactive: false,
  });
  assert.equal(await runProgram(node("process.stdout.write(process.env.GREETING)"), signal), "hello");
  await assert.rejects(runProgram(node("process.exit(3)"), signal), /code 3/);
  await assert.rejects(runProgram({ ...node(""), command: "/no/such/program" }, signal), { code: "ENOENT" });
});
