import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import type { DomainClaim } from "@gatewright/resources";
import { rivalOf, standing } from "./overlap.ts";

interface Given {
  readonly namespace?: string;
  readonly created?: string;
  readonly uid?: string;
  readonly held?: boolean;
}

const claimOf = (
  hostname: string,
  { namespace = "a", created = "2030-01-01T00:00:00Z", uid = "u", held = false }: Given,
) =>
  ({
    apiVersion: "gateway.opendi.com/v1alpha1",
    kind: "DomainClaim",
    metadata: { name: hostname, uid, creationTimestamp: created },
    spec: { zoneId: "Z1", hostname, ownerRef: { namespace, name: "request", uid: "r" } },
    ...(held && { status: { claimedAt: "2030-01-01T00:00:01Z" } }),
  }) satisfies DomainClaim;

suite("overlapping claims", () => {
  const wild = claimOf("*.shop.example.com", { namespace: "b", uid: "w" });

  test("a wildcard stands in the way of the names that it covers, for other namespaces only", () => {
    assert.equal(rivalOf({ hostname: "one.shop.example.com", namespace: "a" }, [wild]), wild);
    assert.equal(rivalOf({ hostname: "one.shop.example.com", namespace: "b" }, [wild]), undefined);
    assert.equal(rivalOf({ hostname: "shop.example.com", namespace: "a" }, [wild]), undefined);
  });

  test("it stands in the way of deeper names and wildcards, too, since load balancers let it stand for many labels", () => {
    for (const hostname of ["a.b.shop.example.com", "*.b.shop.example.com"]) {
      assert.equal(rivalOf({ hostname, namespace: "a" }, [wild]), wild, hostname);
      const deeper = claimOf(hostname, { namespace: "a", uid: "d" });
      assert.equal(rivalOf({ hostname: wild.spec.hostname, namespace: "b" }, [deeper]), deeper, hostname);
    }
  });

  test("two that were held before they counted as overlapping stay held, and the third is denied", () => {
    const held = { ...wild, status: { claimedAt: "2030-01-01T00:00:01Z" } };
    const deep = claimOf("a.b.shop.example.com", { namespace: "a", uid: "d", held: true });
    assert.deepEqual([standing(held, [deep]), standing(deep, [held])], [{ state: "free" }, { state: "free" }]);
    const third = claimOf("c.b.shop.example.com", { namespace: "c", uid: "t" });
    assert.deepEqual(standing(third, [held]), { state: "yields", to: held });
  });

  test("what is held stays held, and what is not yields to it however old it is", () => {
    const held = claimOf("one.shop.example.com", { held: true, created: "2031-01-01T00:00:00Z" });
    assert.deepEqual(standing(held, [wild]), { state: "free" });
    assert.deepEqual(standing(wild, [held]), { state: "yields", to: held });
  });

  const given = fc.record({ created: fc.constantFrom("2030-01-01T00:00:00Z", "2030-01-01T00:00:01Z"), uid: fc.uuid() });

  test("of two that are not held one yields and the other waits for it: nobody goes ahead who sees another", () => {
    fc.assert(
      fc.property(given, given, (left, right) => {
        fc.pre(left.uid !== right.uid);
        const a = claimOf("one.shop.example.com", { ...left, namespace: "a" });
        const b = claimOf("*.shop.example.com", { ...right, namespace: "b" });
        const states = [standing(a, [b]).state, standing(b, [a]).state].sort();
        assert.deepEqual(states, ["waits", "yields"]);
      }),
    );
  });
});
