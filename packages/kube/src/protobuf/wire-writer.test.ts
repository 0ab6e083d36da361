import assert from "node:assert/strict";
import { test } from "node:test";
import { WireReader } from "./wire.ts";
import { WireWriter } from "./wire-writer.ts";

function written(write: (out: WireWriter) => void): Buffer {
  const out = new WireWriter();
  write(out);
  return out.finish();
}

test("fields have the bytes that the format's own examples have", () => {
  assert.equal(written((out) => out.int64(1, 150)).toString("hex"), "089601");
  assert.equal(written((out) => out.string(2, "testing")).toString("hex"), "120774657374696e67");
  assert.equal(written((out) => out.message(3, () => out.int64(1, 150))).toString("hex"), "1a03089601");
});

test("what is written is read again, whatever its size and sign", () => {
  for (const value of [0, 1, 127, 128, -1, 2 ** 31, -(2 ** 40), Number.MAX_SAFE_INTEGER]) {
    const read = new WireReader(written((out) => out.int64(100_000, value)));
    assert.deepEqual(read.tag("test"), { number: 100_000, wire: 0 });
    assert.equal(read.int64(), value);
    assert.ok(read.done);
  }
  const read = new WireReader(
    written((out) => {
      out.double(1, -0.5);
      out.bool(2, true);
    }),
  );
  read.tag("test");
  assert.equal(read.double(), -0.5);
  read.tag("test");
  assert.equal(read.unsigned(), 1);
});

test("messages hold messages of any length, the empty one too", () => {
  for (const length of [0, 1, 126, 127, 128, 4095, 20_000, 3_000_000]) {
    const text = "ä".repeat(length);
    const bytes = written((out) =>
      out.message(1, () => {
        out.message(1, () => out.string(1, text));
        out.message(2, () => {});
      }),
    );
    const outer = new WireReader(bytes);
    outer.tag("test");
    const middle = outer.message();
    assert.ok(outer.done);
    middle.tag("test");
    const inner = middle.message();
    inner.tag("test");
    assert.equal(inner.string(), text);
    assert.ok(inner.done);
    middle.tag("test");
    assert.ok(middle.message().done);
    assert.ok(middle.done);
  }
});
