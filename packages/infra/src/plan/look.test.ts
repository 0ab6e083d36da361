import assert from "node:assert/strict";
import { test } from "node:test";
import type { Immutable } from "@gatewright/kube";
import type { AnyKind, Managed } from "../engine/aws-kind.ts";
import type { Ground } from "../engine/session.ts";
import { look } from "./look.ts";

const ENDED = "i-0";

/** A kind to whose resources AWS gives ids, with these tags by id. */
function kindOf(resources: Readonly<Record<string, Readonly<Record<string, string>>>>): AnyKind {
  const known = new Map(Object.entries(resources));
  const kind: Pick<AnyKind, "nameOf" | "read" | "stateOf" | "findTagged"> = {
    nameOf: () => undefined,
    stateOf: (id) => (id === ENDED ? { is: "ended", message: "no volume" } : { is: "ready" }),
    read: async (_ground, id) => (known.has(id) ? id : "absent"),
    findTagged: async (_ground, key, value) => [...known].flatMap(([id, tags]) => (tags[key] === value ? [id] : [])),
  };
  return kind as AnyKind;
}

const object = (facts: { byTags?: Record<string, string>; id?: string } = {}) =>
  ({
    metadata: { name: "web", uid: "u-1" },
    spec: { management: { adopt: facts.byTags === undefined ? undefined : { byTags: facts.byTags } } },
    status: facts.id === undefined ? {} : { resource: { id: facts.id } },
  }) as unknown as Immutable<Managed>;
const seen = (kind: AnyKind, facts?: Parameters<typeof object>[0]) => look(kind, object(facts), {} as Ground, []);

test("a resource is found by the status, by the tag of its object, and by the tags of a consent", async () => {
  const kind = kindOf({
    "i-1": { "gatewright.dev/uid": "u-1" },
    "i-2": { team: "shop", stage: "test" },
    "i-3": { team: "shop" },
  });
  assert.deepEqual(await seen(kind, { id: "i-3" }), { seen: "i-3" });
  assert.equal(await seen(kind, { id: "i-9" }), "absent");
  assert.equal(await seen(kindOf({ [ENDED]: {} }), { id: ENDED }), "absent", "AWS still tells of it");
  assert.deepEqual(await seen(kind), { seen: "i-1" });
  assert.deepEqual(await seen(kind, { id: "" }), { seen: "i-1" }, "it was decided to make it, and AWS gave it an id");
  const others = kindOf({ "i-2": { team: "shop", stage: "test" }, "i-3": { team: "shop" } });
  assert.equal(await seen(others), "unnamed");
  assert.deepEqual(await seen(others, { byTags: { team: "shop", stage: "test" } }), { seen: "i-2" });
  assert.equal(await seen(others, { byTags: { team: "shop" } }), "ambiguous");
  assert.equal(await seen(others, { byTags: { team: "none" } }), "unnamed");
});
