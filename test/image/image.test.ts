import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { assembleImage } from "../../scripts/image/assemble-image.ts";
import { layerSize } from "../../scripts/image/layer-size.ts";
import { freePorts } from "../../testbed/index.ts";
import { ANY_OTHER_PORTS } from "../tools/up-process.ts";

const ROOT = join(import.meta.dirname, "..", "..");
/** Of the console's page. */
const SCRIPT = /<script [^>]*src="[^"]*app-/;

/** Says whether V8 takes the compiled form of a file that is somewhere else by now. */
const TAKES_COMPILED = `
  const [file, compiled] = process.argv.slice(1);
  const { readFileSync } = require("node:fs");
  const source = require("node:module").wrap(readFileSync(file, "latin1"));
  const how = { filename: "/app/run.cjs", cachedData: readFileSync(compiled) };
  process.stdout.write(new (require("node:vm").Script)(source, how).cachedDataRejected ? "refused" : "taken");
`;
const run = promisify(execFile);

describe("what is in the image runs with Node alone, and no repository around", () => {
  const folder = mkdtempSync(join(tmpdir(), "gatewright-image-"));
  const app = join(folder, "app");
  const children: ChildProcess[] = [];
  before(() => assembleImage(ROOT, app));
  after(async () => {
    for (const child of children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    rmSync(folder, { recursive: true });
  });

  const start = (...args: readonly string[]): { child: ChildProcess; said(): string } => {
    // No PATH, no HOME of ours: nothing but what is named can be found.
    const child = spawn(process.execPath, [join(app, "main.cjs"), ...args], { cwd: folder, env: { HOME: folder } });
    children.push(child);
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
    return { child, said: () => said };
  };
  const ended = async (...args: readonly string[]): Promise<{ code: unknown; said: string }> => {
    const running = start(...args);
    const [code] = await once(running.child, "close");
    return { code, said: running.said() };
  };
  const until = async (url: string, running: { child: ChildProcess; said(): string }): Promise<Response> => {
    for (let tries = 0; tries < 300; tries++) {
      assert.equal(running.child.exitCode, null, running.said());
      try {
        const answer = await fetch(url);
        if (answer.ok) return answer;
      } catch {
        // Nobody listens yet.
      }
      await sleep(100);
    }
    throw new Error(`${url} does not answer: ${running.said()}`);
  };

  test("it tells its version and its options", async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
    const told = `gatewright ${version} (Node ${process.version.slice(1)})\n`;
    assert.deepEqual(await ended("version", "--client"), { code: 0, said: told });
    const { code, said } = await ended("operator", "--help");
    assert.equal(code, 0);
    assert.match(said, /--leader-election-id/);
  });

  test("its compiled form is there for the Node that made it, wherever the image has it", async () => {
    const [kept = ""] = globSync("run.cjs.*", { cwd: app });
    assert.equal(kept, `run.cjs.${process.version}-${process.arch}`);
    // In a process of its own: tests may have changed flags of V8 in this one, for which it was not compiled.
    const { stdout } = await run(process.execPath, ["--eval", TAKES_COMPILED, join(app, "run.cjs"), join(app, kept)]);
    assert.equal(stdout, "taken");
  });

  test("a gateway serves, on threads of its own", async () => {
    const [port = 0, admin = 0] = await freePorts(2);
    const settings = {
      apiVersion: "gateway.avapigw.io/v1",
      kind: "Gateway",
      metadata: { name: "test" },
      spec: {
        listeners: [{ name: "http", address: "127.0.0.1", port }],
        admin: { port: admin },
        workers: 2,
        routes: [
          { name: "hello", match: [{ uri: { exact: "/hello" } }], directResponse: { status: 200, body: "hello" } },
        ],
      },
    };
    writeFileSync(join(folder, "gateway.yaml"), JSON.stringify(settings));
    const gateway = start("gateway", "--config", join(folder, "gateway.yaml"));
    await until(`http://127.0.0.1:${admin}/readyz`, gateway);
    const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(`http://127.0.0.1:${port}/hello`)));
    for (const answer of answers) assert.equal(await answer.text(), "hello");
    const told = (await (await fetch(`http://127.0.0.1:${admin}/listeners`)).json()) as { workers: unknown };
    assert.match(JSON.stringify(told), /"workers"/);
    gateway.child.kill("SIGTERM");
    assert.deepEqual(await once(gateway.child, "exit"), [0, null], gateway.said());
  });

  test("a whole world comes up, and an operator leads in it, with a console of its own", async () => {
    const [port = 0, health = 0, page = 0] = await freePorts(3);
    const home = join(folder, "home");
    const world = start("up", "--ephemeral", "--port", String(port), "--home", home, ...ANY_OTHER_PORTS);
    await until(`http://127.0.0.1:${port}/readyz`, world);
    assert.match(await (await until(`http://127.0.0.1:${port}/console/`, world)).text(), SCRIPT);
    const options = {
      parts: "applications",
      kubeconfig: join(home, "kubeconfig"),
      namespace: "default",
      "health-probe-bind-address": `127.0.0.1:${health}`,
      "metrics-bind-address": "0",
      "console-bind-address": `127.0.0.1:${page}`,
    };
    const operator = start("operator", ...Object.entries(options).map(([name, value]) => `--${name}=${value}`));
    await until(`http://127.0.0.1:${health}/readyz`, operator);
    assert.match(await (await until(`http://127.0.0.1:${page}/console/`, operator)).text(), SCRIPT);
    const lease = `http://127.0.0.1:${port}/apis/coordination.k8s.io/v1/namespaces/default/leases/gatewright`;
    const { spec } = (await (await until(lease, operator)).json()) as { spec: { holderIdentity: string } };
    assert.notEqual(spec.holderIdentity, "");
    operator.child.kill("SIGTERM");
    assert.deepEqual(await once(operator.child, "exit"), [0, null], operator.said());
    world.child.kill("SIGTERM");
    assert.deepEqual(await once(world.child, "exit"), [0, null], world.said());
  });

  test("its SBOM lists the packages that are there, and its layer is small", () => {
    const { components } = JSON.parse(readFileSync(join(app, "sbom.cdx.json"), "utf8")) as {
      components: readonly { name: string; version: string; hashes: readonly unknown[] }[];
    };
    const there = globSync("node_modules/**/package.json", { cwd: app })
      .filter((file) => /^node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+\/package\.json$/.test(file))
      .map((file) => JSON.parse(readFileSync(join(app, file), "utf8")) as { name: string; version: string })
      .map(({ name, version }) => `${name}@${version}`);
    const listed = components.map(({ name, version }) => `${name}@${version}`);
    const inPage = listed.filter((each) => !there.includes(each));
    assert.deepEqual(listed.filter((each) => there.includes(each)).sort(), there.sort());
    assert.deepEqual(
      inPage.map((each) => each.split("@")[0]),
      ["preact"],
    );
    for (const { hashes } of components) assert.equal(hashes.length, 1);
    assert.ok(layerSize(app).compressed < 10_000_000);
  });
});
