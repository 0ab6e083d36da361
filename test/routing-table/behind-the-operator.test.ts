import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CASES } from "./cases/index.ts";
import { Certificates } from "./certificates.ts";
import { operatorWorld } from "./operator-world.ts";
import type { OperatorWorld } from "./operator-world.ts";
import { runCase } from "./run-case.ts";
import { StartedBackends } from "./started-backends.ts";

const ended = new AbortController();
const certificates = await Certificates.issue();
const backends = new StartedBackends(certificates);
let world: OperatorWorld;

before(async () => {
  await backends.start();
  world = await operatorWorld(certificates, ended.signal);
});
after(async () => {
  await world.close();
  await backends.close();
  await certificates.close();
  ended.abort();
});

/** What a gateway would leave out is not even stored: what is said to who writes it. Requests are answered the same. */
const REFUSED: ReadonlyMap<string, RegExp> = new Map([
  ["a route with a broken regular expression is left out, and the others serve", /spec\.match\[0\]\.uri\.regex/],
]);
/** Two for the same requests: admission refuses the later one. Here they come past it, as when two replicas are asked at once. */
const PAST_ADMISSION: ReadonlySet<string> = new Set([
  "of equal routes the older one wins",
  "of equally old routes the first by namespace and name wins",
]);

describe("the same answers, when the objects are a cluster's", () => {
  for (const [theme, cases] of Object.entries(CASES))
    describe(theme, () => {
      for (const one of cases)
        test(one.name, async () => {
          const run = (): Promise<void> => runCase(one, world, backends, ended.signal);
          await (PAST_ADMISSION.has(one.name) ? world.unasked(run) : run());
          const refused = [...world.refused.values()].join();
          assert.match(refused, REFUSED.get(one.name) ?? /^$/);
        });
    });
});
