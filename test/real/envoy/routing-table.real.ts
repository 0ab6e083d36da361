import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { envoyPart } from "../../../testbed/index.ts";
import { CASES } from "../../routing-table/cases/index.ts";
import { Certificates } from "../../routing-table/certificates.ts";
import type { RoutingCase } from "../../routing-table/routing-case.ts";
import { runCase } from "../../routing-table/run-case.ts";
import { StartedBackends } from "../../routing-table/started-backends.ts";
import { suite } from "../../tools/suite.ts";
import { realPart } from "../part.ts";
import { envoyWorld } from "./envoy-world.ts";
import type { EnvoyWorld } from "./envoy-world.ts";
import { KNOWN } from "./known.ts";
import type { AdsKind } from "./started-envoy.ts";

const CASE_MS = 15_000;

/** How Envoy is spoken to, with the themes that are asked: what a resource does, does not depend on how it came. */
const WORLDS: readonly (readonly [kind: AdsKind, themes: readonly string[]])[] = [
  ["DELTA_GRPC", Object.keys(CASES)],
  ["GRPC", ["paths", "precedence", "destinations", "calls"]],
];

const part = await realPart(envoyPart);

suite("the routing table on Envoy", "missing" in part ? part.missing : false, () => {
  if ("missing" in part) return;
  const { binary = "" } = part.facts;
  const ended = new AbortController();
  let certificates: Certificates;
  let backends: StartedBackends;
  before(async () => {
    certificates = await Certificates.issue();
    backends = new StartedBackends(certificates);
    await backends.start();
  });
  after(async () => {
    ended.abort();
    await backends.close();
    await certificates.close();
    await part[Symbol.asyncDispose]();
  });

  for (const [kind, themes] of WORLDS)
    describe(`by ${kind}`, () => {
      let world: EnvoyWorld;
      before(async () => {
        world = await envoyWorld(binary, kind, certificates, ended.signal);
      });
      after(() => world.close());
      for (const theme of themes)
        describe(theme, () => {
          for (const one of CASES[theme] ?? []) test(one.name, () => judge(one, world, backends));
        });

      test("Envoy refused nothing that it was given", async () => {
        const rejected = [...(await world.envoy.stats("update_rejected"))].filter(([, count]) => count > 0);
        assert.deepEqual(rejected, []);
      });
    });

  test("every case that is known to differ is one of the table", () => {
    const names = new Set(Object.values(CASES).flatMap((cases) => cases.map(({ name }) => name)));
    assert.deepEqual(
      [...KNOWN.keys()].filter((name) => !names.has(name)),
      [],
    );
  });
});

/** A case agrees, or is listed and its objects say so. */
async function judge(one: RoutingCase, world: EnvoyWorld, backends: StartedBackends): Promise<void> {
  const known = KNOWN.get(one.name);
  const outcome = await runCase(one, world, backends, AbortSignal.timeout(CASE_MS)).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  if (known === undefined) {
    if (outcome !== undefined) throw outcome.error;
    return;
  }
  assert.ok(outcome !== undefined || known.sometimes === true, `agrees, and is listed: ${known.reason}`);
  if (known.field === undefined) return;
  const fields = world.remarks().map(({ field }) => field);
  assert.ok(fields.includes(known.field), `nothing is said about ${known.field}, but about ${fields.join(", ")}`);
}
