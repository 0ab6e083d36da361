import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { systemClock } from "@gatewright/ports";
import { openDiskStore } from "./disk-store.ts";
import type { Store } from "./store.ts";
import { sampleValues } from "./testing/sample-store.ts";
import type { Sample } from "./testing/sample-store.ts";

async function temporaryDirectory(t: TestContext): Promise<string> {
  const directory = await mkdtemp(`${tmpdir()}/gatewright-lock-`);
  t.after(() => rm(directory, { recursive: true }));
  return `${directory}/data`;
}

function open(directory: string): Promise<Store<Sample>> {
  return openDiskStore({ directory, clock: systemClock, values: sampleValues });
}

test("a directory is used by one store at a time, also within a process", async (t) => {
  const directory = await temporaryDirectory(t);
  const store = await open(directory);
  await assert.rejects(open(directory), { message: new RegExp(`in use by process ${process.pid}\\.`) });
  await store.close();
  await (await open(directory)).close();
  assert.deepEqual((await readdir(directory)).toSorted(), ["00000001.log", "reserve"]);
});

test("of many that open a directory at once, one gets it", async (t) => {
  const directory = await temporaryDirectory(t);
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => open(directory)));
  const stores = results.filter((result) => result.status === "fulfilled");
  assert.equal(stores.length, 1);
  await stores[0]!.value.close();
});

test("a process that runs keeps its directory, one that was killed loses it", async (t) => {
  const directory = await temporaryDirectory(t);
  const script = fileURLToPath(import.meta.resolve("./testing/write-storm.ts"));
  const child = spawn(process.execPath, [script, directory, "1"], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  for await (const chunk of child.stdout) {
    if (child.killed || !String(chunk).includes("count")) continue;
    await assert.rejects(open(directory), { message: new RegExp(`in use by process ${child.pid}\\.`) });
    child.kill("SIGKILL");
  }
  await exited;
  await (await open(directory)).close();
});

test("a lock of an earlier process with the same pid, or with no sense, is taken over", async (t) => {
  const directory = await temporaryDirectory(t);
  await (await open(directory)).close();
  const dead = JSON.stringify({ pid: process.pid, started: "another boot" });
  for (const text of [dead, "", "{", JSON.stringify({ pid: 2 ** 22 + 1, started: "" })]) {
    await writeFile(`${directory}/lock`, text);
    const store = await open(directory);
    assert.equal(JSON.parse(await readFile(`${directory}/lock`, "utf8")).pid, process.pid);
    await store.close();
  }
});

test("only the owner can read what is stored", async (t) => {
  const directory = await temporaryDirectory(t);
  const store = await open(directory);
  assert.equal((await stat(directory)).mode & 0o777, 0o700);
  for (const name of await readdir(directory))
    assert.equal((await stat(`${directory}/${name}`)).mode & 0o777, 0o600, name);
  await store.close();
});
