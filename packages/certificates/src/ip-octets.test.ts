import assert from "node:assert/strict";
import { test } from "node:test";
import { ipOctets, ipText } from "./ip-octets.ts";

test("addresses become their bytes and come back in their canonical form", () => {
  for (const [text, hex, canonical] of [
    ["127.0.0.1", "7f000001", "127.0.0.1"],
    ["::1", "00000000000000000000000000000001", "::1"],
    ["2001:DB8:0:0:1:0:0:1", "20010db8000000000001000000000001", "2001:db8::1:0:0:1"],
    ["fe80::", "fe800000000000000000000000000000", "fe80::"],
    ["::", "00000000000000000000000000000000", "::"],
    ["1:2:3:4:5:6:7:8", "00010002000300040005000600070008", "1:2:3:4:5:6:7:8"],
    ["::ffff:10.0.0.1", "00000000000000000000ffff0a000001", "::ffff:a00:1"],
  ] as const) {
    const octets = ipOctets(text);
    assert.equal(octets?.toString("hex"), hex, text);
    assert.equal(ipText(octets), canonical);
  }
});

test("what is no address is a name", () => {
  for (const text of [
    "localhost",
    "1.2.3",
    "1.2.3.256",
    "01.2.3.4",
    "1.2.3.4.",
    "::1::",
    ":::",
    "fe80::1%eth0",
    "a:b",
    "",
  ]) {
    assert.equal(ipOctets(text), undefined, text);
  }
});
