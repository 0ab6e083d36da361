import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fault } from "@gatewright/local-aws";
import { seededRandom } from "@gatewright/ports";
import { acmWorld, CLUSTER, orderFor } from "./testing/acm-world.ts";
import type { Process } from "./testing/acm-world.ts";

const SEEDS = Number(process.env["GATEWRIGHT_SEEDS"] ?? 10);
const FIRST = Number(process.env["GATEWRIGHT_FIRST_SEED"] ?? 1);
const TOKENS = ["t1", "t2", "t3", "t4", "t5", "t6"];
/** Wanted for a while only. */
const PASSING = new Set(["t5", "t6"]);

/** Something of everything that can go wrong with a call. */
function trouble(chance: (of: number) => boolean, pick: (of: number) => number) {
  const before: readonly Fault[] = [
    { kind: "drop" },
    { kind: "lose reply" },
    { kind: "throttle" },
    { kind: "stale" },
    { kind: "stale" },
    { kind: "error", code: "InternalFailure", status: 500 },
    { kind: "delay", ms: 20_000 },
    { kind: "delay", ms: 45_000, next: { kind: "lose reply" } },
  ];
  return {
    on: true,
    before(): Fault | undefined {
      return this.on && chance(4) ? before[pick(before.length)] : undefined;
    },
    /** Done, and said not to be. */
    after(): Fault | undefined {
      return this.on && chance(16) ? { kind: "error", code: "InternalFailure", status: 500 } : undefined;
    },
  };
}

/** Claims that want certificates, through processes that come and go, while calls fail; then the trouble ends. */
async function badDay(seed: number): Promise<void> {
  const random = seededRandom(seed);
  const pick = (of: number): number => (random.bytes(1)[0] ?? 0) % of;
  const chance = (of: number): boolean => pick(of) === 0;
  const faults = trouble(chance, pick);
  const world = await acmWorld({ faults, durations: chance(3) ? 6 : 1 });
  const arns = new Map<string, string>();
  const removed = new Set<string>();
  let process: Process = world.start();

  const ask = ({ certificates }: Process, late: boolean): void => {
    for (const token of TOKENS) {
      if (removed.has(token)) continue;
      const recorded = arns.get(token);
      if (recorded !== undefined && late && PASSING.has(token)) {
        if (certificates.remove(recorded, token).state === "gone") removed.add(token);
        continue;
      }
      const progress = certificates.request(orderFor(token, [`${token}.example.com`, `*.${token}.example.com`]));
      if (progress.state !== "requested") continue;
      assert.equal(progress.arn, recorded ?? progress.arn, `seed ${seed}: ${token} has two certificates`);
      arns.set(token, progress.arn);
      assert.notEqual(certificates.get(progress.arn), "absent", `seed ${seed}: ${token} is there`);
    }
  };
  for (let second = 0; second < 400; second += 2) {
    ask(process, second > 200);
    await world.pass(2);
    // Who turns from wanting to removing has nothing under way any more.
    const turns = second === 200;
    if (turns || chance(60)) {
      await process.stop();
      if (!turns && chance(8)) world.clock.advance(4_000_000);
      process = world.start();
    }
  }
  faults.on = false;
  const settled = await world.until(() => {
    ask(process, true);
    return removed.size === PASSING.size && arns.size === TOKENS.length;
  }, 1_200);
  assert.ok(settled, `seed ${seed}: it never settled`);

  const truth = new Map<string, string>();
  const Includes = { keyTypes: ["EC_prime256v1"] };
  for await (const { CertificateArn: arn = "" } of world.bystander.acm.allCertificates({ Includes })) {
    const { Tags = [] } = await world.bystander.acm.listTagsForCertificate({ CertificateArn: arn });
    const token = Tags.find(({ Key }) => Key === "gatewright.dev/request")?.Value ?? "";
    assert.ok(!truth.has(token), `seed ${seed}: two certificates for ${token}`);
    assert.ok(Tags.some(({ Key, Value }) => Key === CLUSTER.key && Value === CLUSTER.value));
    truth.set(token, arn);
  }
  assert.deepEqual(
    [...truth.keys()].toSorted(),
    TOKENS.filter((token) => !removed.has(token)),
  );
  const known = await world.until(() => {
    const own = process.certificates.own();
    return own !== "unknown" && isSame(new Set(own.map(({ arn }) => arn)), new Set(truth.values()));
  }, 1_500);
  assert.ok(known, `seed ${seed}: it does not know the truth`);
  for (const arn of truth.values()) assert.equal(typeof process.certificates.get(arn), "object");
  await process.stop();
}

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((each) => other.has(each));
}

test("on bad days no token gets two certificates, none is called absent that is there, and the truth is known in the end", async () => {
  for (let seed = FIRST; seed < FIRST + SEEDS; seed++) await badDay(seed);
});
