import assert from "node:assert/strict";
import { test } from "node:test";
import { enforcedFormat, hasFormat } from "./formats.ts";

/** What kube-apiserver 1.36 accepts and refuses. */
const SAMPLES: Readonly<Record<string, readonly [accepted: readonly string[], refused: readonly string[]]>> = {
  bsonobjectid: [["507f1f77bcf86cd799439011"], ["507F1F77BCF86CD79943901Z", ""]],
  uri: [
    ["http://a.b/c", "/x y", "a:b", "fe80::1%eth0", "http://[::1]:80/"],
    ["", "a", "/a%zz", "https://a.b:8x/", "http://a b/"],
  ],
  email: [
    ["a@b.c", "A B <a@b.c>", "foo@[1.2.3.4]"],
    ["a@", "a b@c", "a@b@c"],
  ],
  hostname: [
    ["host", "a.b.com", "ä.com"],
    ["-a.b", "a_b", "a..b", "x".repeat(64)],
  ],
  ipv4: [
    ["1.2.3.4", "001.02.3.4"],
    ["1.2.3", "1.2.3.256", "::1"],
  ],
  ipv6: [
    ["::", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4"],
    ["1::2::3", "fe80::1%eth0", "1.2.3.4"],
  ],
  cidr: [
    ["10.0.0.0/8", "::/0"],
    ["10.0.0.0/33", "10.1/8"],
  ],
  mac: [["01:23:45:67:89:ab", "0123.4567.89ab"], ["01:23-45:67:89:ab"]],
  uuid: [["987FBC974BED5078AF079141BA07C9F3"], ["987FBC97"]],
  isbn: [["0321751043", "978-0321751041"], ["9780321751042"]],
  creditcard: [["4111 1111 1111 1111"], ["4111111111111112"]],
  ssn: [["123-45-6789"], ["123456789"]],
  rgbcolor: [["rgb(1, 2,255)"], ["rgb(256,0,0)", "rgb(01,0,0)"]],
  byte: [
    ["YQ==", "YWJj"],
    ["", "YWI", "===="],
  ],
  date: [["2020-02-29"], ["2021-02-29", "2020-1-1"]],
  duration: [
    ["1.5h", "-1m", "5 minutes", "0"],
    ["", "1", "5 parsecs"],
  ],
  "date-time": [
    ["2020-01-01T00:00:00.123+01:00", "2020-01-01t00:00:00z"],
    ["2020-01-01T24:00:00Z", "2020-01-01 00:00:00Z"],
  ],
  "k8s-short-name": [
    ["my-name", "1abc"],
    ["My", "a.b-c", "x-"],
  ],
  "k8s-long-name": [["a.b-c"], ["-x", "."]],
};

for (const [format, [accepted, refused]] of Object.entries(SAMPLES)) {
  test(`format ${format} is judged as kube-apiserver judges it`, () => {
    for (const text of accepted) assert.equal(hasFormat(format, text), true, `${format} ${JSON.stringify(text)}`);
    for (const text of refused) assert.equal(hasFormat(format, text), false, `${format} ${JSON.stringify(text)}`);
  });
}

test("formats that do not belong to the type are notes to readers", () => {
  assert.equal(enforcedFormat("string", "date-time"), "date-time");
  assert.equal(enforcedFormat("string", "int32"), "");
  assert.equal(enforcedFormat("integer", "int32"), "int32");
  assert.equal(enforcedFormat("object", "uri"), "");
  assert.equal(enforcedFormat("string", "weird"), "");
});

test("a duration is found in a text of any length without searching it again and again", () => {
  assert.equal(hasFormat("duration", "1".repeat(300_000)), false);
  assert.equal(hasFormat("duration", `${"1".repeat(300_000)} days`), true);
});
