import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CASES } from "./cases/index.ts";
import { Certificates } from "./certificates.ts";
import { send, sendOverHttp2 } from "./client.ts";
import { gatewayWorld } from "./gateway-world.ts";
import { runCase } from "./run-case.ts";
import { StartedBackends } from "./started-backends.ts";
import type { World } from "./world.ts";

const LEAST_CASES = 120;

const ended = new AbortController();
const certificates = await Certificates.issue();
const backends = new StartedBackends(certificates);

before(() => backends.start());
after(async () => {
  await backends.close();
  await certificates.close();
  ended.abort();
});

/** The themes that ask by HTTP/1.1 or gRPC; those in which the other protocol could make a difference are asked by HTTP/2 too. */
const WORLDS: readonly (readonly [name: string, sender: typeof send, themes: readonly string[]])[] = [
  ["HTTP/1.1", send, Object.keys(CASES)],
  [
    "HTTP/2",
    sendOverHttp2,
    ["conditions", "changes", "failures", "limits", "browsers", "bodies", "encryption", "sessions"],
  ],
];

for (const [protocol, sender, themes] of WORLDS)
  describe(`over ${protocol}`, () => {
    let world: World;
    before(async () => {
      world = await gatewayWorld(certificates, ended.signal, sender);
    });
    after(() => world.close());
    for (const theme of themes)
      describe(theme, () => {
        for (const one of CASES[theme] ?? []) {
          if (one.onlyHttp1 === true && sender !== send) continue;
          test(one.name, () => runCase(one, world, backends, ended.signal));
        }
      });
  });

test("the table has as many cases as were asked for, each with a name of its own", () => {
  const names = Object.values(CASES).flatMap((cases) => cases.map(({ name }) => name));
  assert.ok(names.length >= LEAST_CASES, `${names.length} cases`);
  assert.equal(new Set(names).size, names.length);
});
