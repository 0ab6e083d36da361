import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyText, nodeWorld } from "./testing/node-world.ts";
import type { NodeWorld } from "./testing/node-world.ts";

const LOG = "/api/v1/namespaces/shop/pods/one/log";

async function refusal({ listener }: NodeWorld, path: string): Promise<string> {
  const response = await fetch(`${listener.url}${path}`);
  const { message } = (await response.json()) as { message: string };
  return `${response.status} ${message}`;
}

test("a log is what the container wrote, and options reach the node", async (t) => {
  const world = await nodeWorld(t);
  await world.createPod("one");
  const query = "follow=true&tailLines=5&timestamps=1&sinceSeconds=60&limitBytes=100&previous=false";
  const response = await fetch(`${world.listener.url}${LOG}?${query}`);
  assert.equal(response.headers.get("content-type"), "text/plain");
  assert.equal(await response.text(), "hello\nworld\n");
  const options = { follow: true, previous: false, timestamps: true, tailLines: 5, sinceSeconds: 60, limitBytes: 100 };
  assert.deepEqual(world.asked[0], { pod: "one", container: "web", options });
  await (await fetch(`${world.listener.url}${LOG}?sinceTime=2026-01-01T00:00:00Z`)).text();
  assert.equal(world.asked.at(-1)?.options.sinceTime, Date.UTC(2026, 0, 1));
});

test("a log that goes on ends for the node when the reader leaves", async (t) => {
  const left = Promise.withResolvers<void>();
  const world = await nodeWorld(t, {
    async *log(signal) {
      yield Buffer.from("first\n");
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      left.resolve();
    },
  });
  await world.createPod("one");
  const leave = new AbortController();
  const response = await fetch(`${world.listener.url}${LOG}?follow=true`, { signal: leave.signal });
  const reader = response.body?.getReader();
  assert.equal(Buffer.from((await reader?.read())?.value ?? "").toString(), "first\n");
  leave.abort();
  await left.promise;
});

test("a log that breaks off is seen to do so", async (t) => {
  const world = await nodeWorld(t, {
    async *log() {
      yield Buffer.from("first\n");
      throw new Error("the disk is gone");
    },
  });
  await world.createPod("one");
  await assert.rejects(fetch(`${world.listener.url}${LOG}`).then((response) => response.text()));
  const inProcess = await world.server.transport()({ method: "GET", path: LOG });
  await assert.rejects(bodyText(inProcess.body));
});

test("which container is meant must be clear", async (t) => {
  const world = await nodeWorld(t);
  const container = (name: string) => ({ name, image: "i" });
  await world.createPod("one", [container("a"), container("b"), container("waiting")]);
  assert.equal(
    await refusal(world, LOG),
    "400 a container name must be specified for pod one, choose one of: [a b waiting]",
  );
  assert.equal(await refusal(world, `${LOG}?container=c`), "400 container c is not valid for pod one");
  assert.equal(
    await refusal(world, `${LOG}?container=waiting`),
    '400 container "waiting" in pod "one" is waiting to start: ContainerCreating',
  );
  assert.equal(await (await fetch(`${world.listener.url}${LOG}?container=b`)).text(), "hello\nworld\n");
  assert.equal(await refusal(world, "/api/v1/namespaces/shop/pods/none/log"), '404 pods "none" not found');
});

test("options that mean nothing are refused in the words of the real server", async (t) => {
  const world = await nodeWorld(t);
  await world.createPod("one");
  for (const [query, words] of [
    ["tailLines=x", '400 strconv.ParseInt: parsing "x": invalid syntax'],
    [
      "tailLines=-1",
      '422 PodLogOptions "one" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0',
    ],
    [
      "sinceSeconds=0&limitBytes=0",
      '422 PodLogOptions "one" is invalid: [limitBytes: Invalid value: 0: must be greater than 0, sinceSeconds: Invalid value: 0: must be greater than 0]',
    ],
    [
      "sinceSeconds=1&sinceTime=2020-01-01T00:00:00Z",
      '422 PodLogOptions "one" is invalid: []: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified',
    ],
    ["sinceTime=zz", '400 parsing time "zz" as "2006-01-02T15:04:05Z07:00": cannot parse "zz" as "2006"'],
    ["stream=Stdout", '422 PodLogOptions "one" is invalid: stream: Forbidden: may not be specified'],
  ] as const) {
    assert.equal(await refusal(world, `${LOG}?${query}`), words);
  }
});

test("exec and attach are refused and say why, and discovery does not tell of them", async (t) => {
  const world = await nodeWorld(t);
  await world.createPod("one");
  assert.match(await refusal(world, "/api/v1/namespaces/shop/pods/one/exec?command=sh"), /^501 exec is not supported/);
  assert.match(await refusal(world, "/api/v1/namespaces/shop/pods/one/attach"), /^501 attach is not supported/);
  const core = (await (await fetch(`${world.listener.url}/api/v1`)).json()) as {
    resources: { name: string; verbs: string[] }[];
  };
  const told = core.resources.filter(({ name }) => /\/(?:log|proxy|exec|attach)$/.test(name));
  assert.deepEqual(
    told.map(({ name, verbs }) => `${name} ${verbs.join()}`),
    ["pods/log get", "pods/proxy create,delete,get,patch,update", "services/proxy create,delete,get,patch,update"],
  );
});
