import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { sleep, systemClock } from "@gatewright/ports";
import { run } from "../tools/command.ts";
import { startUpProcess } from "../tools/up-process.ts";
import type { UpProcess } from "../tools/up-process.ts";
import { SEED, curlCommands } from "./seed-commands.ts";

interface Application {
  readonly kind: string;
  readonly code?: number;
  readonly reason?: string;
  readonly metadata: { name: string; namespace: string; uid: string; resourceVersion: string; generation: number };
  readonly spec: { readonly replicas: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly readyReplicas?: number;
    readonly phase?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason: string }[];
  };
}

interface Change {
  readonly id: string;
  readonly type: string;
  readonly namespace: string;
  readonly name: string;
}

const SEEDS = join(import.meta.dirname, "..", "..", "..", "shared", "seeds");
const seed = existsSync(SEEDS) ? readdirSync(SEEDS).find((name) => name.startsWith("004_")) : undefined;

test(
  "the session is every curl command of the seed, letter by letter",
  { skip: seed === undefined && "the seed is not here" },
  () => {
    const printed = curlCommands(readFileSync(join(SEEDS, seed ?? ""), "utf8"));
    assert.deepEqual([...printed].sort(), Object.values(SEED).toSorted());
  },
);

const noCurl = spawnSync("curl", ["--version"]).error !== undefined && "curl is not here";

