import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@gatewright/ports";
import { Book, TOKEN_TAG } from "./book.ts";
import type { Certificate } from "./certificate.ts";
import { DEFAULT_SETTINGS } from "./settings.ts";

const PENDING: Certificate = {
  arn: "arn",
  status: "PENDING_VALIDATION",
  type: "AMAZON_ISSUED",
  names: ["a.example.com"],
  inUse: false,
};
const ISSUED: Certificate = { ...PENDING, status: "ISSUED", notAfter: 1_000 };

function newBook(): { readonly book: Book; readonly clock: ManualClock } {
  const clock = new ManualClock();
  return { book: new Book(clock, DEFAULT_SETTINGS), clock };
}

test("what an older look tells does not undo what a newer one told", () => {
  const { book } = newBook();
  assert.ok(book.found({ ...ISSUED, inUse: true }, 10));
  assert.ok(!book.found(ISSUED, 5));
  assert.equal(book.get("arn")?.certificate?.inUse, true);
});

test("a request that ended is not pending again, however new the listing claims to be", () => {
  const { book } = newBook();
  book.found(ISSUED, 10);
  assert.ok(!book.found(PENDING, 20));
  assert.equal(book.get("arn")?.certificate?.status, "ISSUED");
});

test("the records that proved a certificate are still known when it is issued", () => {
  const { book } = newBook();
  const record = { name: "_x.a.example.com", value: "_y.acm-validations.aws." };
  book.found({ ...PENDING, validations: [{ name: "a.example.com", status: "PENDING_VALIDATION", record }] }, 1);
  book.found(ISSUED, 2);
  const validations = [{ name: "a.example.com", status: "SUCCESS", record }];
  assert.deepEqual(book.get("arn")?.certificate?.validations, validations);
});

test("a listing keeps what a describe told, until the certificate is issued or renewed", () => {
  const { book } = newBook();
  const validations = [{ name: "a.example.com", status: "PENDING_VALIDATION" }];
  book.found({ ...PENDING, validations }, 1, { described: true });
  book.found(PENDING, 2);
  assert.deepEqual(book.get("arn")?.certificate?.validations, validations);
  book.found(ISSUED, 3);
  assert.equal(book.get("arn")?.certificate?.validations, undefined, "what has no record yet is asked for again");
  book.found({ ...ISSUED, renewal: { status: "PENDING_VALIDATION", validations: [] } }, 4, { described: true });
  book.found(ISSUED, 5);
  assert.equal(book.get("arn")?.certificate?.renewal?.status, "PENDING_VALIDATION");
  book.found({ ...ISSUED, notAfter: 2_000 }, 6);
  assert.equal(book.get("arn")?.certificate?.renewal, undefined);
});

test("what was removed stays removed, whatever a late listing or reading of tags says", () => {
  const { book } = newBook();
  book.found(ISSUED, 1);
  book.removed("arn");
  assert.ok(!book.found(ISSUED, 2));
  book.tagged("arn", new Map([[TOKEN_TAG, "token"]]));
  assert.deepEqual([book.get("arn"), book.withToken("token"), book.named("a.example.com")], [undefined, undefined, []]);
});

test("a certificate that was requested just now is not missed by looks that cannot know of it", () => {
  const { book, clock } = newBook();
  book.requested({ ...PENDING, tags: new Map([[TOKEN_TAG, "token"]]) });
  const entry = book.get("arn");
  assert.ok(entry !== undefined);
  for (const began of [1_000, 30_000, 59_999]) {
    assert.ok(!book.missing(entry, "no such certificate", began));
    assert.ok(!book.missing(entry, "sweep without it", began));
  }
  assert.deepEqual(entry.presence, { is: "seen" });
  clock.advance(70_000);
  assert.ok(!book.missing(entry, "no such certificate", 60_000));
  assert.ok(book.missing(entry, "sweep without it", 60_001));
  assert.deepEqual(book.named("a.example.com"), []);
});

test("nor is one that a process before may have requested just now", () => {
  const { book } = newBook();
  const entry = book.asked("arn");
  assert.ok(!book.missing(entry, "no such certificate", 30_000));
  assert.ok(!book.missing(entry, "sweep without it", 30_001));
  assert.deepEqual(entry.presence, { is: "seen" });
  book.missing(entry, "no such certificate", 60_000);
  assert.ok(book.missing(entry, "sweep without it", 60_001));
});

test("nothing is kept that nobody asked for and no sweep finds", () => {
  const { book, clock } = newBook();
  book.asked("never there");
  book.found(ISSUED, 0);
  const entry = book.get("arn");
  assert.ok(entry !== undefined);
  book.missing(entry, "sweep without it", 1);
  assert.ok(book.get("arn") !== undefined, "one listing proves nothing");
  book.missing(entry, "sweep without it", 2);
  assert.equal(book.get("arn"), undefined);
  clock.advance(DEFAULT_SETTINGS.forgetMs + 1);
  book.prune();
  assert.deepEqual([...book.entries()], []);
});
