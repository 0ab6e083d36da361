import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { answer } from "./answer.ts";
import { wireLabels } from "./domain-name.ts";
import { readQuery } from "./query.ts";
import { zonesFromLines } from "./testing/zone-from-lines.ts";

const SOA = "ns.example.net. host.example.net. 1 7200 900 1209600 30";
const zones = zonesFromLines([
  "example.com.",
  `example.com. SOA ${SOA}`,
  "a.example.com. A 10.0.0.1",
  ...Array.from({ length: 60 }, (_, n) => `many.example.com. A 10.0.1.${n}`),
  ...Array.from({ length: 300 }, (_, n) => `more.example.com. TXT "${String(n).padEnd(250, "x")}"`),
  "sub.example.com. NS ns.example.org.",
]);

interface Asked {
  readonly type?: number;
  readonly class?: number;
  readonly flags?: number;
  readonly counts?: readonly number[];
  readonly tail?: readonly number[];
}

function query(
  name: string,
  { type = 1, class: of = 1, flags = 0x0100, counts = [1, 0, 0, 0], tail = [] }: Asked = {},
): Buffer {
  const header = [0x1234, flags, ...counts].flatMap((value) => [value >> 8, value & 0xff]);
  // Capital letters, so that it shows whether they are kept.
  const labels = name
    .split(".")
    .filter((label) => label !== "")
    .flatMap((label) => [label.length, ...Buffer.from(label, "latin1")]);
  return Buffer.from([...header, ...labels, 0, type >> 8, type & 0xff, of >> 8, of & 0xff, ...tail]);
}

const opt = (size: number, version = 0): number[] => [0, 0, 41, size >> 8, size & 0xff, 0, version, 0, 0, 0, 0];
const withOpt = (size: number, version?: number): Asked => ({ counts: [1, 0, 0, 1], tail: opt(size, version) });

function ask(bytes: Uint8Array, transport: "udp" | "tcp" = "udp") {
  const reply = answer(zones, bytes, transport);
  assert.ok(reply);
  const view = Buffer.from(reply);
  const flags = view.readUInt16BE(2);
  return {
    bytes: view,
    id: view.readUInt16BE(0),
    code: flags & 0xf,
    authoritative: (flags & 0x0400) !== 0,
    truncated: (flags & 0x0200) !== 0,
    recursionWished: (flags & 0x0100) !== 0,
    counts: [4, 6, 8, 10].map((at) => view.readUInt16BE(at)),
  };
}

test("an answer repeats the id and the question with its capital letters, and points at it", () => {
  const asked = query("A.eXample.Com.");
  const { bytes, id, code, authoritative, recursionWished, counts } = ask(asked);
  assert.deepEqual([id, code, authoritative, recursionWished, counts], [0x1234, 0, true, true, [1, 1, 0, 0]]);
  assert.deepEqual(bytes.subarray(12, asked.length), asked.subarray(12));
  assert.deepEqual([...bytes.subarray(asked.length)], [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 10, 0, 0, 1]);
});

test("absence has the authority with the smaller TTL: no such name, no such type", () => {
  const name = ask(query("none.example.com."));
  assert.deepEqual([name.code, name.authoritative, name.counts], [3, true, [1, 0, 1, 0]]);
  const type = ask(query("a.example.com.", { type: 28 }));
  assert.deepEqual([type.code, type.authoritative, type.counts], [0, true, [1, 0, 1, 0]]);
  // The zone's name as a pointer, SOA, IN, TTL 30.
  assert.deepEqual([...type.bytes.subarray(31, 41)], [0xc0, 14, 0, 6, 0, 1, 0, 0, 0, 30]);
});

test("what is delegated has its servers, without authority", () => {
  const { code, authoritative, counts } = ask(query("x.sub.example.com."));
  assert.deepEqual([code, authoritative, counts], [0, false, [1, 0, 1, 0]]);
});

test("what does not fit is marked; connections carry it", () => {
  const small = ask(query("many.example.com."));
  assert.deepEqual([small.truncated, small.counts], [true, [1, 0, 0, 0]]);
  const larger = ask(query("many.example.com.", withOpt(4096)));
  assert.deepEqual([larger.truncated, larger.counts], [false, [1, 60, 0, 1]]);
  assert.ok(larger.bytes.length <= 1232);
  const lying = ask(query("many.example.com.", withOpt(1)));
  assert.deepEqual([lying.truncated, lying.bytes.length <= 512], [true, true]);
  assert.deepEqual(ask(query("many.example.com."), "tcp").counts, [1, 60, 0, 0]);
  assert.equal(ask(query("more.example.com.", { type: 16 }), "tcp").truncated, true);
});

