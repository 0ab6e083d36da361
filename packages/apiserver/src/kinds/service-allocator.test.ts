import assert from "node:assert/strict";
import { test } from "node:test";
import { StatusError } from "@gatewright/kube";
import type { KubeObject } from "@gatewright/kube";
import { seededRandom } from "@gatewright/ports";
import type { WriteContext } from "../resources/resource.ts";
import { writeContext } from "./recorded/replay.ts";
import { ServiceAllocator } from "./service-allocator.ts";

const RANGE = { cidr: "10.0.0.0/28", firstNodePort: 30000, lastNodePort: 30003 };

function service(name: string, clusterIP: string): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, namespace: "kinds" },
    spec: { clusterIP, clusterIPs: [clusterIP], ports: [] },
  };
}

async function store(context: WriteContext, object: KubeObject): Promise<void> {
  const table = context.cluster.store.table("services");
  const key = `kinds/${object.metadata.name}`;
  await table.write({
    key,
    expected: undefined,
    object(revision) {
      object.metadata.resourceVersion = String(revision);
      return object;
    },
  });
}

const messageOf = (call: () => unknown): string => {
  try {
    call();
  } catch (error) {
    if (error instanceof StatusError) return error.message;
    throw error;
  }
  return "";
};

test("addresses are given once each, never the first or last of the range, until it is full", () => {
  const allocator = new ServiceAllocator(seededRandom(), RANGE);
  const context = writeContext();
  const given = Array.from({ length: 14 }, () => allocator.clusterIP(service("a", ""), "", context));
  assert.equal(new Set(given).size, 14);
  assert.ok(!given.includes("10.0.0.0") && !given.includes("10.0.0.15"));
  const why = 'Internal error occurred: failed to allocate a serviceIP for Service "a": range is full';
  assert.equal(
    messageOf(() => allocator.clusterIP(service("a", ""), "", context)),
    why,
  );
});

test("an address that a stored Service has is refused, one outside the range as well", async () => {
  const allocator = new ServiceAllocator(seededRandom(), RANGE);
  const context = writeContext();
  await store(context, service("old", "10.0.0.5"));
  const asked = (ip: string): string => messageOf(() => allocator.clusterIP(service("a", ip), ip, context));
  const what = 'Service "a" is invalid: spec.clusterIPs: Invalid value:';
  assert.equal(
    asked("10.0.0.5"),
    `${what} ["10.0.0.5"]: failed to allocate IP 10.0.0.5: provided IP is already allocated`,
  );
  const outside = `${what} ["10.9.0.1"]: failed to allocate IP 10.9.0.1:`;
  assert.equal(asked("10.9.0.1"), `${outside} the provided network does not match the current range`);
  const dryRun = { ...context, dryRun: true };
  assert.equal(
    messageOf(() => allocator.clusterIP(service("a", "10.9.0.1"), "10.9.0.1", dryRun)),
    `${outside} the provided IP (10.9.0.1) is not in the valid range. The range of valid IPs is 10.0.0.0/28`,
  );
});

test("Services that come and go are followed", async () => {
  const allocator = new ServiceAllocator(seededRandom(), RANGE);
  const context = writeContext();
  assert.equal(allocator.clusterIP(service("b", "10.0.0.6"), "10.0.0.6", { ...context, dryRun: true }), "10.0.0.6");
  await store(context, service("b", "10.0.0.6"));
  assert.match(
    messageOf(() => allocator.clusterIP(service("c", "10.0.0.6"), "10.0.0.6", context)),
    /already allocated/,
  );
  const table = context.cluster.store.table("services");
  await table.write({
    key: "kinds/b",
    expected: table.head("kinds/b"),
    object: () => service("b", "10.0.0.6"),
    deletes: true,
  });
  assert.equal(allocator.clusterIP(service("c", "10.0.0.6"), "10.0.0.6", context), "10.0.0.6");
});

test("an address that was given out to a write that failed comes back after a minute", () => {
  const allocator = new ServiceAllocator(seededRandom(), RANGE);
  const context = writeContext();
  const ask = (now: number): string =>
    messageOf(() => allocator.clusterIP(service("a", "10.0.0.7"), "10.0.0.7", { ...context, now }));
  assert.equal(ask(0), "");
  assert.match(ask(59_000), /already allocated/);
  assert.equal(ask(60_000), "");
});

test("node ports outside the range or in use are refused", () => {
  const allocator = new ServiceAllocator(seededRandom(), RANGE);
  const context = writeContext();
  const ask = (port: number): string =>
    messageOf(() => allocator.nodePort(service("a", ""), port, "spec.ports[0].nodePort", context));
  assert.equal(ask(30001), "");
  const what = 'Service "a" is invalid: spec.ports[0].nodePort: Invalid value:';
  assert.equal(ask(30001), `${what} 30001: provided port is already allocated`);
  assert.equal(ask(80), `${what} 80: provided port is not in the valid range. The range of valid ports is 30000-30003`);
  const given = new Set(Array.from({ length: 3 }, () => allocator.nodePort(service("a", ""), 0, "", context)));
  assert.deepEqual(
    [...given].toSorted((a, b) => a - b),
    [30000, 30002, 30003],
  );
});
