import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { formatYaml } from "@gatewright/kube";
import type { ApiObject, Json } from "@gatewright/kube";
import { crdOf } from "@gatewright/kube/define/manifests";
import { gatewayResources } from "@gatewright/resources";
import { MINORS, tools } from "../tools/layer.ts";
import { suite } from "../tools/suite.ts";
import { clientOf, startWorld } from "../tools/world.ts";
import type { Client, World } from "../tools/world.ts";
import { files, missing } from "./upstream.ts";

const minor = MINORS.at(-1)!;
const found = tools(minor);

suite("upstream's manifests, applied over the defined kinds", "missing" in found ? found.missing : missing, () => {
  let world: World;
  let client: Client;
  let stored: string;
  before(async () => {
    world = await startWorld();
    if (!("missing" in found)) client = clientOf(world, found);
    const manifests = gatewayResources.map((definition) => crdOf(definition, { check: false }) as unknown as Json);
    await client.ok("apply --server-side --field-manager=gatewright -f -", manifests.map(formatYaml).join("---\n"));
    await client.ok("wait --for=condition=Established --timeout=60s crd --all");
    const examples = gatewayResources.map(({ example }) => formatYaml(example as Json));
    await client.ok("create --validate=strict -f -", examples.join("---\n"));
    stored = await objects();
  });
  after(() => world[Symbol.asyncDispose]());

  /** Every object in each version that is served. */
  async function objects(): Promise<string> {
    const texts: string[] = [];
    for (const { plural, group, versions } of gatewayResources) {
      for (const { version } of versions) texts.push(await client.ok(`get ${plural}.${version}.${group} -A -o yaml`));
    }
    return texts.join("---\n");
  }

  test("are taken by a server-side apply, and stored objects read as before", async () => {
    const list = files().map((file) => `-f '${file}'`);
    await client.ok(`apply --server-side --force-conflicts ${list.join(" ")}`);
    await client.ok("wait --for=condition=Established --timeout=60s crd --all");
    assert.equal(await objects(), stored);
  });

  test("objects can be changed afterwards", async () => {
    for (const { plural, group, example } of gatewayResources) {
      const { name } = (example as ApiObject).metadata;
      await client.ok(`label ${plural}.${group} ${name} changed=yes`);
    }
  });
});
