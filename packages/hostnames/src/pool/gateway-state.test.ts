import assert from "node:assert/strict";
import { test } from "node:test";
import type { Immutable } from "@gatewright/kube";
import type { Gateway, ListenerSet, LoadBalancerConfiguration } from "@gatewright/resources";
import { canonicalZoneOf } from "./canonical-zone.ts";
import { gatewayState, stillServes } from "./gateway-state.ts";
import { hostnameListener } from "./listeners.ts";
import type { Listener } from "./listeners.ts";
import { arnOf, claim } from "./testing/claims.ts";

const CLAIM = claim("a.example.com");
const NAME = "k8s-edge-gw01-1.eu-west-1.elb.amazonaws.com";
const LISTENER = hostnameListener(CLAIM, "edge");
const LB_ARN = "arn:aws:elasticloadbalancing:eu-west-1:111122223333:loadbalancer/app/k8s-edge-gw01/1";

const conditions = (generation: number, status = "True", message = "", why = "Invalid") =>
  ["Accepted", "Programmed"].map((type) => ({
    type,
    status,
    reason: status === "True" ? type : why,
    message: type === "Programmed" ? LB_ARN : message,
    observedGeneration: generation,
    lastTransitionTime: "2030-01-01T00:00:00Z",
  }));

interface Looks {
  readonly seen?: number;
  readonly listeners?: readonly Listener[];
  readonly reported?: readonly Listener[];
  readonly status?: string;
  readonly listenerStatus?: string;
  readonly why?: string;
}

function gateway(looks: Looks = {}) {
  const { seen = 2, listeners = [LISTENER], status = "True" } = looks;
  const { listenerStatus = status, reported = listeners, why } = looks;
  return {
    metadata: { namespace: "edge", name: "gw-01", generation: 2 },
    spec: { listeners },
    status: {
      addresses: [{ type: "Hostname", value: NAME }],
      conditions: conditions(seen, status, "no such subnet"),
      listeners: reported.map(({ name }) => ({
        name,
        attachedRoutes: 0,
        conditions: conditions(seen, listenerStatus, "", why),
      })),
    },
  } as unknown as Immutable<Gateway>;
}

function configuration(arns: readonly string[], observed: number | undefined = 3, ipAddressType = "ipv4") {
  const [defaultCertificate, ...certificates] = arns;
  return {
    metadata: { generation: 3 },
    spec: { ipAddressType, listenerConfigurations: [{ protocolPort: "HTTPS:443", defaultCertificate, certificates }] },
    status: { observedGatewayConfigurationGeneration: observed },
  } as unknown as Immutable<LoadBalancerConfiguration>;
}

const READY = configuration([arnOf("z"), arnOf("a.example.com")]);

test("a hostname is attached when its listener is programmed and its certificate in force, at the newest generations", () => {
  const state = gatewayState(CLAIM, { gateway: gateway(), configuration: READY });
  assert.deepEqual(state, {
    attached: true,
    loadBalancer: { dnsName: NAME, zoneId: "Z32O12XQLNTSW2", dualStack: false, arn: LB_ARN },
    reason: "Attached",
    message: "Gateway gw-01 serves the hostname.",
  });
  const dual = configuration([arnOf("a.example.com")], 3, "dualstack");
  assert.equal(gatewayState(CLAIM, { gateway: gateway(), configuration: dual }).loadBalancer?.dualStack, true);
});

test("what is not so yet is said", () => {
  const message = (objects: Parameters<typeof gatewayState>[1]): string => {
    const state = gatewayState(CLAIM, objects);
    assert.equal(state.attached, false);
    return `${state.reason}: ${state.message}`;
  };
  assert.match(
    message({ gateway: undefined, configuration: undefined }),
    /WaitingForGateway: The Gateway is not there/,
  );
  assert.match(message({ gateway: gateway(), configuration: configuration([arnOf("z")]) }), /certificate is not on/);
  assert.match(message({ gateway: gateway({ listeners: [] }), configuration: READY }), /has no listener/);
  assert.match(
    message({ gateway: gateway({ seen: 1 }), configuration: READY }),
    /WaitingForGateway: Gateway gw-01 is not Accepted yet/,
  );
  assert.match(
    message({ gateway: gateway({ status: "Unknown", why: "Pending" }), configuration: READY }),
    /WaitingForGateway: Gateway gw-01 is not Accepted yet/,
  );
  assert.match(
    message({ gateway: gateway({ listenerStatus: "False", why: "Pending" }), configuration: READY }),
    /WaitingForGateway: The listener on Gateway gw-01 is not Accepted yet/,
  );
  assert.match(
    message({ gateway: gateway({ status: "False" }), configuration: READY }),
    /GatewayNotProgrammed: Gateway gw-01 is not Accepted: Invalid: no such subnet/,
  );
  assert.match(
    message({ gateway: gateway({ listenerStatus: "False" }), configuration: READY }),
    /The listener on Gateway gw-01/,
  );
  assert.match(
    message({ gateway: gateway({ reported: [] }), configuration: READY }),
    /WaitingForGateway: The listener .* is not Accepted yet/,
  );
  assert.match(
    message({ gateway: gateway(), configuration: configuration([arnOf("a.example.com")], 2) }),
    /newest certificates/,
  );
});

test("controllers that do not tell which settings are in force are believed by their Gateway", () => {
  const silent = { ...READY, status: {} };
  assert.equal(gatewayState(CLAIM, { gateway: gateway(), configuration: silent }).attached, true);
});

test("in a ListenerSet it is the set's generation that counts", () => {
  const set = (seen: number) =>
    ({
      metadata: { name: "gw-01-a.example.com", generation: 5 },
      spec: { listeners: [LISTENER] },
      status: { conditions: [], listeners: [{ name: LISTENER.name, attachedRoutes: 0, conditions: conditions(seen) }] },
    }) as unknown as Immutable<ListenerSet>;
  const objects = { gateway: gateway({ listeners: [] }), configuration: READY };
  assert.equal(gatewayState(CLAIM, { ...objects, listenerSet: set(5) }).attached, true);
  assert.equal(gatewayState(CLAIM, { ...objects, listenerSet: set(4) }).attached, false);
});

test("a hostname is off only when the Gateway is gone or programmed without it", () => {
  const none = { listeners: [] };
  assert.equal(stillServes(CLAIM, { gateway: undefined, configuration: undefined }), false);
  assert.equal(stillServes(CLAIM, { gateway: gateway(none), configuration: READY }), false);
  assert.equal(stillServes(CLAIM, { gateway: gateway(), configuration: READY }), true);
  assert.equal(stillServes(CLAIM, { gateway: gateway({ ...none, seen: 1 }), configuration: READY }), true);
  assert.equal(stillServes(CLAIM, { gateway: gateway({ ...none, status: "False" }), configuration: READY }), true);
  assert.equal(stillServes(CLAIM, { gateway: gateway({ ...none, reported: [LISTENER] }), configuration: READY }), true);
});

test("zones of load balancers are known by their names; those of network load balancers are others", () => {
  assert.equal(canonicalZoneOf("x.us-east-1.elb.amazonaws.com"), "Z35SXDOTRQ7X7K");
  assert.equal(canonicalZoneOf("X.CN-NORTH-1.elb.amazonaws.com.cn."), "Z1GDH35T77C1KE");
  assert.equal(canonicalZoneOf("x.elb.us-east-1.amazonaws.com"), undefined);
  assert.equal(canonicalZoneOf("x.mars-1.elb.amazonaws.com"), undefined);
  assert.equal(canonicalZoneOf("us-east-1.elb.amazonaws.com.evil.example"), undefined);
});
