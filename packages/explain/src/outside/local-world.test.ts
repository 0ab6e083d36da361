import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryReader } from "../testing/memory-reader.ts";
import { findLocalWorld, LOCAL_WORLD, localWorldData } from "./local-world.ts";
import type { LocalWorld } from "./local-world.ts";

const found = (world: LocalWorld) =>
  findLocalWorld(
    memoryReader([{ apiVersion: "v1", kind: "ConfigMap", metadata: LOCAL_WORLD, data: localWorldData(world) }]),
  );

test("a local world is found where it says that it is", async () => {
  const world = { dns: "127.0.0.1:1053", ca: "PEM", portsMovedBy: 8000 };
  assert.deepEqual(await found(world), world);
});

test("one that is not on this machine, or may not be read, is none", async () => {
  assert.equal(await found({ dns: "192.0.2.1:53", ca: "PEM", portsMovedBy: 0 }), undefined);
  assert.equal(await findLocalWorld(memoryReader([])), undefined);
  assert.equal(await findLocalWorld(memoryReader([], ["configmaps"])), undefined);
});
