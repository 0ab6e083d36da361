import assert from "node:assert/strict";
import { test } from "node:test";
import { formatIP, isCanonicalIP, isCIDR, isIP, parseIP } from "./ip-address.ts";

test("addresses of both families are read, others are not", () => {
  for (const good of ["10.9.8.7", "::", "::1", "2001:db8::ffff", "1:2:3:4:5:6:7:8", "64:ff9b::1.2.3.4"])
    assert.deepEqual(isIP(good), [], good);
  for (const bad of [
    "",
    "1.2.3",
    "1.2.3.256",
    ":::",
    "1::2::3",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "12345::",
    "::1%eth0",
    "a.b.c.d",
  ]) {
    assert.deepEqual(isIP(bad), ["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"], bad);
  }
  assert.deepEqual(isIP("010.0.0.1"), ["must not have leading 0s"]);
  assert.deepEqual(isIP("::ffff:1.2.3.4"), ["must not be an IPv4-mapped IPv6 address"]);
});

test("the canonical text shortens the longest run of zeros", () => {
  for (const [text, canonical] of [
    ["2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
    ["0:0:0:0:0:0:0:0", "::"],
    ["1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7"],
  ] as const) {
    assert.equal(formatIP(parseIP(text)!), canonical);
  }
  assert.deepEqual(isCanonicalIP("FE80::1"), ['must be in canonical form ("fe80::1")']);
});

test("a network has no bits beyond its prefix", () => {
  for (const good of ["10.9.8.0/24", "0.0.0.0/0", "2001:db8::/64", "10.0.0.1/32"])
    assert.deepEqual(isCIDR(good), [], good);
  assert.deepEqual(isCIDR("10.9.8.7/24"), ["must not have bits set beyond the prefix length"]);
  assert.deepEqual(isCIDR("10.9.8.0/024"), ["must not have leading 0s in IP or prefix length"]);
  for (const bad of ["10.9.8.0", "10.9.8.0/33", "x/8", "10.9.8.0/-1"])
    assert.equal(isCIDR(bad)[0], "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
});
