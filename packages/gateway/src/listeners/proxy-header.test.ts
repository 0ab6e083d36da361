import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readProxyHeader } from "./proxy-header.ts";

function binary(command: number, family: number, rest: Buffer): Buffer {
  const head = Buffer.from([
    0x0d,
    0x0a,
    0x0d,
    0x0a,
    0,
    0x0d,
    0x0a,
    0x51,
    0x55,
    0x49,
    0x54,
    0x0a,
    command,
    family,
    0,
    0,
  ]);
  head.writeUInt16BE(rest.length, 14);
  return Buffer.concat([head, rest]);
}

const V4 = Buffer.from([10, 0, 0, 7, 10, 0, 0, 1, 0x30, 0x39, 0x01, 0xbb]);
const V6 = Buffer.concat([
  Buffer.from("20010db8000000000000000000000001", "hex"),
  Buffer.alloc(16),
  Buffer.from([0, 80, 1, 187]),
]);

test("both versions say who connects, and where the rest begins", () => {
  const line = Buffer.from("PROXY TCP4 10.0.0.7 10.0.0.1 12345 443\r\nGET /");
  assert.deepEqual(readProxyHeader(line), { kind: "whole", length: 40, source: { address: "10.0.0.7", port: 12345 } });
  const six = Buffer.from("PROXY TCP6 2001:db8::1 ::1 80 443\r\n");
  assert.deepEqual(readProxyHeader(six), { kind: "whole", length: 35, source: { address: "2001:db8::1", port: 80 } });
  const v4 = readProxyHeader(Buffer.concat([binary(0x21, 0x11, V4), Buffer.from("x")]));
  assert.deepEqual(v4, { kind: "whole", length: 28, source: { address: "10.0.0.7", port: 12345 } });
  const v6 = readProxyHeader(binary(0x21, 0x21, Buffer.concat([V6, Buffer.from([1, 0, 1, 9])])));
  assert.deepEqual(v6, { kind: "whole", length: 56, source: { address: "2001:db8::1", port: 80 } });
});

test("a proxy may speak for itself", () => {
  assert.deepEqual(readProxyHeader(binary(0x20, 0, Buffer.alloc(0))), { kind: "whole", length: 16, source: undefined });
  const unknown = readProxyHeader(Buffer.from("PROXY UNKNOWN\r\n"));
  assert.deepEqual(unknown, { kind: "whole", length: 15, source: undefined });
});

test("what is not exactly a header is refused", () => {
  const lines = [
    "GET / HTTP/1.1\r\n",
    "PROXY TCP4 10.0.0.7 10.0.0.1 12345\r\n",
    "PROXY TCP4 10.0.0.7 10.0.0.1 99999 1\r\n",
    "PROXY TCP4 10.0.0.7 10.0.0.1 01 1\r\n",
    "PROXY TCP4 ::1 ::1 1 1\r\n",
    "PROXY TCP6 10.0.0.7 10.0.0.1 1 1\r\n",
    "PROXY  TCP4 10.0.0.7 10.0.0.1 1 1\r\n",
    "proxy TCP4 10.0.0.7 10.0.0.1 1 1\r\n",
    `PROXY UNKNOWN ${"x".repeat(120)}`,
  ];
  for (const line of lines) assert.equal(readProxyHeader(Buffer.from(line)).kind, "bad", line);
  const headers = [
    binary(0x11, 0x11, V4),
    binary(0x22, 0x11, V4),
    binary(0x21, 0x12, V4),
    binary(0x21, 0x11, V4.subarray(0, 8)),
    binary(0x21, 0x21, V4),
    binary(0x21, 0x11, Buffer.alloc(4000)),
  ];
  for (const header of headers) assert.equal(readProxyHeader(header).kind, "bad", header.toString("hex"));
});

test("a header in pieces is the same header, and never more bytes are waited for than it has", () => {
  for (const whole of [Buffer.from("PROXY TCP4 10.0.0.7 10.0.0.1 12345 443\r\n"), binary(0x21, 0x11, V4)]) {
    for (let length = 0; length < whole.length; length++)
      assert.equal(readProxyHeader(whole.subarray(0, length)).kind, "more");
    assert.equal(readProxyHeader(whole).kind, "whole");
  }
});

test("any bytes are judged without a fault", () => {
  const start = fc.constantFrom(Buffer.from("PROXY "), binary(0x21, 0x11, V4).subarray(0, 12), Buffer.alloc(0));
  fc.assert(
    fc.property(start, fc.uint8Array({ maxLength: 3000 }), (prefix, bytes) => {
      const got = readProxyHeader(Buffer.concat([prefix, bytes]));
      assert.ok(got.kind !== "more" || prefix.length + bytes.length < 16 + 2048);
    }),
  );
});
