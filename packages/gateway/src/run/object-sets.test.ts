import assert from "node:assert/strict";
import { test } from "node:test";
import type { GivenObject } from "../configuration/objects.ts";
import { HeldObjects } from "../control/testing/held-objects.ts";
import { ObjectSets } from "./object-sets.ts";

const object = (name: string, version = "1"): GivenObject => ({
  kind: "APIRoute",
  namespace: "shop",
  name,
  version,
  spec: {},
});

function world() {
  const target = new HeldObjects();
  const sets = new ObjectSets(target, ["files", "the operator"]);
  const versions = (): string[] => target.held().map(({ name, version }) => `${name} ${version}`);
  return { target, sets, files: sets.of("files"), operator: sets.of("the operator"), versions };
}

test("what one giver replaces leaves the other's objects alone", () => {
  const { files, operator, target } = world();
  files.replace([object("a")]);
  operator.replace([object("b"), object("c")]);
  operator.replace([object("c")]);
  assert.deepEqual(target.names, ["APIRoute shop/a", "APIRoute shop/c"]);
  files.replace([]);
  assert.deepEqual(target.names, ["APIRoute shop/c"]);
});

test("of two of the same name the first giver's counts, and the other's comes back when it goes", () => {
  const { files, operator, versions, sets } = world();
  operator.replace([object("a", "of the operator")]);
  files.replace([object("a", "of a file")]);
  assert.deepEqual(versions(), ["a of a file"]);
  const [finding] = operator.change([object("a", "newer")], []);
  assert.match(finding?.message ?? "", /came by files, and that one counts/);
  assert.equal(finding?.severity, "error");
  assert.equal(sets.hidden().length, 1);
  assert.deepEqual(versions(), ["a of a file"]);
  files.replace([]);
  assert.deepEqual(versions(), ["a newer"]);
  operator.change([], [object("a")]);
  assert.deepEqual(versions(), []);
});

test("an object that is refused is held, and the version before it is the good one", () => {
  const target = new HeldObjects();
  let refuses = false;
  const sets = new ObjectSets(
    {
      change(set, removed) {
        const findings = target.change(set, removed);
        return refuses
          ? set.map((one) => ({ ...one, severity: "error" as const, field: "spec", message: "is bad" }))
          : findings;
      },
    },
    ["files"],
  );
  const files = sets.of("files");
  files.replace([object("a", "good")]);
  refuses = true;
  files.replace([object("a", "bad"), object("b", "bad")]);
  assert.deepEqual(files.held(), [object("a", "bad"), object("b", "bad")]);
  assert.deepEqual(files.good(), [object("a", "good")]);
});

test("what is the same value as before is not given again", () => {
  const given: number[] = [];
  const sets = new ObjectSets({ change: (set) => (given.push(set.length), []) }, ["files"]);
  const [a, b] = [object("a"), object("b")];
  sets.of("files").replace([a, b]);
  sets.of("files").replace([a, b, object("c")]);
  assert.deepEqual(given, [2, 1]);
});
