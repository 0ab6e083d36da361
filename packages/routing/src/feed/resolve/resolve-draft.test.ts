import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { ObjectKind } from "@gatewright/gateway";
import type { JsonObject } from "@gatewright/kube";
import { DEFAULT_FEED_SETTINGS } from "../feed-settings.ts";
import type { FeedSettings } from "../feed-settings.ts";
import type { Surroundings } from "../surroundings.ts";
import { resolveDraft } from "./resolve-draft.ts";
import { serviceName } from "./service-name.ts";

const slice = (addressType: string, ...addresses: readonly string[]) => ({
  addressType,
  endpoints: addresses.map((address) => ({ addresses: [address] })),
  ports: [{ name: "http", port: 3000 }],
});
const service = (name: string, spec: object = {}) => ({
  metadata: { name, namespace: "shop" },
  spec: { ports: [{ name: "http", port: 80 }], ...spec },
});
const SERVICES: ReadonlyMap<string, object> = new Map([
  ["web", service("web")],
  ["two", service("two", { ipFamilies: ["IPv6", "IPv4"] })],
  ["none", service("none")],
  ["outside", service("outside", { type: "ExternalName", externalName: "example.org", ports: undefined })],
]);
const SLICES: ReadonlyMap<string, readonly object[]> = new Map([
  ["web", [slice("IPv4", "10.0.0.1", "10.0.0.2", "10.0.0.3")]],
  ["two", [slice("IPv4", "10.1.0.1"), slice("IPv6", "fd00::1")]],
]);
const around = {
  contents: (_kind: string, _namespace: string, name: string) =>
    name === "login"
      ? new Map([["key", Buffer.from("s3cret")]])
      : name === "web-tls"
        ? new Map([
            ["tls.crt", Buffer.from("CERT")],
            ["tls.key", Buffer.from("KEY")],
          ])
        : "missing",
  service: (namespace: string, name: string) => (namespace === "shop" ? SERVICES.get(name) : undefined),
  slices: (_namespace: string, name: string) => SLICES.get(name) ?? [],
  hasBackend: () => false,
  backendAt: () => undefined,
  grants: () => [],
} as unknown as Surroundings;

function resolve(kind: ObjectKind, spec: object, settings: Partial<FeedSettings> = {}) {
  const draft = { kind, namespace: "shop", name: "a", spec: spec as JsonObject };
  const from = { group: "avapigw.io", kind };
  return resolveDraft(draft, from, around, { ...DEFAULT_FEED_SETTINGS, ...settings });
}

const hostsOf = (hosts: object[], settings: Partial<FeedSettings> = {}): string =>
  (resolve("Backend", { hosts }, settings).spec["hosts"] as { address: string; port: number; weight?: number }[])
    .map(({ address, port, weight }) => `${address}:${port}*${weight}`)
    .join(" ");

