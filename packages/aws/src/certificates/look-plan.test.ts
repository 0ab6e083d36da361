import assert from "node:assert/strict";
import { test } from "node:test";
import type { Entry } from "./book.ts";
import type { Certificate } from "./certificate.ts";
import { nextLook } from "./look-plan.ts";

const DAY = 86_400_000;
const CERTIFICATE: Certificate = {
  arn: "arn",
  status: "PENDING_VALIDATION",
  type: "AMAZON_ISSUED",
  names: ["a.example.com"],
  inUse: false,
};
const ENTRY: Entry = {
  arn: "arn",
  certificate: CERTIFICATE,
  presence: { is: "seen" },
  requestedAt: 0,
  heardAt: 0,
  askedAt: 0,
  seenAt: 0,
  describedAt: undefined,
  describes: 0,
  moreNames: false,
  proofsWanted: false,
};
const record = { name: "_x.a.example.com", value: "_y.acm-validations.aws." };
const look = (entry: Partial<Entry>, now = 0): number | undefined =>
  nextLook({ ...ENTRY, ...entry }, { firstLookMs: 5_000 }, { now, wall: now });
const being = (facts: Partial<Certificate>): Partial<Entry> => ({ certificate: { ...CERTIFICATE, ...facts } });

test("records are looked for some seconds after the request, then a little later each time", () => {
  assert.equal(look({}), 5_000);
  assert.equal(look({}, 4_000), 1_000);
  const none = being({ validations: [{ name: "a.example.com", status: "PENDING_VALIDATION" }] });
  assert.equal(look({ ...none, describes: 1, describedAt: 5_000 }, 5_000), 3_000);
  assert.equal(look({ ...none, describes: 3, describedAt: 5_000 }, 5_000), 6_750);
  assert.equal(look({ ...being({ validations: [] }), describes: 1, describedAt: 5_000 }, 5_000), 3_000);
});

test("what is pending for long is looked at again, for which name it waits", () => {
  const known = being({ validations: [{ name: "a.example.com", status: "PENDING_VALIDATION", record }] });
  assert.equal(look({ ...known, describes: 1, describedAt: 5_000 }, 5_000), 900_000);
  assert.equal(look({ ...known, describes: 2, describedAt: 5_000 }, 5_000), 1_800_000);
});

test("an issued certificate needs no look until its end is near, then one a day", () => {
  assert.equal(look(being({ status: "ISSUED", notAfter: 100 * DAY })), undefined);
  const late = being({ status: "ISSUED", notAfter: 100 * DAY });
  assert.equal(look(late, 60 * DAY), 0);
  assert.equal(look({ ...late, describedAt: 60 * DAY }, 60 * DAY + 1), DAY - 1);
  assert.equal(look(being({ status: "ISSUED", type: "IMPORTED", notAfter: DAY })), undefined);
});

test("an issued certificate is looked at once for its validation records when somebody needs them", () => {
  const issued = being({ status: "ISSUED", notAfter: 100 * DAY });
  assert.equal(look({ ...issued, proofsWanted: true }), 0);
  const told = being({ status: "ISSUED", notAfter: 100 * DAY, validations: [] });
  assert.equal(look({ ...told, proofsWanted: true, describes: 1, describedAt: 0 }), undefined);
});

test("a failure is looked at once for its reason, and what a sweep missed for whether it is there", () => {
  assert.equal(look(being({ status: "FAILED" })), 0);
  assert.equal(look({ ...being({ status: "FAILED" }), describes: 1 }), undefined);
  assert.equal(look({ ...being({ status: "ISSUED" }), presence: { is: "missed", sweeps: 1 } }), 0);
});

test("nothing is looked at that nobody asks for", () => {
  assert.equal(look({ askedAt: undefined }), undefined);
});
