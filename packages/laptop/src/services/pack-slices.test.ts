import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Immutable } from "@gatewright/kube";
import type { discovery } from "@gatewright/kube/api";
import { packSlices, sameEndpoints } from "./pack-slices.ts";
import type { Packing } from "./pack-slices.ts";
import type { PortGroup } from "./port-groups.ts";
import { portsKey } from "./port-groups.ts";

type Slice = Immutable<discovery.EndpointSlice>;

const LIMIT = 4;

const endpoint = (id: number, ready = true): discovery.Endpoint => ({
  addresses: [`10.244.0.${id}`],
  conditions: { ready },
  targetRef: { uid: `u${id}` },
});
const portsOf = (port: number) => [{ name: "http", port, protocol: "TCP" }];
const slice = (name: string, { ports, endpoints }: PortGroup): Slice => ({
  apiVersion: "discovery.k8s.io/v1",
  kind: "EndpointSlice",
  metadata: { name },
  addressType: "IPv4",
  ports,
  endpoints,
});

/** The slices after the writes of a packing. */
function applied({ kept, added }: Packing, generation: number): Slice[] {
  return [
    ...kept.map(({ slice: { metadata }, content }) => slice(metadata.name ?? "", content)),
    ...added.map((content, i) => slice(`new-${generation}-${i}`, content)),
  ];
}

function writes({ kept, added, removed }: Packing): number {
  const changed = kept.filter(
    ({ slice: before, content }) =>
      portsKey(before.ports ?? []) !== portsKey(content.ports) ||
      !sameEndpoints(before.endpoints ?? [], content.endpoints),
  );
  return changed.length + added.length + removed.length;
}

/** Which pods there are, each with its port and whether it is ready. */
const cluster = fc
  .uniqueArray(fc.record({ id: fc.nat(40), port: fc.constantFrom(80, 90), ready: fc.boolean() }), {
    selector: ({ id }) => id,
    maxLength: 25,
  })
  .map((pods): PortGroup[] =>
    [80, 90].flatMap((port) => {
      const endpoints = pods.filter((pod) => pod.port === port).map(({ id, ready }) => endpoint(id, ready));
      return endpoints.length === 0 ? [] : [{ ports: portsOf(port), endpoints }];
    }),
  );

/** Slices as anybody may have left them: too full, with endpoints twice. */
const anySlices = fc
  .array(fc.record({ port: fc.constantFrom(80, 90, 100), ids: fc.array(fc.nat(40), { maxLength: 7 }) }), {
    maxLength: 6,
  })
  .map((slices) =>
    slices.map(({ port, ids }, i) =>
      slice(`s${i}`, { ports: portsOf(port), endpoints: ids.map((id) => endpoint(id)) }),
    ),
  );

const told = (slices: readonly Slice[]): string[] =>
  slices
    .flatMap(({ ports = [], endpoints = [] }) => endpoints.map((e) => `${portsKey(ports)} ${JSON.stringify(e)}`))
    .sort();

test("whatever slices there were, exactly the wanted endpoints are told, once each, in slices that are neither too full nor empty", () => {
  fc.assert(
    fc.property(anySlices, cluster, (before, groups) => {
      const after = applied(packSlices(before, groups, LIMIT), 1);
      assert.deepEqual(told(after), told(groups.map((group) => slice("", group))));
      for (const { endpoints = [] } of after) assert.ok(endpoints.length <= LIMIT);
      const empty = after.filter(({ endpoints = [] }) => endpoints.length === 0).length;
      assert.equal(empty, groups.length === 0 ? 1 : 0);
    }),
  );
});

test("what is packed needs no write", () => {
  fc.assert(
    fc.property(anySlices, cluster, (before, groups) => {
      const after = applied(packSlices(before, groups, LIMIT), 1);
      assert.equal(writes(packSlices(after, groups, LIMIT)), 0);
    }),
  );
});

test("one pod that changes, comes or goes costs one write, and no other endpoint moves", () => {
  fc.assert(
    fc.property(cluster, fc.nat(40), fc.boolean(), (groups, id, ready) => {
      const before = applied(packSlices([], groups, LIMIT), 1);
      const others = groups.map(({ ports, endpoints }) => ({
        ports,
        endpoints: endpoints.filter(({ targetRef }) => targetRef?.uid !== `u${id}`),
      }));
      const first = others[0] ?? { ports: portsOf(80), endpoints: [] };
      const next = [{ ...first, endpoints: [...first.endpoints, endpoint(id, ready)] }, ...others.slice(1)];
      const packing = packSlices(
        before,
        next.filter(({ endpoints }) => endpoints.length > 0),
        LIMIT,
      );
      // A pod that goes from one list of ports to another leaves one slice and enters another.
      assert.ok(writes(packing) <= 2);
      const places = new Map(
        before.flatMap((s) => (s.endpoints ?? []).map((e) => [e.targetRef?.uid, s.metadata.name])),
      );
      for (const {
        slice: { metadata },
        content,
      } of packing.kept) {
        for (const { targetRef } of content.endpoints) {
          if (targetRef?.uid !== `u${id}`) assert.equal(places.get(targetRef?.uid), metadata.name);
        }
      }
    }),
  );
});

test("a slice that is no longer needed becomes one that is", () => {
  const before = [slice("old", { ports: portsOf(80), endpoints: [endpoint(1)] })];
  const { kept, added, removed } = packSlices(before, [{ ports: portsOf(90), endpoints: [endpoint(2)] }], LIMIT);
  assert.deepEqual([kept.length, added.length, removed.length], [1, 0, 0]);
  assert.equal(kept[0]?.slice.metadata.name, "old");
});
