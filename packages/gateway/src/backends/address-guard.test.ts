import assert from "node:assert/strict";
import type { LookupFunction } from "node:net";
import { test } from "node:test";
import { RefusedAddressError, guardedLookup, refusedAddress, refusedHost } from "./address-guard.ts";

const refused = [
  "169.254.169.254",
  "169.254.0.1",
  "0.0.0.0",
  "0.1.2.3",
  "100.100.100.200",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "fe80::1",
  "fe80::1%eth0",
  "febf::1",
  "ff02::1",
  "fd00:ec2::254",
  "::ffff:169.254.169.254",
  "::ffff:a9fe:a9fe",
  "64:ff9b::169.254.169.254",
  "2002:a9fe:a9fe::1",
  "::169.254.169.254",
  "nonsense",
];
const allowed = [
  "127.0.0.1",
  "::1",
  "10.0.0.7",
  "192.168.1.1",
  "172.16.0.9",
  "fd12:3456::1",
  "8.8.8.8",
  "100.100.100.201",
];

for (const address of refused) {
  test(`nothing is sent to ${address}`, () => assert.notEqual(refusedAddress(address), undefined));
}
for (const address of allowed) {
  test(`${address} may be a backend`, () => assert.equal(refusedAddress(address), undefined));
}

test("a name is not judged before it is resolved", () => assert.equal(refusedHost("metadata.internal"), undefined));

const answers =
  (...addresses: string[]): LookupFunction =>
  (_host, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );

test("a name that stands for a metadata service is not connected to", async () => {
  const error = await new Promise((resolve) =>
    guardedLookup(answers("169.254.169.254"))("rebound.example.com", {}, resolve),
  );
  assert.ok(error instanceof RefusedAddressError);
});

test("of several addresses only those that may be dialled are left, in both ways of asking", async () => {
  const guarded = guardedLookup(answers("fe80::1", "10.0.0.7", "10.0.0.8"));
  const all = await new Promise((resolve) => guarded("a", { all: true }, (_error, found) => resolve(found)));
  assert.deepEqual(all, [
    { address: "10.0.0.7", family: 4 },
    { address: "10.0.0.8", family: 4 },
  ]);
  const one = await new Promise((resolve) => guarded("a", {}, (_error, found, family) => resolve([found, family])));
  assert.deepEqual(one, ["10.0.0.7", 4]);
});
