import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { ChangeProgress, RecordChange, RecordSet } from "@gatewright/aws";
import type { Call, Fault, Faults } from "@gatewright/local-aws";
import { address, create, remove, swap, zonesWorld } from "./zones-world.ts";

/** An order, what the zone has before it, and what must come of it. */
interface Case {
  readonly before: readonly RecordSet[];
  readonly changes: readonly RecordChange[];
  readonly after: readonly RecordSet[];
  readonly ends: ChangeProgress["state"];
}

const other = (name: string): RecordSet => address(name, "10.9.9.9");
const text = (name: string, value: string): RecordSet => ({ name, type: "TXT", ttl: 60, values: [value] });
const canonical = (name: string): RecordSet => ({ name, type: "CNAME", ttl: 60, values: ["x.example.net."] });
const alias = (name: string): RecordSet => ({
  name,
  type: "A",
  alias: { dnsName: "gone-1.eu-west-1.elb.amazonaws.com", zoneId: "Z32O12XQLNTSW2", evaluateTargetHealth: true },
});

const KINDS: Readonly<Record<string, (name: string) => Case>> = {
  "a new set": (name) => made([create(address(name))], [address(name)]),
  "two new sets": (name) => {
    const sets = [address(name), text(`_x.${name}`, '"v"')];
    return made(sets.map(create), sets);
  },
  "a wildcard": (name) => made([create(address(`*.${name}`))], [address(`\\052.${name}`)]),
  "weighted sets": (name) => {
    const set = { ...address(name), setIdentifier: "one", weight: 1 };
    return made([create(set)], [set]);
  },
  "what is there": (name) => ({
    before: [address(name)],
    changes: [create(address(`${name.toUpperCase()}.`))],
    after: [address(name)],
    ends: "inSync",
  }),
  "half of it is there": (name) => ({
    before: [address(name)],
    changes: [create(address(name)), create(text(name, '"v"'))],
    after: [address(name), text(name, '"v"')],
    ends: "inSync",
  }),
  "something else is there": (name) => untouched([other(name)], [create(address(name))]),
  "half of it is in the way": (name) => untouched([other(name)], [create(text(name, '"v"')), create(address(name))]),
  "a deletion": (name) => ({ before: [address(name)], changes: [remove(address(name))], after: [], ends: "inSync" }),
  "a deletion of nothing": (name) => made([remove(address(name))], []),
  "a deletion of something else": (name) => untouched([other(name)], [remove(address(name))]),
  "a swap": (name) => ({
    before: [address(name)],
    changes: [swap(address(name), other(name))],
    after: [other(name)],
    ends: "inSync",
  }),
  "a swap that is made": (name) => ({
    before: [other(name)],
    changes: [swap(address(name), other(name))],
    after: [other(name)],
    ends: "inSync",
  }),
  "a swap of nothing": (name) => made([swap(address(name), other(name))], [other(name)]),
  "a swap of something else": (name) => untouched([address(name, "10.7.7.7")], [swap(address(name), other(name))]),
  "a swap of types": (name) => ({
    before: [canonical(name)],
    changes: [swap(canonical(name), address(name))],
    after: [address(name)],
    ends: "inSync",
  }),
  "a swap of types in the way": (name) =>
    untouched([other(name)], [swap({ ...address(name), type: "AAAA", values: ["::1"] }, address(name))]),
  "a name outside": (name) => untouched([], [create(address(`${name}.org`))]),
  "a bad value": (name) => untouched([], [create(address(name, `999.${name.length}.0.1`))]),
  "no lifetime": (name) => untouched([], [create(address(name)), create(address(`b.${name}`, "10.0.0.1", -1))]),
  "no such target": (name) => untouched([], [create(alias(name))]),
  "beside a CNAME": (name) => untouched([canonical(name)], [create(address(name))]),
};

function made(changes: readonly RecordChange[], after: readonly RecordSet[]): Case {
  return { before: [], changes, after, ends: "inSync" };
}

