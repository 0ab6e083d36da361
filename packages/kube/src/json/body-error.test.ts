import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { missingKind, unrecognizedBody, versionKindError, versionKindProblem } from "./body-error.ts";
import type { Json } from "./json.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const GO = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

describe("bodies that are no object", () => {
  it("are answered with their beginning: objects as text, all else as hex", () => {
    const told = (body: string): string => unrecognizedBody("ConfigMap", "why", bytes(body)).message;
    assert.equal(told("{"), "the object provided is unrecognized (must be of type ConfigMap): why ({)");
    assert.equal(told(""), "the object provided is unrecognized (must be of type ConfigMap): why (<empty>)");
    assert.equal(told("xyz"), "the object provided is unrecognized (must be of type ConfigMap): why (78797a)");
    assert.match(told(`{"apiVersion":"v1","kind":"ConfigMap"}`), / \(\{"apiVersion":"v1","kind":"Con \.\.\.\)$/);
  });

  it("are told apart by what keeps a kind from being read", () => {
    const problems: readonly [Json, string | undefined][] = [
      [null, undefined],
      [{}, undefined],
      [{ apiVersion: "v1", kind: null }, undefined],
      [[], versionKindError(`json: cannot unmarshal array into Go value of type ${GO}`)],
      [true, versionKindError(`json: cannot unmarshal bool into Go value of type ${GO}`)],
      [{ kind: 1 }, versionKindError("json: cannot unmarshal number into Go struct field .kind of type string")],
      [{ apiVersion: "a/b/c" }, "unexpected GroupVersion string: a/b/c"],
    ];
    for (const [value, problem] of problems) assert.equal(versionKindProblem(value), problem);
    assert.equal(missingKind(bytes("{}")), "Object 'Kind' is missing in '{}'");
  });
});