suite("references", () => {
  test("a route has the certificate of its Secret, and is served without it while there is none", () => {
    const route = (secretName: string) => resolve("APIRoute", { tls: { secretName }, redirect: { uri: "/" } });
    assert.deepEqual(route("web-tls").spec["tls"], { certificate: "CERT", key: "KEY" });
    const { spec, problems } = route("later");
    assert.deepEqual(spec["tls"], {});
    assert.deepEqual(
      problems.map(({ severity, field }) => `${severity} ${field}`),
      ["warning spec.tls.secretName"],
    );
  });

  test("hosts name Services in four ways, and nothing else is taken for one", () => {
    for (const host of ["web", "web.shop", "WEB.shop.svc", "web.shop.svc.cluster.local."]) {
      const { name, namespace } = serviceName(host, "shop", "cluster.local") ?? {};
      assert.deepEqual([namespace, name], ["shop", "web"], host);
    }
    for (const host of ["localhost", "10.0.0.1", "fd00::1", "a.b.c", "a.b.svc.example.org", "web:80", "", "1.2"]) {
      assert.equal(serviceName(host, "shop", "cluster.local"), undefined, host);
    }
  });

  test("what can never be dialled is wrong, also where it would be the name of a backend that is made of a Service", () => {
    const wrong = (kind: ObjectKind, spec: object): string =>
      resolve(kind, spec)
        .problems.map(({ reason, field, message }) => `${reason} ${field}: ${message}`)
        .join();
    const route = (host: string): string => wrong("APIRoute", { route: [{ destination: { host, port: 80 } }] });
    const backend = (address: string): string => wrong("Backend", { hosts: [{ address, port: 80 }] });
    for (const host of ["web", "example.org", "münchen.example", "10.0.0.1", "fd00::1", "[fd00::1]", "_a.b"])
      assert.deepEqual([route(host), backend(host)], ["", ""], host);
    for (const host of ["http://web", "web:80", "a b", "a/b/c", "/a"]) {
      const said = `${JSON.stringify(host)} is neither a name nor an address: write it without scheme, port and path`;
      assert.equal(route(host), `Invalid spec.route[0].destination.host: ${said}`);
      assert.equal(backend(host), `Invalid spec.hosts[0].address: ${said}`);
    }
    assert.match(wrong("APIRoute", { route: [{ destination: { host: "bank/safe", port: 80 } }] }), /^NotPermitted/);
  });

  test("endpoints share what their host had, as near as whole numbers come", () => {
    const plain = { address: "192.0.2.1", port: 1, weight: 1 };
    assert.equal(hostsOf([{ address: "web", port: 80 }]), "10.0.0.1:3000*1 10.0.0.2:3000*1 10.0.0.3:3000*1");
    assert.equal(
      hostsOf([{ address: "web", port: 80, weight: 1 }, plain]),
      "10.0.0.1:3000*33 10.0.0.2:3000*33 10.0.0.3:3000*33 192.0.2.1:1*100",
    );
    assert.equal(hostsOf([{ address: "none", port: 80, weight: 1 }, plain]), "192.0.2.1:1*1");
    assert.equal(hostsOf([{ address: "none", port: 80 }]), "none.shop.no-endpoints.invalid:80*1");
    assert.equal(hostsOf([{ address: "two", port: 80 }]), "fd00::1:3000*1");
    assert.equal(hostsOf([{ address: "outside", port: 443 }]), "example.org:443*1");
    const reachable = (address: string, port: number) => ({ address: `${address}.pods`, port: port + 1 });
    assert.equal(hostsOf([{ address: "two", port: 80 }], { reachable }), "fd00::1.pods:3001*1");
  });

  test("with TLS the name that is verified stays the Service's", () => {
    const one = resolve("Backend", { hosts: [{ address: "web", port: 80 }], tls: { enabled: true } });
    assert.equal((one.spec["tls"] as JsonObject)["serverName"], "web");
    const hosts = [
      { address: "web", port: 80 },
      { address: "two", port: 80 },
    ];
    assert.deepEqual(resolve("Backend", { hosts, tls: { enabled: true } }).spec["hosts"], hosts);
  });

  test("blocks that are off refer to nothing", () => {
    const providers = [{ name: "a", clientSecretRef: { name: "nothing", key: "a" } }];
    const off = resolve("APIRoute", { authentication: { enabled: true, oidc: { enabled: false, providers } } });
    assert.deepEqual(off.problems, []);
    const on = resolve("APIRoute", { authentication: { enabled: true, oidc: { enabled: true, providers } } });
    assert.deepEqual(
      on.problems.map(({ field }) => field),
      ["spec.authentication.oidc.providers[0].clientSecretRef"],
    );
    const wrong = [{ name: "a", clientSecretRef: { name: "login", key: "other" } }];
    const { problems } = resolve("APIRoute", { authentication: { oidc: { providers: wrong } } });
    assert.match(problems[0]?.message ?? "", /^Secret login has no key other$/);
    assert.ok(!JSON.stringify(problems).includes("s3cret"));
  });

  test("older fields are brought to where gateways look, and what is there stays", () => {
    const { spec } = resolve("APIRoute", {
      authorization: { cache: { sentinel: { masterName: "m" } } },
      security: {
        enabled: true,
        headers: {
          enabled: true,
          contentSecurityPolicy: "default-src 'self'",
          strictTransportSecurity: "max-age=31536000; includeSubDomains",
        },
      },
    });
    assert.deepEqual(spec["authorization"], { cache: { redis: { sentinel: { masterName: "m" } } } });
    assert.deepEqual(spec["security"], {
      enabled: true,
      headers: { enabled: true },
      csp: { enabled: true, policy: "default-src 'self'" },
      hsts: { enabled: true, maxAge: 31_536_000, includeSubDomains: true, preload: false },
    });
  });

  test("a route that may not lead nowhere is refused, if the settings say so", () => {
    const spec = { route: [{ destination: { host: "lost", port: 80 } }] };
    assert.equal(resolve("APIRoute", spec).problems[0]?.severity, "warning");
    assert.equal(resolve("APIRoute", spec, { missingBackends: "refuse" }).problems[0]?.severity, "error");
    const outside = { route: [{ destination: { host: "example.org", port: 80 } }] };
    assert.deepEqual(resolve("APIRoute", outside).problems, []);
  });
});
