import assert from "node:assert/strict";
import { resolve } from "node:path";
import { after, before, test } from "node:test";
import { formatYaml } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";
import { allResources } from "@gatewright/resources";
import { MINORS, tools } from "../tools/layer.ts";
import { suite } from "../tools/suite.ts";
import { clientOf, startWorld } from "../tools/world.ts";
import type { Client, World } from "../tools/world.ts";

const CRDS = resolve(import.meta.dirname, "../../config/crd");

for (const minor of MINORS) {
  const found = tools(minor);
  suite(`generated manifests with kubectl ${minor}`, "missing" in found ? found.missing : false, () => {
    let world: World;
    let client: Client;
    before(async () => {
      world = await startWorld();
      if (!("missing" in found)) client = clientOf(world, found);
      await client.ok(`apply -k ${CRDS}`);
      await client.ok(`wait --for=condition=Established --timeout=60s --all customresourcedefinitions`);
    });
    after(() => world[Symbol.asyncDispose]());

    test("are taken unchanged, and a second apply changes nothing", async () => {
      const again = (await client.ok(`apply -k ${CRDS}`)).trim().split("\n");
      assert.equal(again.length, allResources.length);
      for (const line of again) assert.match(line, / unchanged$/);
      assert.equal(await client.ok(`diff -k ${CRDS}`), "");
      await client.ok(`apply --server-side --force-conflicts -k ${CRDS}`);
    });

    test("make kubectl explain, create and show the kinds", async () => {
      for (const { kind, plural, group, version, description, example } of allResources) {
        const explained = await client.ok(`explain ${plural} --api-version=${group}/${version}`);
        assert.ok(explained.replaceAll(/\s+/g, " ").includes(description), explained);
        await client.ok("create --validate=strict -f -", formatYaml(example as Json));
        const shown = await client.ok(`get ${plural}.${group} -A`);
        assert.match(shown, /\bAGE\b/, kind);
      }
    });

    test("show a claim by its columns, its short name and a field selector", async () => {
      const shown = await client.ok("get dc --field-selector=spec.hostname=shop.example.com");
      assert.match(shown, /^NAME +HOSTNAME +NAMESPACE +REQUEST +GATEWAY +READY +AGE$/m);
      assert.match(shown, /^shop\.example\.com +shop\.example\.com +shop +shop-hostname /m);
      const none = await client.kubectl("get dc --field-selector=spec.hostname=other.example.com");
      assert.match(none.stderr, /No resources found/);
    });
  });
}
