import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { clientReader, overview } from "@gatewright/explain";
import type { KubeObject } from "@gatewright/kube";
import { systemClock } from "@gatewright/ports";
import { parseAllDocuments } from "yaml";
import { EXAMPLE_KINDS } from "../tools/example-kinds.ts";
import { laptopWorld, until } from "./laptop-world.ts";
import type { LaptopWorld } from "./laptop-world.ts";

const EXAMPLES = join(import.meta.dirname, "..", "..", "examples");
const FILES = ["application", "aws-resources", "routing", "avapigw", "hostname", "store"];

async function apply({ client }: LaptopWorld, name: string): Promise<void> {
  const text = readFileSync(join(EXAMPLES, `${name}.yaml`), "utf8");
  for (const document of parseAllDocuments(text)) {
    const object = document.toJS() as KubeObject;
    const resource = EXAMPLE_KINDS.find(
      ({ group, version, kind }) =>
        kind === object.kind && object.apiVersion === (group === "" ? version : `${group}/${version}`),
    );
    assert.ok(resource, `${name}.yaml: ${object.apiVersion} ${object.kind}`);
    const namespace = object.metadata.namespace ?? "default";
    const metadata = resource.namespaced ? { ...object.metadata, namespace } : object.metadata;
    await client.for(resource).apply({ ...object, metadata } as never);
  }
}

test("all that is in the examples becomes live, side by side", async () => {
  await using world = await laptopWorld({ zones: new Map([["A1231313", "opendi.com"]]), gateway: true });
  for (const name of FILES) await apply(world, name);
  const reader = clientReader(world.client);
  let left = "";
  await until("everything is live", async () => {
    const { groups } = await overview(reader, { now: systemClock.now() });
    const rows = groups.flatMap(({ rows: all }) => all);
    left = JSON.stringify(rows.filter(({ state }) => state !== "ok"));
    return rows.length > 15 && left === "[]";
  }).catch((error: unknown) => assert.fail(`${String(error)}: ${left}`));
});
