import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { codecOf } from "./codec-of.ts";
import type { ServiceModel, ShapeUse } from "./model.ts";
import { shapeOf } from "./model.ts";
import { SERVICE_NAMES, loadModel } from "./service-models.ts";

/** Text that every place on the wire can carry: XML has no control characters, header values no line breaks. */
const text = fc
  .string({ unit: fc.constantFrom(..."aZ09 -_.&<>\"'=+/%éß漢"), minLength: 1, maxLength: 12 })
  .map((t) => `x${t}x`);
const second = fc.integer({ min: 0, max: 2_000_000_000 }).map((s) => s * 1000);

/** Values of a shape, with every member now and then. Required members of paths and queries are always there. */
function valueOf(model: ServiceModel, use: ShapeUse, depth: number): fc.Arbitrary<unknown> {
  const shape = shapeOf(model, use.shape);
  switch (shape.type) {
    case "structure": {
      const members = Object.entries(shape.members).filter(
        ([name, member]) => depth > 0 || shape.required?.includes(name) === true || member.in === "uri",
      );
      return fc.record(Object.fromEntries(members.map(([name, member]) => [name, valueOf(model, member, depth - 1)])), {
        requiredKeys: members
          .filter(([n, m]) => shape.required?.includes(n) === true || m.in === "uri")
          .map(([n]) => n),
      });
    }
    case "list":
      return fc.array(valueOf(model, shape.member, depth - 1), { minLength: 1, maxLength: 3 });
    case "map":
      return fc.dictionary(fc.constantFrom("one", "two", "three"), valueOf(model, shape.value, depth - 1), {
        minKeys: 1,
      });
    case "string":
      if (use.in === "header" || use.in === "headers") return fc.constantFrom("plain", "text/html", "a-b_c");
      return shape.enum ? fc.constantFrom(...shape.enum) : text;
    case "boolean":
      return fc.boolean();
    case "blob":
      return fc.uint8Array({ minLength: 1, maxLength: 8 }).map((bytes) => Buffer.from(bytes));
    case "timestamp":
      return second;
    case "integer":
    case "long":
      return fc.integer({ min: 0, max: 1_000_000 });
    default:
      return fc.integer({ min: 0, max: 1000 }).map((n) => n / 4);
  }
}

/** Empty structures and maps cannot be told from missing ones in forms and XML. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty).filter((item) => !isEmpty(item));
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value)
    .map(([key, part]) => [key, withoutEmpty(part)] as const)
    .filter(([, part]) => part !== undefined && !isEmpty(part));
  return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

for (const name of SERVICE_NAMES) {
  test(`${name}: what a client sends is what the service reads, and what it answers is what the client reads`, async () => {
    const model = await loadModel(name);
    const codec = codecOf(model);
    for (const [operation, { input, output }] of Object.entries(model.operations)) {
      if (input !== undefined) {
        const check = fc.property(valueOf(model, { shape: input }, 3), (value) => {
          const decoded = codec.decodeRequest(model, codec.encodeRequest(model, operation, value as object));
          assert.equal(decoded?.operation, operation);
          assert.deepEqual(withoutEmpty(decoded?.input), withoutEmpty(value), operation);
        });
        fc.assert(check, { numRuns: 5, seed: 7 });
      }
      if (output !== undefined) {
        const check = fc.property(valueOf(model, { shape: output }, 3), (value) => {
          const answer = codec.encodeResponse(model, operation, value as object, "request");
          assert.deepEqual(
            withoutEmpty(codec.decodeResponse(model, operation, answer)),
            withoutEmpty(value),
            operation,
          );
        });
        fc.assert(check, { numRuns: 5, seed: 7 });
      }
    }
  });
}

test("a refused batch is understood in both forms that Route 53 has for it", async () => {
  const model = await loadModel("route53");
  const messages = ["Tried to create a but it already exists", "b"];
  const xmlns = 'xmlns="https://route53.amazonaws.com/doc/2013-04-01/"';
  const alone =
    `<?xml version="1.0"?><InvalidChangeBatch ${xmlns}><Messages>` +
    `${messages.map((each) => `<Message>${each}</Message>`).join("")}</Messages><RequestId>r</RequestId></InvalidChangeBatch>`;
  const wrapped =
    `<?xml version="1.0"?><ErrorResponse ${xmlns}><Error><Type>Sender</Type><Code>InvalidChangeBatch</Code>` +
    `<Message>[${messages.join(", ")}]</Message></Error><RequestId>r</RequestId></ErrorResponse>`;
  for (const xml of [alone, wrapped]) {
    const told = codecOf(model).decodeError(model, { status: 400, headers: {}, body: Buffer.from(xml) });
    assert.deepEqual([told.code, told.message, told.sender], ["InvalidChangeBatch", `[${messages.join(", ")}]`, true]);
  }
});
