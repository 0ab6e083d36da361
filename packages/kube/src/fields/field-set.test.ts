import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  difference,
  differenceBelow,
  emptySet,
  equalSets,
  formatPaths,
  hasPath,
  insertPath,
  intersection,
  isSubset,
  setOfFields,
  union,
} from "./field-set.ts";
import type { FieldSet, FieldSetBuilder } from "./field-set.ts";
import { decodeFieldsV1, encodeFieldsV1 } from "./fields-v1.ts";

const element = fc.constantFrom("f:a", "f:b", "f:__proto__", 'k:{"n":1}', 'v:"x"');
const path = fc.array(element, { minLength: 1, maxLength: 4 });
const paths = fc.array(path, { maxLength: 8 });

function setOf(list: readonly (readonly string[])[]): FieldSet {
  const set: FieldSetBuilder = new Map();
  for (const item of list) insertPath(set, item);
  return set;
}

/** The same set as a plain set of strings. */
function flat(set: FieldSet, prefix = ""): Set<string> {
  const all = new Set<string>();
  for (const [name, node] of set) {
    if (node.owned) all.add(`${prefix}|${name}`);
    assert.ok(node.owned || node.below.size > 0, "no node is empty");
    for (const below of flat(node.below, `${prefix}|${name}`)) all.add(below);
  }
  return all;
}

const sets = fc.tuple(paths, paths).map(([a, b]) => [setOf(a), setOf(b)] as const);
const law = (check: (a: FieldSet, b: FieldSet) => void): void =>
  fc.assert(
    fc.property(sets, ([a, b]) => check(a, b)),
    { numRuns: 300 },
  );

describe("field sets", () => {
  it("have exactly the paths that were put in", () => {
    fc.assert(
      fc.property(paths, path, (list, probe) => {
        const set = setOf(list);
        assert.equal(
          hasPath(set, probe),
          list.some((item) => item.join("|") === probe.join("|")),
        );
        assert.deepEqual(flat(set), new Set(list.map((item) => `|${item.join("|")}`)));
      }),
    );
  });

  it("obey the laws of sets", () => {
    law((a, b) => {
      const [left, right] = [flat(a), flat(b)];
      assert.deepEqual(flat(union(a, b)), new Set([...left, ...right]));
      assert.deepEqual(flat(intersection(a, b)), new Set([...left].filter((item) => right.has(item))));
      assert.deepEqual(flat(difference(a, b)), new Set([...left].filter((item) => !right.has(item))));
      assert.ok(equalSets(union(difference(a, b), intersection(a, b)), a));
      assert.ok(equalSets(union(a, b), union(b, a)));
      assert.equal(equalSets(a, b), left.size === right.size && [...left].every((item) => right.has(item)));
      assert.equal(
        isSubset(a, b),
        [...left].every((item) => right.has(item)),
      );
      assert.equal(difference(a, a).size, 0);
      assert.equal(union(a, emptySet), a);
    });
  });

  it("lose all that is below a path when that is asked for", () => {
    law((a, b) => {
      const gone = [...flat(b)];
      const kept = [...flat(a)].filter(
        (item) => !gone.some((prefix) => item === prefix || item.startsWith(`${prefix}|`)),
      );
      assert.deepEqual(flat(differenceBelow(a, b)), new Set(kept));
    });
  });

  it("survive fieldsV1 and back", () => {
    law((a) => {
      const text = JSON.stringify(encodeFieldsV1(a));
      assert.ok(equalSets(decodeFieldsV1(JSON.parse(text)) ?? emptySet, a));
    });
  });

  it("are written in the order of kube-apiserver, with a dot for what is owned and has parts", () => {
    const set = setOf([
      ["f:spec"],
      ["f:spec", "f:ports"],
      ["f:spec", "f:ports", 'k:{"port":80}'],
      ["f:spec", "f:ports", 'k:{"port":80}', "f:name"],
      ["f:spec", "f:a"],
      ["f:metadata", "f:labels", "f:x"],
    ]);
    assert.equal(
      JSON.stringify(encodeFieldsV1(set)),
      '{"f:metadata":{"f:labels":{"f:x":{}}},"f:spec":{".":{},"f:a":{},"f:ports":{".":{},"k:{\\"port\\":80}":{".":{},"f:name":{}}}}}',
    );
    assert.deepEqual(
      formatPaths(set),
      [
        ".spec",
        ".spec.a",
        ".spec.ports",
        ".spec.ports[port=80]",
        ".spec.ports[port=80].name",
        ".metadata.labels.x",
      ].toSorted((a, b) => order(a) - order(b)),
    );
  });

  it("refuse fieldsV1 that make no sense", () => {
    assert.equal(decodeFieldsV1({ "x:y": {} }), undefined);
    assert.equal(decodeFieldsV1({ "f:a": 1 }), undefined);
    assert.equal(decodeFieldsV1({ "f:a": { "k:{": {} } }), undefined);
  });

  it("are made of plain field names", () => {
    assert.deepEqual(formatPaths(setOfFields([["metadata", "name"], ["status"]])), [".status", ".metadata.name"]);
  });
});

/** On each level the paths that end there come first. */
function order(text: string): number {
  return [
    ".spec",
    ".metadata.labels.x",
    ".spec.a",
    ".spec.ports",
    ".spec.ports[port=80]",
    ".spec.ports[port=80].name",
  ].indexOf(text);
}