test("extensions are answered to clients that have them, of version 0 only", () => {
  assert.equal(ask(query("a.example.com.", withOpt(1232))).counts[3], 1);
  const newer = ask(query("a.example.com.", withOpt(1232, 1)));
  assert.equal(newer.code, 0);
  // The upper bits of code 16, in the extension.
  assert.equal(newer.bytes.at(-6), 1);
});

test("what is not for this server is refused", () => {
  const refused: [Buffer, number][] = [
    [query("a.example.org."), 5],
    [query("."), 5],
    [query("a.example.com.", { class: 3 }), 5],
    [query("example.com.", { type: 252 }), 5],
    [query("example.com.", { flags: 0x2800 }), 4],
    [query("a.example.com.", { counts: [2, 0, 0, 0] }), 1],
    [query("a.example.com.", { counts: [0, 0, 0, 0] }), 1],
    [query("a.example.com.", { counts: [1, 1, 0, 0] }), 1],
    [query("a.example.com.", { counts: [1, 0, 0, 1] }), 1],
    [query("a.example.com.", { tail: [0] }), 1],
    [query("a.example.com.", { counts: [1, 0, 0, 2], tail: [...opt(512), ...opt(512)] }), 1],
    [query("a.example.com.").subarray(0, 14), 1],
  ];
  for (const [bytes, code] of refused) assert.equal(ask(bytes).code, code, bytes.toString("hex"));
});

test("a question for all types gets one of them, one for a type that nobody knows gets none", () => {
  assert.deepEqual(ask(query("a.example.com.", { type: 255 })).counts, [1, 1, 0, 0]);
  const unknown = ask(query("a.example.com.", { type: 65_280 }));
  assert.deepEqual([unknown.code, unknown.counts], [0, [1, 0, 1, 0]]);
});

test("answers and scraps get no answer", () => {
  assert.equal(answer(zones, query("a.example.com.", { flags: 0x8000 }), "udp"), undefined);
  assert.equal(answer(zones, Buffer.alloc(11), "udp"), undefined);
  assert.equal(answer(zones, Buffer.alloc(0), "tcp"), undefined);
});

test("pointers in questions are refused, wherever they lead", () => {
  for (const pointer of [
    [0xc0, 12],
    [0xc0, 0],
    [1, 0x61, 0xc0, 12],
    [0xff, 0xff],
    [0x40, 1],
    [0x80, 0],
  ]) {
    const bytes = Buffer.from([0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, ...pointer, 0, 1, 0, 1]);
    assert.equal(ask(bytes).code, 1);
  }
});

test("a name has at most 255 bytes", () => {
  const labels = `${"x".repeat(63)}.`.repeat(3);
  assert.equal(readQuery(query(`${labels}${"x".repeat(61)}.`)).kind, "question");
  assert.equal(readQuery(query(`${labels}${"x".repeat(62)}.`)).kind, "refuse");
});

test("bytes that are no letters are kept apart from dots", () => {
  const read = readQuery(Buffer.from([0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3, 0x61, 0x2e, 0xff, 0, 0, 1, 0, 1]));
  assert.equal(read.kind === "question" && read.name, "a\\056\\377.");
  assert.deepEqual(wireLabels("a\\056\\377."), [Uint8Array.of(0x61, 0x2e, 0xff)]);
});

test("no message does harm, whatever it is made of", () => {
  const header = fc.tuple(fc.uint8Array({ minLength: 2, maxLength: 2 }), fc.constantFrom(0, 1), fc.nat(3), fc.nat(3));
  const garbage = fc.oneof(
    fc.uint8Array({ maxLength: 600 }),
    fc
      .tuple(header, fc.uint8Array({ maxLength: 100 }))
      .map(([[id, flag, authorities, additionals], rest]) =>
        Uint8Array.from([...id, flag, 0, 0, 1, 0, 0, 0, authorities, 0, additionals, ...rest]),
      ),
    // Real questions with some bytes changed.
    fc.array(fc.tuple(fc.nat(60), fc.nat(255)), { maxLength: 5 }).map((changes) => {
      const bytes = query("a.example.com.", withOpt(1232));
      for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
      return bytes;
    }),
  );
  fc.assert(
    fc.property(garbage, fc.constantFrom("udp" as const, "tcp" as const), (bytes, transport) => {
      const reply = answer(zones, bytes, transport);
      if (!reply) return;
      assert.ok(reply.length >= 12);
      assert.deepEqual([...reply.subarray(0, 2)], [...bytes.subarray(0, 2)]);
      assert.ok((reply[2] ?? 0) & 0x80);
    }),
    { numRuns: 3000 },
  );
});
