import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { getPath } from "@gatewright/kube";
import type { JsonObject } from "@gatewright/kube";

const ROOT = join(import.meta.dirname, "..", "..");
const ROUNDS = 4;
const CLIENTS = 8;
const MAPS = "/api/v1/namespaces/default/configmaps";

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
  readonly said: () => string;
}

const children = new Set<ChildProcess>();

/** Starts the program that users start, and waits until it tells where it serves. */
async function start(home: string): Promise<Running> {
  const args = [join(ROOT, "packages/cli/src/main.cjs"), "up", "--bare", "--port", "0", "--home", home];
  const child = spawn(process.execPath, args, { cwd: home, stdio: ["ignore", "pipe", "pipe"] });
  children.add(child);
  child.once("exit", () => children.delete(child));
  let said = "";
  child.stderr.on("data", (text: Buffer) => (said += text.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (text: Buffer) => {
      said += text.toString();
      const found = /http:\/\/[0-9.:]+/.exec(said);
      if (found) resolve(found[0]);
    });
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
  });
  return { child, url, said: () => said };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

/** One request. Undefined: the connection broke before an answer was complete. */
function ask(
  url: string,
  agent: Agent,
  method: string,
  path: string,
  body?: JsonObject,
): Promise<JsonObject | undefined> {
  return new Promise((resolve) => {
    const headers = { "content-type": "application/json" };
    const sent = request(`${url}${path}`, { method, agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve(response.complete ? (JSON.parse(Buffer.concat(chunks).toString()) as JsonObject) : undefined),
      );
      response.on("error", () => resolve(undefined));
    });
    sent.on("error", () => resolve(undefined));
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const revision = (object: JsonObject | undefined): number =>
  Number(getPath(object ?? {}, "metadata", "resourceVersion") ?? 0);

describe("the process", () => {
  let home: string;
  before(() => {
    home = mkdtempSync(join(tmpdir(), "gatewright-kill-"));
  });
  after(() => {
    for (const child of children) child.kill("SIGKILL");
    rmSync(home, { recursive: true, force: true });
  });

  test("killed in a storm of writes, it has every acknowledged one after its restart, and versions go on rising", async () => {
    const acknowledged = new Map<string, number>();
    let newest = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const { child, url } = await start(home);
      const agent = new Agent({ keepAlive: true });
      const list = await ask(url, agent, "GET", MAPS);
      const stored = new Map(
        ((list?.["items"] ?? []) as JsonObject[]).map((item) => [getPath(item, "metadata", "name"), revision(item)]),
      );
      for (const [name, version] of acknowledged)
        assert.ok((stored.get(name) ?? 0) >= version, `${name} at ${version} was lost`);
      assert.ok(revision(list) >= newest, `the list is at ${revision(list)}, and ${newest} was seen before`);

      let writes = 0;
      const write = async (client: number): Promise<void> => {
        for (let i = 0; ; i++) {
          const name = `r${round}-c${client}-${i}`;
          const made = await ask(url, agent, "POST", MAPS, { metadata: { name }, data: { round: `${round}` } });
          if (!made) return;
          assert.equal(made["kind"], "ConfigMap", JSON.stringify(made));
          acknowledged.set(name, revision(made));
          newest = Math.max(newest, revision(made));
          if (++writes === 100) child.kill("SIGKILL");
        }
      };
      await Promise.all(Array.from({ length: CLIENTS }, (_, client) => write(client)));
      await ended(child);
      agent.destroy();
      assert.ok(writes >= 100);
    }
  });

  test("a watch from before the end goes on after it, or is told to start anew", async () => {
    const { child, url } = await start(home);
    const agent = new Agent({ keepAlive: true });
    const seen = revision(await ask(url, agent, "GET", MAPS));
    const made = await ask(url, agent, "POST", MAPS, { metadata: { name: "after-the-list" } });
    child.kill("SIGKILL");
    await ended(child);
    agent.destroy();

    const again = await start(home);
    const path = `${MAPS}?watch=1&resourceVersion=${seen}`;
    const event = await new Promise<JsonObject>((resolve, reject) => {
      const sent = request(`${again.url}${path}`, (response) => {
        response.once("data", (line: Buffer) => {
          resolve(JSON.parse(line.toString().split("\n")[0]!) as JsonObject);
          sent.destroy();
        });
      });
      sent.on("error", reject).end();
    });
    if (event["type"] === "ERROR") assert.equal(getPath(event, "object", "code"), 410);
    else assert.deepEqual(event, { type: "ADDED", object: made });
    again.child.kill("SIGTERM");
    await ended(again.child);
  });

  test("SIGTERM ends it with code 0, though watches are open and a request is half sent", async () => {
    const { child, url, said } = await start(home);
    const watch = request(`${url}${MAPS}?watch=1`);
    const answered = once(watch, "response") as Promise<[IncomingMessage]>;
    watch.end();
    const [response] = await answered;
    const streamEnded = once(response.resume(), "end");
    const half = request(`${url}${MAPS}`, { method: "POST", headers: { "content-length": "100" } });
    half.on("error", () => {});
    half.write("{");
    child.kill("SIGTERM");
    await ended(child);
    await streamEnded;
    assert.equal(child.exitCode, 0, said());
    assert.doesNotMatch(said(), /error/i);
  });
});
