import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CASES } from "./cases/index.ts";
import { gatewayWorld } from "./gateway-world.ts";
import { runCase } from "./run-case.ts";
import { StartedBackends } from "./started-backends.ts";
import type { World } from "./world.ts";

const LEAST_CASES = 120;

const ended = new AbortController();
const backends = new StartedBackends();
let world: World;

before(async () => {
  await backends.start();
  world = await gatewayWorld(ended.signal);
});

after(async () => {
  await world.close();
  await backends.close();
  ended.abort();
});

for (const [theme, cases] of Object.entries(CASES))
  describe(theme, () => {
    for (const one of cases) test(one.name, () => runCase(one, world, backends, ended.signal));
  });

test("the table has as many cases as were asked for, each with a name of its own", () => {
  const names = Object.values(CASES).flatMap((cases) => cases.map(({ name }) => name));
  assert.ok(names.length >= LEAST_CASES, `${names.length} cases`);
  assert.equal(new Set(names).size, names.length);
});
