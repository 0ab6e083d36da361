import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { deepFreeze } from "../json/freeze.ts";
import type { JsonObject } from "../json/json.ts";
import { applyServerSide } from "./apply.ts";
import { apply, common, config } from "./testing/apply-fixture.ts";
import { equalIgnoringTimes } from "./times.ts";

const text = fc.constantFrom("x", "y", "z");
const name = fc.constantFrom("p1", "p2", "p3");
const freeValue = fc.oneof(text, fc.nat(), fc.boolean(), fc.array(text), fc.dictionary(name, text, { minKeys: 1 }));
/** Nothing empty: nobody owns an empty list, and what is emptied becomes null, which the server drops after the merge. */
const spec = fc
  .record(
    {
      size: fc.nat({ max: 2 }),
      color: text,
      tags: fc.uniqueArray(text, { minLength: 1 }),
      ports: fc.uniqueArray(fc.record({ name, port: fc.nat({ max: 2 }) }, { requiredKeys: ["name"] }), {
        minLength: 1,
        selector: (port) => port.name,
      }),
      args: fc.array(text, { maxLength: 2 }),
      whole: fc.record({ a: text, b: text }, { requiredKeys: [] }),
      nested: fc.record({ a: text, b: text }, { requiredKeys: ["a"] }),
      free: fc.dictionary(fc.constantFrom("a", "__proto__", "constructor"), freeValue, { minKeys: 1 }),
    },
    { requiredKeys: ["size"] },
  )
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonObject);

describe("server-side apply, by its laws", () => {
  it("applying the same configuration again changes nothing and conflicts with nobody", () => {
    fc.assert(
      fc.property(spec, spec, spec, (one, two, three) => {
        let live = apply(undefined, config(one), "a");
        live = apply(live, config(two), "b", { force: true });
        live = apply(live, config(three), "a", { force: true });
        const again = applyServerSide({
          ...common,
          live: deepFreeze(live),
          patch: config(three),
          kind: "Widget",
          manager: "a",
          force: false,
        });
        assert.equal(again.changed, false);
        assert.ok(equalIgnoringTimes(live, again.object));
      }),
      { numRuns: 200 },
    );
  });

  it("a sole applier's object is its configuration", () => {
    fc.assert(
      fc.property(spec, spec, (one, two) => {
        const fresh = apply(undefined, config(two), "a");
        const next = apply(apply(undefined, config(one), "a"), config(two), "a");
        assert.deepEqual(next.metadata.managedFields, fresh.metadata.managedFields);
      }),
      { numRuns: 200 },
    );
  });

  it("no configuration reaches a prototype", () => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    const hostile = JSON.parse(
      '{"free":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}',
    ) as JsonObject;
    const live = apply(apply(undefined, config({ free: { a: 1 } }), "b"), config(hostile), "a");
    assert.equal(
      JSON.stringify((live["spec"] as JsonObject)["free"]),
      '{"a":1,"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    );
    assert.equal(JSON.stringify(apply(live, config({}), "a")["spec"]), '{"free":{"a":1}}');
    assert.deepEqual(Object.getOwnPropertyNames(Object.prototype), before);
  });
});
