import assert from "node:assert/strict";
import { test } from "node:test";
import type { Batch } from "../../distribution/batch.ts";
import type { Deliverable } from "../../model/deliverable.ts";
import { deliverable } from "../../model/testing/deliverables.ts";
import { ResourceSet } from "../resource-set.ts";
import type { ResourceType } from "../resource-types.ts";
import { DEFAULT_ENVOY_SETTINGS } from "./envoy-settings.ts";
import { EnvoyTranslation } from "./translation.ts";

function stage() {
  const resources = new ResourceSet();
  const translation = new EnvoyTranslation(DEFAULT_ENVOY_SETTINGS);
  let through = 0;
  return {
    resources,
    apply: (set: readonly Deliverable[], removed: readonly Deliverable[] = [], whole = false): void => {
      const batch: Batch = { through: ++through, whole, set, removed, replaced: new Map() };
      resources.advance(batch.through, (generation) => translation.apply(batch, resources, generation));
    },
    names: (type: ResourceType) => [...resources.of(type).live()].map(({ name }) => name).toSorted(),
    changed: (type: ResourceType) =>
      (resources.of(type).since(resources.generation - 1) ?? []).map(({ name }) => name).toSorted(),
  };
}

const backend = (name: string, address: string, more = {}): Deliverable =>
  deliverable(name, { kind: "Backend", spec: { hosts: [{ address, port: 80, weight: 1 }], ...more } });
const route = (name: string, host: string, more = {}): Deliverable =>
  deliverable(name, { spec: { route: [{ destination: { host, port: 80 }, weight: 100 }], ...more } });

test("clusters are called by their backend, and addresses that no object describes have their own", () => {
  const { apply, names } = stage();
  apply([backend("orders", "10.0.0.1"), route("a", "orders"), route("b", "10.0.0.9")]);
  assert.deepEqual(names("cluster"), ["Backend shop/orders", "http 10.0.0.9:80"]);
  assert.deepEqual(names("endpoints"), names("cluster"));
  assert.deepEqual(names("listener"), ["http"]);
});

test("a host that moves changes endpoints and nothing else", () => {
  const { apply, changed } = stage();
  apply([backend("orders", "10.0.0.1"), route("a", "orders")]);
  apply([backend("orders", "10.0.0.2")]);
  assert.deepEqual(changed("endpoints"), ["Backend shop/orders"]);
  assert.deepEqual([changed("cluster"), changed("routes")], [[], []]);
});

test("endpoints go out again with a cluster that changed", () => {
  const { apply, changed } = stage();
  apply([backend("orders", "10.0.0.1")]);
  apply([backend("orders", "10.0.0.1", { protocol: "http2" })]);
  assert.deepEqual([changed("cluster"), changed("endpoints")], [["Backend shop/orders"], ["Backend shop/orders"]]);
});

test("a backend that comes takes its routes over from the address", () => {
  const { apply, names, changed } = stage();
  apply([route("a", "orders")]);
  assert.deepEqual(names("cluster"), ["http orders:80"]);
  apply([backend("orders", "10.0.0.1")]);
  assert.deepEqual(names("cluster"), ["Backend shop/orders"]);
  assert.deepEqual(changed("routes"), ["http"]);
});

test("an address is the backend whose only host it is, and one of several hosts has a cluster of its own", () => {
  const { apply, names } = stage();
  const hosts = ["10.0.0.1", "10.0.0.2"].map((address) => ({ address, port: 80, weight: 50 }));
  apply([deliverable("several", { kind: "Backend", spec: { hosts } }), route("a", "10.0.0.1")]);
  assert.deepEqual(names("cluster"), ["Backend shop/several", "http 10.0.0.1:80"]);
  apply([backend("single", "10.0.0.1")]);
  assert.deepEqual(names("cluster"), ["Backend shop/several", "Backend shop/single"]);
});

test("what a whole batch does not hold goes", () => {
  const { apply, names } = stage();
  apply([backend("orders", "10.0.0.1"), route("a", "orders"), route("b", "10.0.0.9")]);
  apply([route("b", "10.0.0.9")], [], true);
  assert.deepEqual(names("cluster"), ["http 10.0.0.9:80"]);
});

test("names of hosts are said by the cluster, which looks them up", () => {
  const { apply, names } = stage();
  apply([backend("orders", "orders.test")]);
  assert.deepEqual([names("cluster"), names("endpoints")], [["Backend shop/orders"], []]);
});

test("a certificate of a route makes a listener with TLS", () => {
  const { apply, names } = stage();
  const tls = { tls: { certFile: "-----BEGIN CERTIFICATE-----", keyFile: "-----BEGIN PRIVATE KEY-----" } };
  apply([route("a", "10.0.0.9", tls)]);
  assert.deepEqual(names("listener"), ["http", "https"]);
  assert.equal(names("secret").length, 1);
  apply([route("a", "10.0.0.9")]);
  assert.deepEqual([names("listener"), names("secret")], [["http"], []]);
});

test("files of Envoy's machine are named by no object: backends are closed, and certificates not shown", () => {
  const [certFile, keyFile] = ["/etc/gatewright/client/tls.crt", "/etc/gatewright/client/tls.key"];
  const mtls = { type: "mtls", mtls: { enabled: true, certFile, keyFile } };
  for (const [field, spec] of [
    ["spec.tls.certFile", { tls: { enabled: true, mode: "MUTUAL", certFile, keyFile } }],
    ["spec.tls.caFile", { tls: { enabled: true, caFile: "/dev/zero" } }],
    ["spec.authentication.mtls.certFile", { tls: { enabled: true }, authentication: mtls }],
  ] as const) {
    const { apply, resources } = stage();
    const hosts = [{ address: "10.0.0.1", port: 80 }];
    apply([deliverable("orders", { kind: "Backend", spec: { hosts, ...spec } }), route("a", "orders")]);
    const told = resources.remarks.find((remark) => remark.field === field);
    assert.match(told?.message ?? "", /names of files are not passed on.*routes to it answer 503/u);
    const written = Buffer.from(resources.of("cluster").get("Backend shop/orders")?.any ?? []).toString("latin1");
    assert.doesNotMatch(written, /gatewright\/client|dev\/zero/u);
  }
  const { apply, names, resources } = stage();
  apply([route("a", "10.0.0.9", { tls: { certFile, keyFile } })]);
  assert.deepEqual([names("secret"), resources.remarks.map(({ field }) => field)], [[], ["spec.tls.certFile"]]);
});

test("what is served otherwise than it says is remarked, with the version that it is about", () => {
  const { apply, resources } = stage();
  const cached = route("a", "10.0.0.9", { cache: { enabled: true } });
  apply([cached]);
  assert.deepEqual(
    resources.remarks.map(({ key, version, refused, field }) => [key, version, refused, field]),
    [["APIRoute shop/a", cached.version, false, "spec.cache"]],
  );
});
