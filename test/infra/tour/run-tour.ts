import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { ALL_KINDS } from "@gatewright/infra";
import type { Json, JsonObject } from "@gatewright/kube";
import type { FieldStop, Gaps, KindTour, OpenTour, Sees } from "./kind-tour.ts";
import { tellApart, tellChanged } from "./tell-apart.ts";
import type { Apart, Looked } from "./tell-apart.ts";
import { eventually, TourObject } from "./tour-world.ts";
import type { TourWorld } from "./tour-world.ts";

const OWNER = "gatewright.dev/uid";
const DELETED: JsonObject = { deletionPolicy: "Delete" };

/** Registers the tests of one kind. Gaps are of the AWS that the world has. */
export function runTour(
  tour: KindTour,
  worldOf: () => TourWorld,
  { fields = {}, steps = {}, seen: odd = {} }: Gaps = {},
): void {
  describe(tour.title, { concurrency: 1 }, () => {
    let world: TourWorld;
    let open: OpenTour;
    before(async () => {
      world = worldOf();
      open = await tour.open(world.cli, world);
    });

    const word = tour.title.toLowerCase().replaceAll(" ", "-");
    const object = (role: string, more: JsonObject = DELETED): TourObject => {
      const name = `tour-${word}-${role}`;
      return new TourObject(world, tour.resource, name, { ...open.spec(name), ...more });
    };
    const idOf = async (name: string): Promise<string> => {
      const id = await tour.find(world.cli, name);
      assert.ok(id !== undefined, `AWS has no ${name}`);
      return id;
    };
    const look = async (id: string, which: readonly string[]): Promise<Looked> => {
      const told: Record<string, Json | undefined> = {};
      for (const name of which) told[name] = await tour.looks[name]!(world.cli, id);
      return told;
    };
    const all = Object.keys(tour.looks);
    /** Oddities that were seen. */
    const met = new Set<string>();
    const isOdd = ({ at }: Apart): boolean => {
      if (!Object.hasOwn(odd, at)) return false;
      met.add(at);
      return true;
    };
    const wrong = async (id: string, sees: Sees): Promise<readonly Apart[]> =>
      tellApart(sees, (await look(id, Object.keys(sees))) as JsonObject).filter((each) => !isOdd(each));
    const changed = async (id: string, before: Looked): Promise<readonly Apart[]> =>
      tellChanged(before, await look(id, Object.keys(before))).filter((each) => !isOdd(each));
    const stops = (): readonly FieldStop[] => [...open.changes, ...(open.noWayBack ?? [])];
    /** What the spec of the main object has had since it cannot go back. */
    const since = (): JsonObject => ({
      ...DELETED,
      ...open.noWayBack?.findLast(({ field }) => !Object.hasOwn(fields, field))?.put,
    });
    const change = async (one: TourObject, id: string, all: readonly FieldStop[]): Promise<void> => {
      for (const { field, put, sees } of all) {
        if (Object.hasOwn(fields, field)) continue;
        await one.put(put);
        await one.ready();
        assert.deepEqual(await wrong(id, sees), [], field);
      }
    };
    /** The step itself; of a known gap, that it fails. */
    const step = (name: string, body: () => Promise<void>): void => {
      const gap = steps[name];
      if (gap === undefined) test(name, body);
      else test(`${name}: not here, ${gap}`, () => assert.rejects(body(), `${name} works here: it is no gap any more`));
    };

    step("is made as the manifest says, changed field by field, and is at the end as it began", async () => {
      const main = object("main");
      await main.put();
      const made = await main.ready();
      const id = await idOf(main.name);
      assert.deepEqual(await wrong(id, open.made), []);
      assert.equal((await tour.tags(world.cli, id))[OWNER], made.metadata.uid);
      const first = await look(id, all);
      await change(main, id, open.changes);
      await main.put();
      await main.ready();
      const kept = all.filter((name) => !Object.hasOwn(open.oneWay ?? {}, name));
      assert.deepEqual(await changed(id, Object.fromEntries(kept.map((name) => [name, first[name]]))), []);
      await change(main, id, open.noWayBack ?? []);
    });

    test("every field that changes in place is in the table", () => {
      const kind = ALL_KINDS.find(({ resource }) => resource.kind === tour.resource.kind)!;
      const told = new Set([...stops().map(({ field }) => field), ...(tour.elsewhere ?? [])]);
      assert.deepEqual(
        kind.fields.filter(({ path, change }) => change === "in-place" && !told.has(path)).map(({ path }) => path),
        [],
      );
    });

    const { drift, makeByHand, hold, retired } = tour;
    if (drift !== undefined) {
      step("is put right when others change it", async () => {
        const main = object("main");
        const id = await idOf(main.name);
        const before = await look(id, all);
        // Or it would be put right before anybody has looked.
        await main.pause(true);
        await drift.by(world.cli, id);
        assert.deepEqual(await wrong(id, drift.sees), []);
        await main.pause(false);
        const looks = Object.fromEntries(Object.keys(drift.sees).map((name) => [name, before[name]]));
        await eventually(
          `${main.name} is put right`,
          () => changed(id, looks),
          (differences) => differences.length === 0,
        );
        assert.deepEqual(await changed(id, before), []);
      });
    }

    if (makeByHand !== undefined) {
      step("of others is left alone, taken over with consent, and stays by the policy Retain", async () => {
        const adopted = object("adopted", { deletionPolicy: "Retain" });
        await makeByHand(world.cli, adopted.name);
        const id = await idOf(adopted.name);
        const before = await look(id, all);
        const refused = tour.consent === undefined;
        if (refused) {
          await adopted.put();
          await adopted.reason("Conflict");
          assert.deepEqual(await changed(id, before), []);
          assert.deepEqual(await tour.tags(world.cli, id), { team: "old" });
        }
        const adopt = tour.consent?.(adopted.name) ?? { byName: true };
        await adopted.put({ management: { adopt } });
        const { metadata, status } = await adopted.ready();
        assert.equal(status?.resource?.ownership, "Adopted");
        assert.deepEqual(await wrong(id, open.adopted ?? open.made), []);
        const tags = await tour.tags(world.cli, id);
        assert.deepEqual([tags[OWNER], tags["team"]], [metadata.uid, "old"]);
        const taken = await look(id, all);
        await adopted.delete();
        await adopted.gone();
        assert.equal(await tour.find(world.cli, adopted.name), id);
        assert.deepEqual(await changed(id, taken), []);
      });

      step("stays without our tags by the policy Orphan", async () => {
        const orphan = object("orphan", {
          deletionPolicy: "Orphan",
          tags: { tour: `tour-${word}-orphan`, team: "shop" },
        });
        await orphan.put();
        await orphan.ready();
        const id = await idOf(orphan.name);
        const before = await look(id, all);
        await orphan.delete();
        await orphan.gone();
        assert.deepEqual(await changed(id, before), []);
        const left = Object.keys(await tour.tags(world.cli, id));
        assert.deepEqual(
          left.filter((key) => key === "managed-by" || key.startsWith("gatewright.dev/")),
          [],
        );
        assert.ok(left.includes("team"));
      });
    }

    if (tour.isReplaceable === true) {
      step("is another one after a person's approval, and not before", async () => {
        const { replacement } = open;
        assert.ok(replacement);
        const replaced = object("replaced");
        await replaced.put();
        await replaced.ready();
        const id = await idOf(replaced.name);
        const before = await look(id, all);
        await replaced.put(replacement.put);
        const { status } = await replaced.reason("ReplacementNeeded");
        assert.deepEqual(await changed(id, before), []);
        await replaced.approve(status?.plan?.hash ?? "");
        await replaced.reason("InSync");
        assert.deepEqual(await wrong(await idOf(replaced.name), replacement.sees), []);
        await replaced.delete();
        await replaced.gone();
        assert.equal(await tour.find(world.cli, replaced.name), undefined);
      });
    }

    if (retired !== undefined) {
      step(`stays by the policy ${retired.policy}, as that says`, async () => {
        const kept = object("retired", { deletionPolicy: retired.policy });
        await kept.put();
        await kept.ready();
        const id = await idOf(kept.name);
        await kept.delete();
        await kept.gone();
        assert.deepEqual(await wrong(id, retired.sees), []);
      });
    }

    step("goes with its object", async () => {
      const main = object("main");
      const id = await idOf(main.name);
      if (hold !== undefined) {
        await hold.by?.(world.cli, id);
        await main.put({ ...since(), ...hold.put });
        if (hold.put !== undefined) await main.ready();
        await main.delete();
        await main.reason(hold.reason);
        assert.equal(await tour.find(world.cli, main.name), id);
        await main.put({ ...since(), ...hold.letGo });
      } else await main.delete();
      await main.gone();
      assert.equal(await tour.find(world.cli, main.name), undefined);
      await tour.leaves?.(world.cli, main.name, id);
    });

    for (const [field, why] of Object.entries(fields)) {
      test(`${field}: not here, ${why}`, async () => {
        const stop = stops().find((each) => each.field === field);
        assert.ok(stop, `${tour.title} has no ${field}`);
        await assert.rejects(alone(object(`gap-${field.toLowerCase().replaceAll(/[^a-z]/g, "-")}`), stop), field);
      });
    }

    if (Object.keys(odd).length > 0) {
      test("all that is told otherwise here was met", () => {
        assert.deepEqual([...met].toSorted(), Object.keys(odd).toSorted());
      });
    }

    /** A change on an object of its own: where it fails it is in nobody's way. */
    async function alone(one: TourObject, { put, sees }: FieldStop): Promise<void> {
      await one.put({ deletionPolicy: "Orphan" });
      await one.ready();
      try {
        await one.put({ deletionPolicy: "Orphan", ...put });
        await one.ready(GAP_MS);
        assert.deepEqual(await wrong(await idOf(one.name), sees), []);
      } finally {
        await one.put({ deletionPolicy: "Retain" });
        await one.delete();
      }
    }
  });
}

const GAP_MS = 8_000;
