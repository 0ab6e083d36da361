import assert from "node:assert/strict";
import { test } from "node:test";
import { ALL_KINDS } from "./index.ts";

test("what is found by tags and has another name than the spec says is never changed: the name is a field that cannot be", () => {
  for (const kind of ALL_KINDS) {
    // What kinds call their name in specs differs: any text will do where a name is read.
    const spec = new Proxy({}, { get: (_, key) => (key === "tags" ? undefined : `the-${String(key).toLowerCase()}`) });
    const name = kind.nameOf(spec as never);
    if (name === undefined) continue;
    const fields = kind.fields.filter(({ change, want }) => change === "replace" && wanted(want, spec) === name);
    assert.deepEqual(fields.length, 1, kind.resource.kind);
  }
});

function wanted(want: (spec: never, given: never) => unknown, spec: object): unknown {
  try {
    return want(spec as never, { value: () => undefined, version: () => undefined } as never);
  } catch {
    // A field of another shape than text.
    return undefined;
  }
}
