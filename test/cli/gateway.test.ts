import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { after, before, suite, test } from "node:test";

const ROOT = resolve(import.meta.dirname, "../..");
const command = (...args: string[]) =>
  spawn(process.execPath, [join(ROOT, "packages/cli/src/main.cjs"), "gateway", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function ran(...args: string[]): Promise<Ran> {
  const child = command(...args);
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { code: Number(code), out, err };
}

suite("gatewright gateway", () => {
  let folder: string;
  let config: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "gateway-command-"));
    config = join(folder, "gateway-settings.yaml");
    const example = await readFile(join(ROOT, "examples/gateway-settings.yaml"), "utf8");
    await writeFile(config, example.replaceAll(/port: \d+/g, "port: 0"));
    await cp(join(ROOT, "examples/gateway-routes.yaml"), join(folder, "gateway-routes.yaml"));
  });
  after(() => rm(folder, { recursive: true }));

  test("serves the example, writes the access log to standard output, and ends when it is told to", async () => {
    const child = command("--config", config);
    const addresses = new Map<string, string>();
    for await (const line of createInterface(child.stderr)) {
      const { message, address, admin } = JSON.parse(line) as { message: string; address?: string; admin?: string };
      addresses.set(message, address ?? admin ?? "");
      if (message === "Tells about itself") break;
    }
    const answer = await fetch(`${addresses.get("Listens")}/ping`);
    assert.deepEqual([answer.status, await answer.text()], [200, "pong\n"]);
    const asked = await ran("match", "--admin", addresses.get("Tells about itself") ?? "", "--path", "/ping");
    assert.deepEqual([asked.code, asked.err], [0, ""]);
    assert.match(asked.out, /^GET localhost\/ping goes to APIRoute default\/ping/);
    child.kill("SIGTERM");
    const [out, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
    assert.equal(code, 0);
    assert.equal((JSON.parse(out) as { path: string }).path, "/ping");
  });

  test("says where a request would go without a gateway that runs", async () => {
    const taken = await ran("match", "--config", config, "--path", "/hello/you?x=1", "--host", "a.example.com");
    assert.deepEqual([taken.code, taken.err], [0, ""]);
    assert.match(taken.out, /^GET a\.example\.com\/hello\/you\?x=1 goes to APIRoute default\/hello/);
    const refused = await ran("match", "--config", config, "--path", "/hello", "--method", "POST");
    assert.equal(refused.code, 1);
    assert.match(refused.out, /goes nowhere[^]*it wants/);
  });

  test("what cannot be done is told with what to do", async () => {
    const missing = await ran("--config", join(folder, "none.yaml"));
    assert.equal(missing.code, 1);
    assert.match(missing.err, /^gatewright gateway: .*none\.yaml cannot be used: there is no such file\n$/);
    const wrong = await ran("--config", config, "--workers", "many");
    assert.equal(wrong.code, 2);
    assert.match(wrong.err, /--workers takes a number from 1 to 256, or auto, not "many"/);
  });
});
