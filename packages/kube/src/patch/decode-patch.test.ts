import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  decodeApplyPatch,
  decodeJsonPatch,
  decodeMergePatch,
  decodeStrategicMergePatch,
  strictApplyError,
} from "./decode-patch.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const bad = (message: string) => ({ code: 400, message });

describe("patch bodies", () => {
  it("a JSON patch is a list of operations", () => {
    assert.deepEqual(decodeJsonPatch(bytes("null"), true), { patch: [], problems: [] });
    assert.throws(() => decodeJsonPatch(bytes("{"), true), bad("error decoding patch: unexpected end of JSON input"));
    assert.throws(() => decodeJsonPatch(bytes("{"), false), bad("unexpected end of JSON input"));
    assert.throws(
      () => decodeJsonPatch(bytes("{}"), true),
      bad("error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp"),
    );
    assert.throws(
      () => decodeJsonPatch(bytes("{}"), false),
      bad("json: cannot unmarshal object into Go value of type jsonpatch.Patch"),
    );
    assert.throws(
      () => decodeJsonPatch(bytes("[1]"), false),
      bad("json: cannot unmarshal number into Go value of type jsonpatch.Operation"),
    );
    assert.throws(
      () => decodeJsonPatch(bytes('[{"op":1}]'), true),
      bad("error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string"),
    );
  });

  it("strict validation tells unknown members and duplicates of a JSON patch", () => {
    const { problems } = decodeJsonPatch(bytes('[{"op":"add","path":"/b","value":"1","zz":1,"op":"add"}]'), true);
    assert.deepEqual(problems, ['json patch unknown field "[0].zz"', 'json patch duplicate field "[0].op"']);
  });

  it("a merge patch is an object where validation is strict", () => {
    assert.deepEqual(decodeMergePatch(bytes('{"data":{"q":1,"q":2}}'), true).problems, ['duplicate field "data.q"']);
    assert.throws(
      () => decodeMergePatch(bytes("[]"), true),
      bad("error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}"),
    );
    assert.deepEqual(decodeMergePatch(bytes("[]"), false).patch, []);
    assert.throws(() => decodeMergePatch(bytes("{"), false), bad("Invalid JSON Patch"));
  });

  it("a strategic merge patch is an object", () => {
    assert.throws(() => decodeStrategicMergePatch(bytes("{")), bad("unexpected end of JSON input"));
    assert.throws(
      () => decodeStrategicMergePatch(bytes("[]")),
      bad("json: cannot unmarshal array into Go value of type map[string]interface {}"),
    );
    assert.deepEqual(decodeStrategicMergePatch(bytes("null")).patch, {});
  });

  it("an apply configuration is an object, in YAML or JSON", () => {
    assert.deepEqual(decodeApplyPatch(bytes("")).patch, {});
    assert.throws(
      () => decodeApplyPatch(bytes("a: b: c")),
      bad("error decoding YAML: error converting YAML to JSON: yaml: mapping values are not allowed in this context"),
    );
    assert.throws(
      () => decodeApplyPatch(bytes("[]")),
      bad(
        "error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map[string]interface {}",
      ),
    );
    const { patch, problems } = decodeApplyPatch(bytes('{"data":{"q":"1","q":"2"}}'));
    assert.deepEqual(patch, { data: { q: "2" } });
    assert.deepEqual(problems, ['line 1: key "q" already set in map']);
    assert.equal(
      strictApplyError(problems).message,
      'error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  line 1: key "q" already set in map',
    );
  });
});