describe("the seed's session on the laptop", { skip: noCurl }, () => {
  let world: UpProcess;
  const leaving = new AbortController();
  let streamed = "";
  let stream: Promise<unknown> = Promise.resolve();

  const atPort = (command: string): string => command.replaceAll("localhost:3000", `localhost:${world.port}`);
  const shell = async (command: string): Promise<string> => {
    const { code, stdout, stderr } = await run("sh", ["-c", atPort(command)]);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const answer = async <T = Application>(command: string): Promise<T> => JSON.parse(await shell(command)) as T;
  /** Asks until it is so: controllers take the time that they take. */
  const eventually = async <T = Application>(command: string, so: (answer: T) => boolean): Promise<T> => {
    const end = systemClock.monotonic() + 60_000;
    for (;;) {
      const found = await answer<T>(command);
      if (so(found)) return found;
      if (systemClock.monotonic() > end) assert.fail(`it never came so: ${JSON.stringify(found)}`);
      await sleep(systemClock, 50);
    }
  };
  const watched = (): string[] =>
    [...streamed.matchAll(/^data: (.*)$/gm)]
      .map(([, data = ""]) => JSON.parse(data) as Change)
      .filter(({ type }) => type !== "BOOKMARK")
      .map(({ type, namespace, name }) => `${type} ${namespace}/${name}`);

  before(async () => {
    world = await startUpProcess();
    stream = run("sh", ["-c", `exec ${atPort(SEED.watch)}`], {
      signal: leaving.signal,
      onOutput: (text) => (streamed += text),
    });
  });
  after(async () => {
    leaving.abort();
    await stream;
    await world[Symbol.asyncDispose]();
  });

  test("GET / tells what this is and where everything is; a browser is sent to the console", async () => {
    const about = await answer<{ name: string; version: string; endpoints: { method: string; path: string }[] }>(
      "curl http://localhost:3000/",
    );
    assert.equal(about.name, "gatewright");
    assert.match(about.version, /^[0-9]+\./);
    const endpoints = about.endpoints.map(({ method, path }) => `${method} ${path}`);
    for (const listed of seedEndpoints()) assert.ok(endpoints.includes(listed), listed);
    const head = await shell("curl -s -o /dev/null -D - -H 'Accept: text/html' http://localhost:3000/");
    assert.match(head, /^HTTP\/1\.1 302/);
    assert.match(head, /^location: \/console\/\r$/im);
    assert.match(await shell("curl http://localhost:3000/console/"), /<title>Gatewright<\/title>/);
  });

  test("GET /healthz is well, GET /crd is the definition of Application", async () => {
    assert.equal(await shell("curl http://localhost:3000/healthz"), "ok");
    const crd = await answer<{ kind: string; metadata: { name: string }; spec: { scope: string } }>(
      "curl http://localhost:3000/crd",
    );
    assert.equal(crd.kind, "CustomResourceDefinition");
    assert.equal(crd.metadata.name, "applications.cloudnative.elide.dev");
    assert.equal(crd.spec.scope, "Namespaced");
  });

  test("an Application is created, and runs", async () => {
    const made = await answer(SEED.create);
    assert.equal(made.kind, "Application");
    assert.equal(made.metadata.namespace, "default");
    assert.equal(made.metadata.generation, 1);
    assert.ok(made.metadata.uid && made.metadata.resourceVersion);
    const { status } = await eventually(SEED.get, (found) => found.status?.phase === "Running");
    assert.equal(status?.observedGeneration, 1);
    assert.equal(status.replicas, 3);
    assert.equal(status.readyReplicas, 3);
    const ready = status.conditions?.find(({ type }) => type === "Ready");
    assert.equal(ready?.status, "True");
    assert.equal(ready?.reason, "ReconciliationSucceeded");
  });

  test("it is replaced by a writer that knows no resourceVersion, and follows", async () => {
    const { metadata, spec } = await answer(SEED.update);
    assert.equal(spec.replicas, 5);
    assert.equal(metadata.generation, 2);
    const { status } = await eventually(SEED.get, (found) => found.status?.readyReplicas === 5);
    assert.equal(status?.observedGeneration, 2);
  });

  test("it is listed, deleted, and then not found: a Status with 404", async () => {
    const list = await answer<{ kind: string; items: Application[] }>(SEED.get.replace("/my-app", ""));
    assert.equal(list.kind, "ApplicationList");
    assert.equal(list.items.length, 1);
    await shell(SEED.delete);
    const gone = await eventually(SEED.get, ({ kind }) => kind === "Status");
    assert.equal(gone.code, 404);
    assert.equal(gone.reason, "NotFound");
    assert.equal((await answer(SEED.delete)).code, 404);
    assert.equal((await answer(SEED.update)).code, 404);
  });

  test("one is created in a namespace that was not there", async () => {
    const made = await answer(SEED.createInTest);
    assert.equal(made.kind, "Application", JSON.stringify(made));
    assert.equal(made.metadata.namespace, "test");
    const found = await eventually(SEED.checkStatus, ({ status }) => status?.phase === "Running");
    assert.equal(found.status?.readyReplicas, 1);
  });

  test("what is no JSON is refused: a Status with 400", async () => {
    const refused = await answer(SEED.createInTest.replace(/-d '.*'$/s, "-d '{\"apiVersion\": '"));
    assert.equal(refused.kind, "Status");
    assert.equal(refused.code, 400);
    assert.equal(refused.reason, "BadRequest");
  });

  test("the watch has told all of it, in order", async () => {
    const wanted = ["ADDED default/my-app", "DELETED default/my-app", "ADDED test/test-app"];
    const told = (): string[] => watched().filter((change) => !change.startsWith("MODIFIED"));
    const end = systemClock.monotonic() + 30_000;
    while (told().length < wanted.length && systemClock.monotonic() < end) await sleep(systemClock, 50);
    assert.deepEqual(told(), wanted);
    const all = watched();
    const modified = all.lastIndexOf("MODIFIED default/my-app");
    assert.ok(all.indexOf(wanted[0]!) < modified && modified < all.indexOf(wanted[1]!), all.join(", "));
    const ids = [...streamed.matchAll(/^id: [0-9a-f]+\.([0-9]+)$/gm)].map(([, position]) => Number(position));
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    );
    assert.equal(new Set(ids).size, ids.length);
  });

  test("GET /events tells it too, and still does after the process was killed", async () => {
    const told = async () =>
      (await answer<{ items: Change[] }>(SEED.events)).items.map(({ id, type }) => `${id} ${type}`);
    const before = await told();
    assert.ok(before.length >= 5, String(before.length));
    await world.restart();
    const now = await told();
    assert.deepEqual(now.slice(0, before.length), before);
    assert.equal(new Set(now).size, now.length);
  });
});

/** The seed's list of endpoints. */
function seedEndpoints(): readonly string[] {
  const applications = "/apis/cloudnative.elide.dev/v1/namespaces/{ns}/applications";
  return [
    "GET /",
    "GET /healthz",
    "GET /crd",
    `GET ${applications}`,
    `GET ${applications}/{name}`,
    `POST ${applications}`,
    `PUT ${applications}/{name}`,
    `DELETE ${applications}/{name}`,
    "GET /watch",
    "GET /events",
  ];
}
