import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { parseYaml } from "@gatewright/kube";
import { readSettings } from "./gateway-settings.ts";
import type { ReadSettings } from "./gateway-settings.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import { SettingsError } from "./settings-error.ts";

const HEAD = "apiVersion: gateway.avapigw.io/v1\nkind: Gateway\nmetadata: { name: edge }\n";
const LISTENER = "{ name: http, port: 8080 }";

const read = (yaml: string): ReadSettings => readSettings(parseYaml(Buffer.from(yaml)).value, "/etc/gateway/boot.yaml");
const withSpec = (spec: string): ReadSettings => read(`${HEAD}spec:\n${spec.replaceAll(/^/gm, "  ")}`);
const problemsOf = (make: () => unknown): string => {
  try {
    make();
  } catch (error) {
    assert.ok(error instanceof SettingsError);
    assert.equal(error.file, "/etc/gateway/boot.yaml");
    return error.problems.join("\n");
  }
  return "";
};

suite("a gateway's settings", () => {
  test("a listener is all they need; everything else has a default", () => {
    const { settings, warnings } = withSpec(`listeners: [${LISTENER}]`);
    assert.deepEqual(warnings, []);
    assert.deepEqual(settings, {
      name: "edge",
      listeners: [
        {
          name: "http",
          address: "0.0.0.0",
          port: 8080,
          protocols: undefined,
          hosts: undefined,
          tls: undefined,
          proxyProtocol: undefined,
          escapedSlashes: "refuse",
          mergeSlashes: false,
          underscores: "drop",
          maxConnections: 20_000,
          maxConnectionsPerAddress: Infinity,
          handshakeMs: 10_000,
          http1: {
            headBytes: 16_384,
            fields: 100,
            idleMs: 75_000,
            targetBytes: 8192,
            headMs: 10_000,
            progressMs: 30_000,
            bytesPerSecond: 240,
            tunnelIdleMs: 300_000,
            requests: 100_000,
          },
          http2: {
            headBytes: 16_384,
            fields: 100,
            idleMs: 75_000,
            targetBytes: 8192,
            requests: 100_000,
            bytesPerSecond: 240,
            concurrentStreams: 100,
            stalledMs: 300_000,
          },
        },
      ],
      trustedProxies: [],
      limits: DEFAULT_LIMITS,
      admin: { enabled: true, address: "127.0.0.1", port: 9090 },
      accessLog: { enabled: true, sampleRate: 1 },
      metrics: { enabled: true, perRoute: false },
      tracing: { enabled: false, sampleRate: 1, serviceName: "edge" },
      operator: undefined,
      configurationServer: undefined,
      workers: 1,
      destinations: { allowLinkLocal: false },
      files: { allowDirectories: [] },
      graphqlPath: "/graphql",
      stickySecretFile: undefined,
      stateDirectory: undefined,
      objects: [],
    });
  });

  test("a listener's limits stand over the gateway's, and those over the defaults", () => {
    const { settings } = withSpec(
      `limits: { maxHeaders: 50, headerTimeout: 5s }\nlisteners: [{ name: a, port: 0, limits: { headerTimeout: 500ms } }]`,
    );
    assert.deepEqual(settings.limits, { ...DEFAULT_LIMITS, maxHeaders: 50, headerTimeoutMs: 5000 });
    assert.equal(settings.listeners[0]?.http1?.headMs, 500);
    assert.equal(settings.listeners[0]?.http1?.fields, 50);
  });

  test("names of files are relative to the settings", () => {
    const { settings } = withSpec(
      [
        "listeners:",
        "- { name: tls, port: 443, protocol: HTTPS, hosts: [Shop.Example.com], tls: { certificates: [{ certFile: a.crt, keyFile: /b.key, hosts: ['*.Example.com'] }], clientAuth: { caFile: ca.crt } } }",
        "objects: [routes, ../more.yaml]",
        "stateDirectory: state",
        "accessLog: { file: access.log }",
        "operator: { address: 'operator:9444', tls: { caFile: op.crt } }",
        "configurationServer: { port: 9445 }",
      ].join("\n"),
    );
    assert.deepEqual(settings.listeners[0]?.hosts, ["shop.example.com"]);
    assert.deepEqual(settings.listeners[0]?.tls, {
      certificates: [{ certFile: "/etc/gateway/a.crt", keyFile: "/b.key", hosts: ["*.example.com"] }],
      minVersion: "TLSv1.2",
      maxVersion: "TLSv1.3",
      ciphers: undefined,
      clientCertificates: { mode: "required", caFile: "/etc/gateway/ca.crt" },
    });
    assert.deepEqual(settings.objects, ["/etc/gateway/routes", "/etc/more.yaml"]);
    assert.equal(settings.stateDirectory, "/etc/gateway/state");
    assert.equal(settings.accessLog.file, "/etc/gateway/access.log");
    assert.equal(settings.operator?.tls.caFile, "/etc/gateway/op.crt");
    assert.equal(settings.operator?.name, "edge");
    assert.deepEqual(settings.configurationServer, { address: "127.0.0.1", port: 9445 });
  });

  test("boot files of AVAPIGW are taken, and what does nothing in them is told", () => {
    const { settings, warnings } = withSpec(
      "listeners: [{ name: http, port: 8080, protocol: HTTP, hosts: ['*'], bind: 127.0.0.1 }]\nobservability: { metrics: { enabled: true } }\nroutes: []",
    );
    assert.equal(settings.listeners[0]?.address, "127.0.0.1");
    assert.deepEqual(warnings, ["spec.observability is not known and does nothing"]);
  });

  const refused: readonly (readonly [what: string, spec: string, why: RegExp])[] = [
    ["no listener", "listeners: []", /spec\.listeners.*at least 1 item/],
    ["a listener without port", "listeners: [{ name: a }]", /spec\.listeners\[0\]\.port: Required value/],
    ["two of one name", `listeners: [${LISTENER}, ${LISTENER}]`, /each listener has a name of its own/],
    ["TLS without certificate", "listeners: [{ name: a, port: 1, protocol: HTTPS }]", /HTTPS and GRPCS need tls/],
    [
      "a certificate without key",
      "listeners: [{ name: a, port: 1, protocol: HTTPS, tls: { certFile: a } }]",
      /write certificates: \[\{certFile, keyFile\}\]/,
    ],
    [
      "clients' certificates of nobody",
      "listeners: [{ name: a, port: 1, protocol: HTTPS, tls: { certFile: a, keyFile: b, clientAuth: {} } }]",
      /write caFile/,
    ],
    ["a host with a port", "listeners: [{ name: a, port: 1, hosts: ['a:1'] }]", /no scheme, no port/],
    ["a protocol that is none", "listeners: [{ name: a, port: 1, protocol: TCP }]", /supported values: "HTTP"/],
    ["a PROXY header of anybody", "listeners: [{ name: a, port: 1, proxyProtocol: {} }]", /trusted: Required value/],
    ["a proxy by name", `listeners: [${LISTENER}]\ntrustedProxies: [proxy]`, /write an address or a range/],
    ["a time without unit", `listeners: [${LISTENER}]\nlimits: { headerTimeout: '10' }`, /spec\.limits\.headerTimeout/],
    ["traces that go nowhere", `listeners: [${LISTENER}]\ntracing: { enabled: true }`, /write endpoint/],
    ["an operator without port", `listeners: [${LISTENER}]\noperator: { address: op }`, /write host:port/],
    [
      "objects from anybody",
      `listeners: [${LISTENER}]\nconfigurationServer: { port: 1, address: 0.0.0.0 }`,
      /whoever can push objects/,
    ],
    ["workers in words", `listeners: [${LISTENER}]\nworkers: many`, /spec\.workers/],
  ];
  for (const [what, spec, why] of refused) {
    test(`${what} is refused, and told how to write it`, () => {
      assert.match(
        problemsOf(() => withSpec(spec)),
        why,
      );
    });
  }

  test("another document is no settings", () => {
    assert.match(
      problemsOf(() => read("kind: Gateway\napiVersion: gateway.networking.k8s.io/v1")),
      /write apiVersion: gateway\.avapigw\.io\/v1 and kind: Gateway/,
    );
    assert.match(
      problemsOf(() => read("kind: Gateway\napiVersion: gateway.avapigw.io/v1")),
      /metadata\.name: write a name/,
    );
  });
});
