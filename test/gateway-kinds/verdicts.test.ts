import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { crdOf } from "@gatewright/kube/define/manifests";
import { gatewayResources } from "@gatewright/resources";
import fc from "fast-check";
import { suite } from "../tools/suite.ts";
import { allCases } from "./cases/all-cases.ts";
import type { Case } from "./cases/case.ts";
import { mutated } from "./mutations.ts";
import { pick, ServerWithKinds } from "./server-with-kinds.ts";
import { missing, upstreamDefinitions } from "./upstream.ts";

/** More for a night: `MUTATIONS=100000`. */
const RUNS = Number(process.env["MUTATIONS"] ?? 500);

suite("objects of the defined kinds", false, () => {
  let server: ServerWithKinds;
  before(async () => {
    server = await ServerWithKinds.start(gatewayResources.map((definition) => crdOf(definition)));
  });
  after(() => server[Symbol.asyncDispose]());

  test("examples are taken as they are", async () => {
    for (const resource of gatewayResources) {
      const { spec } = resource.example as { spec: {} };
      const { accepted, message } = await server.judge({ what: "example", resource, spec });
      assert.ok(accepted, message);
    }
  });

  for (const one of allCases) {
    test(`${one.resource.kind}: ${one.what} is ${one.refused ? "refused" : "taken"}`, async () => {
      const { accepted, fields, message } = await server.judge(one);
      assert.equal(accepted, one.refused === undefined, message);
      assert.deepEqual(fields, one.refused ?? [], message);
    });
  }
});

suite("the same objects where upstream's manifests define the kinds", missing, () => {
  let ours: ServerWithKinds;
  let theirs: ServerWithKinds;
  before(async () => {
    ours = await ServerWithKinds.start(gatewayResources.map((definition) => crdOf(definition)));
    theirs = await ServerWithKinds.start(pick(upstreamDefinitions(), gatewayResources));
  });
  after(async () => {
    await ours[Symbol.asyncDispose]();
    await theirs[Symbol.asyncDispose]();
  });

  const agree = async (one: Case): Promise<void> => {
    const { message: said, ...mine } = await ours.judge(one);
    const { message: saidThere, ...other } = await theirs.judge(one);
    assert.deepEqual(mine, other, `${one.resource.kind}: ${one.what}\n${said}\n${saidThere}`);
  };

  test("get the same verdict, at the same fields, and are stored with the same defaults", async () => {
    for (const one of allCases) await agree(one);
  });

  test("do so too when they are changed at random", async () => {
    await fc.assert(fc.asyncProperty(mutated, agree), { numRuns: RUNS });
  });
});
