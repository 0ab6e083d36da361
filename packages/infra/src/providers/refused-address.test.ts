import assert from "node:assert/strict";
import { test } from "node:test";
import { isRefusedAddress } from "./refused-address.ts";

const REFUSED = [
  "169.254.169.254",
  "169.254.170.23",
  "169.254.0.1",
  "127.0.0.1",
  "127.255.255.254",
  "0.0.0.0",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:169.254.169.254",
  "::ffff:7f00:1",
  "::169.254.169.254",
  "64:ff9b::a9fe:a9fe",
  "2002:a9fe:a9fe::1",
  "fe80::1",
  "fe80::1%eth0",
  "febf::1",
  "fd00:ec2::254",
  "fd00:ec2::23",
  "ff02::1",
  "not an address",
  "",
];
const ALLOWED = [
  "10.0.0.1",
  "172.16.0.1",
  "192.168.1.1",
  "52.95.110.1",
  "100.64.0.1",
  "2600:1f18::1",
  "fd12::1",
  "fec0::1",
  "::ffff:10.0.0.1",
];

for (const address of REFUSED) {
  test(`no endpoint of a provider is at "${address}"`, () => assert.equal(isRefusedAddress(address), true));
}
for (const address of ALLOWED) {
  test(`an endpoint may be at ${address}`, () => assert.equal(isRefusedAddress(address), false));
}

test("this machine is allowed where the platform says so, metadata never is", () => {
  for (const address of ["127.0.0.1", "::1", "::ffff:127.0.0.1"]) {
    assert.equal(isRefusedAddress(address, { loopback: true }), false);
  }
  assert.equal(isRefusedAddress("169.254.169.254", { loopback: true }), true);
  assert.equal(isRefusedAddress("::", { loopback: true }), true);
});
