import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { isDNS1123Subdomain } from "@gatewright/kube";
import fc from "fast-check";
import { allowedBy } from "./allowed-by.ts";
import { claimName } from "./claim-name.ts";
import { covers, isWithin, overlaps, wildcardOver } from "./labels.ts";
import { hostnames } from "./testing/hostnames.ts";

suite("isWithin", () => {
  const table: readonly (readonly [hostname: string, zone: string, within: boolean])[] = [
    ["opendi.com", "opendi.com", true],
    ["opendi.com", "Opendi.com.", true],
    ["a.b.opendi.com", "opendi.com.", true],
    ["*.opendi.com", "opendi.com", true],
    ["evil-opendi.com", "opendi.com", false],
    ["opendi.com.evil.com", "opendi.com", false],
    ["com", "opendi.com", false],
    ["*.opendi.com", "a.opendi.com", false],
    ["opendi.com", "", false],
    ["opendi.com", ".", false],
    ["opendi.com", "com..", false],
  ];
  for (const [hostname, zone, within] of table) {
    test(`${hostname} is ${within ? "" : "not "}in "${zone}"`, () => assert.equal(isWithin(hostname, zone), within));
  }
});

suite("covers", () => {
  const table: readonly (readonly [granted: string, hostname: string, covered: boolean])[] = [
    ["a.opendi.com", "a.opendi.com", true],
    ["*.opendi.com", "a.opendi.com", true],
    ["*.opendi.com", "*.opendi.com", true],
    ["*.opendi.com", "opendi.com", false],
    ["*.opendi.com", "a.b.opendi.com", false],
    ["*.opendi.com", "*.b.opendi.com", false],
    ["*.opendi.com", "evil-opendi.com", false],
    ["*.opendi.com", "a.evil-opendi.com", false],
    ["a.opendi.com", "*.opendi.com", false],
    ["opendi.com", "a.opendi.com", false],
  ];
  for (const [granted, hostname, covered] of table) {
    test(`${granted} ${covered ? "covers" : "does not cover"} ${hostname}`, () =>
      assert.equal(covers(granted, hostname), covered));
  }

  test("overlapping is mutual, and covering is overlapping", () => {
    fc.assert(
      fc.property(hostnames, hostnames, (a, b) => {
        assert.equal(overlaps(a, b), overlaps(b, a));
        if (covers(a, b)) assert.ok(overlaps(a, b));
        assert.ok(overlaps(a, a));
      }),
    );
  });

  test("what overlaps another is the same name or a wildcard that a load balancer matches with it, at any depth", () => {
    const matches = (pattern: string, name: string): boolean =>
      pattern.startsWith("*.") && name.endsWith(pattern.slice(1));
    fc.assert(
      fc.property(hostnames, hostnames, (a, b) => {
        assert.equal(overlaps(a, b), a === b || matches(a, b) || matches(b, a));
        assert.equal(covers(a, b), a === b || wildcardOver(b) === a);
      }),
    );
  });
});

suite("overlaps", () => {
  const table: readonly (readonly [a: string, b: string, overlapping: boolean])[] = [
    ["*.opendi.com", "a.opendi.com", true],
    ["*.opendi.com", "a.b.opendi.com", true],
    ["*.opendi.com", "*.b.opendi.com", true],
    ["*.opendi.com", "*.a.b.opendi.com", true],
    ["*.opendi.com", "opendi.com", false],
    ["*.a.opendi.com", "*.b.opendi.com", false],
    ["*.b.opendi.com", "b.opendi.com", false],
    ["*.opendi.com", "a.evil-opendi.com", false],
    ["a.opendi.com", "b.a.opendi.com", false],
  ];
  for (const [a, b, overlapping] of table) {
    test(`${a} and ${b} ${overlapping ? "overlap" : "do not"}`, () => assert.equal(overlaps(a, b), overlapping));
  }
});

suite("allowedBy", () => {
  test("an empty list allows everything", () => assert.ok(allowedBy("a.com", [])));
  test("a domain allows itself and what is below it, label by label", () => {
    const list = ["in-muenchen.de", "opendi.com"];
    for (const name of ["opendi.com", "a.opendi.com", "*.a.opendi.com"]) assert.ok(allowedBy(name, list), name);
    for (const name of ["evil-opendi.com", "opendi.com.evil.com", "com"]) assert.ok(!allowedBy(name, list), name);
  });
  test("a wildcard allows only what is below it", () => {
    assert.ok(allowedBy("a.opendi.com", ["*.opendi.com"]));
    assert.ok(allowedBy("a.b.opendi.com", ["*.Opendi.com."]));
    assert.ok(!allowedBy("opendi.com", ["*.Opendi.com."]));
  });
});

suite("claimName", () => {
  test("a wildcard has a name that no hostname has", () => {
    assert.equal(claimName("shop.example.com"), "shop.example.com");
    assert.equal(claimName("*.shop.example.com"), "shop.example.com.0");
  });
  test("it is a name for objects, and two hostnames never share one", () => {
    fc.assert(
      fc.property(hostnames, hostnames, (a, b) => {
        assert.deepEqual(isDNS1123Subdomain(claimName(a)), []);
        assert.ok(claimName(a).length <= a.length);
        assert.equal(claimName(a) === claimName(b), a === b);
      }),
    );
  });
});