function untouched(before: readonly RecordSet[], changes: readonly RecordChange[]): Case {
  return { before, changes, after: before, ends: "refused" };
}

const TROUBLE: readonly { readonly after: boolean; readonly fault: Fault }[] = [
  { after: false, fault: { kind: "throttle" } },
  { after: false, fault: { kind: "drop" } },
  { after: false, fault: { kind: "error", code: "PriorRequestNotComplete" } },
  { after: false, fault: { kind: "error", code: "InternalError", status: 500 } },
  { after: false, fault: { kind: "error", code: "ServiceUnavailable", status: 503 } },
  { after: true, fault: { kind: "lose reply" } },
  { after: true, fault: { kind: "error", code: "InternalError", status: 500 } },
];

/** Trouble with some of the first calls. */
function faultsOf(plan: readonly (number | undefined)[]): Faults & { armed: boolean } {
  let calls = 0;
  let current: (typeof TROUBLE)[number] | undefined;
  const faults = {
    armed: false,
    before: (_call: Call): Fault | undefined => {
      if (!faults.armed) return undefined;
      const at = plan[calls++];
      current = at === undefined ? undefined : TROUBLE[at];
      return current?.after === false ? current.fault : undefined;
    },
    after: (_call: Call): Fault | undefined => (faults.armed && current?.after === true ? current.fault : undefined),
  };
  return faults;
}

const shown = ({ name, type, values, setIdentifier, alias: target }: RecordSet): string =>
  [`${name}.`, type, setIdentifier, ...(values ?? []), target?.dnsName].filter((part) => part !== undefined).join(" ");

test("whatever is ordered and whatever goes wrong: the zone has what was wanted, and every order is told the truth", async () => {
  const orders = fc.array(
    fc.record({ kind: fc.constantFrom(...Object.keys(KINDS)), pause: fc.constantFrom(0, 0, 0, 300, 2_500) }),
    { minLength: 1, maxLength: 40 },
  );
  const plan = fc.array(fc.option(fc.nat(TROUBLE.length - 1), { nil: undefined, freq: 2 }), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(orders, plan, async (asked, troubles) => {
      const faults = faultsOf(troubles);
      const world = await zonesWorld({ faults, settings: { batch: { elements: 25, characters: 400 } } });
      const cases = asked.map(({ kind }, at) => KINDS[kind]!(`h${at}.example.com`));
      const before = cases.flatMap((each) => each.before).map(create);
      if (before.length > 0) {
        for (let at = 0; at < before.length; at += 20) {
          const changes = before.slice(at, at + 20);
          await world.until(() => world.zones.change({ zoneId: "Z1", changes, owner: "x" }).state === "inSync");
        }
      }
      faults.armed = true;
      const progress = (index: number): ChangeProgress =>
        world.zones.change({ zoneId: "Z1", changes: cases[index]!.changes, owner: String(index) });
      for (const [at, { pause }] of asked.entries()) {
        progress(at);
        if (pause > 0) await world.pass(pause);
      }
      const ended = new Map<number, ChangeProgress>();
      await world.until(() => {
        for (const at of cases.keys()) {
          if (ended.has(at)) continue;
          const now = progress(at);
          if (now.state === "inSync" || now.state === "refused" || now.state === "failed") ended.set(at, now);
        }
        return ended.size === cases.length;
      });
      faults.armed = false;
      for (const [at, { ends }] of cases.entries()) {
        assert.equal(ended.get(at)?.state, ends, `${asked[at]?.kind}: ${JSON.stringify(ended.get(at))}`);
      }
      const wanted = cases.flatMap(({ after }) => after.map(shown)).toSorted();
      assert.deepEqual(await world.records("Z1"), wanted);
      await world.stop();
      assert.equal(world.clock.pending, 0);
    }),
    { numRuns: 25, ...(process.env["SEED"] && { seed: Number(process.env["SEED"]) }) },
  );
});
