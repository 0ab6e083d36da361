import assert from "node:assert/strict";
import { test } from "node:test";
import { zoneLookup } from "./zone-lookup.ts";

test("a load balancer is found by its name, in whatever case AWS writes it", async () => {
  const lookup = zoneLookup({
    elbv2: {
      async *allLoadBalancers() {
        yield { DNSName: "Other.mars-1.elb.amazonaws.com", CanonicalHostedZoneId: "Z1" };
        yield { DNSName: "K8s-edge.mars-1.elb.amazonaws.com", CanonicalHostedZoneId: "Z2" };
      },
    },
  });
  const { signal } = new AbortController();
  assert.equal(await lookup("k8s-edge.mars-1.elb.amazonaws.com", signal), "Z2");
  assert.equal(await lookup("gone.mars-1.elb.amazonaws.com", signal), undefined);
});
