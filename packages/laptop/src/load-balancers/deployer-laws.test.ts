import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createCertificateAuthority } from "@gatewright/apiserver";
import type { Fault } from "@gatewright/local-aws";
import { ManualClock, seededRandom } from "@gatewright/ports";
import { Deployer } from "./deployer.ts";
import type { GatewayModel } from "./model/model.ts";
import { listener, object, parent, rule } from "./testing/object-view.ts";
import { modelOf, service } from "./testing/sample-model.ts";
import { told } from "./testing/told.ts";
import { insisting, virtualAws } from "./testing/virtual-aws.ts";
import { TargetBook } from "./targets/target-book.ts";
import { TargetRegister } from "./targets/target-register.ts";

const { signal } = new AbortController();
const SERVICES = ["a", "b", "c"].map((name) => service(name));
const FAULTS: readonly Fault[] = [
  { kind: "throttle" },
  { kind: "drop" },
  { kind: "lose reply" },
  { kind: "error", code: "InternalFailure", status: 500 },
];

const someRoute = fc.record({
  section: fc.constantFrom("http", "https"),
  hostnames: fc.subarray(["a.test", "*.test"]),
  paths: fc.uniqueArray(fc.constantFrom("/1", "/2", "/3", "/4"), { minLength: 1 }),
  backends: fc.uniqueArray(fc.constantFrom("a", "b", "c", "gone"), { maxLength: 2 }),
});
/** Routes, which of the certificates the listener has, in which order, and the scheme. */
const someWish = fc.record({
  routes: fc.array(someRoute, { maxLength: 3 }),
  certificates: fc.shuffledSubarray([0, 1, 2], { minLength: 1 }),
  scheme: fc.constantFrom("internal", "internal", "internet-facing"),
});
type Wish = typeof someWish extends fc.Arbitrary<infer T> ? T : never;

function wishedModel({ routes, certificates, scheme }: Wish, arns: readonly string[]): GatewayModel {
  const [defaultCertificate, ...others] = certificates.map((index) => arns[index]);
  const parametersRef = { group: "gateway.k8s.aws", kind: "LoadBalancerConfiguration", name: "settings" };
  const listeners = [listener("http", 80), listener("https", 443, { protocol: "HTTPS" })];
  return modelOf(
    [
      ...SERVICES,
      object("LoadBalancerConfiguration", "settings", {
        scheme,
        listenerConfigurations: [{ protocolPort: "HTTPS:443", defaultCertificate, certificates: others }],
      }),
      ...routes.map(({ section, hostnames, paths, backends }, index) => {
        const matches = paths.map((value) => ({ path: { type: "Exact", value } }));
        const rules = [
          rule(
            backends.map((name) => ({ name })),
            matches,
          ),
        ];
        return object("HTTPRoute", `r${index}`, { parentRefs: [parent({ sectionName: section })], hostnames, rules });
      }),
    ],
    { listeners, spec: { infrastructure: { parametersRef } } },
  );
}

const authority = await createCertificateAuthority({ clock: new ManualClock(), random: seededRandom(1) });
const pairs = await Promise.all(["x", "y", "z"].map((name) => authority.issueServing([`${name}.test`])));

/** Deploys one wish after the other, each by a process of its own, and tells what AWS has in the end. */
async function afterWishes(wishes: readonly Wish[], trouble: readonly number[]): Promise<unknown> {
  let armed = false;
  let writes = 0;
  const world = await virtualAws({
    before: ({ operation }) => {
      if (!armed || operation.startsWith("Describe")) return undefined;
      const drawn = trouble[writes++ % Math.max(1, trouble.length)] ?? 99;
      return FAULTS[drawn];
    },
  });
  const arns: string[] = [];
  for (const { certificate, key } of pairs) {
    const input = { Certificate: Buffer.from(certificate), PrivateKey: Buffer.from(key) };
    arns.push((await world.passing(world.aws.acm.importCertificate(input))).CertificateArn ?? "");
  }
  const { aws, clock } = world;
  armed = true;
  for (const wish of wishes) {
    const own = new Deployer({
      aws,
      clock,
      cluster: "test",
      book: new TargetBook(),
      register: new TargetRegister(aws),
    });
    await world.passing(
      insisting(() => own.deploy(wishedModel(wish, arns), () => [{ id: "10.0.0.1", port: 80 }], signal)),
    );
  }
  armed = false;
  return told(aws);
}

test("whatever was wished before, and whatever went wrong, AWS ends with what the last wish says", async () => {
  // Every other write fails at most, so that tries end.
  const someTrouble = fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 30 })
    .filter((drawn) => drawn.filter((each) => each >= FAULTS.length).length * 2 >= drawn.length);
  await fc.assert(
    fc.asyncProperty(fc.array(someWish, { minLength: 1, maxLength: 3 }), someTrouble, async (wishes, trouble) => {
      assert.deepEqual(await afterWishes(wishes, trouble), await afterWishes(wishes.slice(-1), []));
    }),
    { numRuns: 12, endOnFailure: true },
  );
});
