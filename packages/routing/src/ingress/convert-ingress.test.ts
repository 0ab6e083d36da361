import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { examine } from "@gatewright/gateway/examine";
import type { networking } from "@gatewright/kube/api";
import { convertIngress } from "./convert-ingress.ts";
import type { ConvertedIngress } from "./convert-ingress.ts";

type Spec = networking.Ingress["spec"];
const web = { service: { name: "web", port: { number: 8080 } } };
const at = (path: string, pathType: "Prefix" | "Exact" | "ImplementationSpecific" = "Prefix") => ({
  path,
  pathType,
  backend: web,
});

function converted(spec: Spec, annotations: Readonly<Record<string, string>> = {}): ConvertedIngress {
  return convertIngress(
    {
      apiVersion: "networking.k8s.io/v1",
      kind: "Ingress",
      metadata: { namespace: "shop", name: "web", annotations },
      ...(spec !== undefined && { spec }),
    },
    { portNumber: (service, port) => (service === "web" && port === "http" ? 8081 : undefined) },
  );
}

const one = (path = at("/api"), host = "api.example.com"): Spec => ({ rules: [{ host, http: { paths: [path] } }] });

function onlyDraft(spec: Spec, annotations?: Readonly<Record<string, string>>) {
  const { drafts, problems } = converted(spec, annotations);
  assert.deepEqual(problems, []);
  assert.equal(drafts.length, 1);
  return drafts[0]!;
}

test("the Ingress of the seed is a route with a timeout and retries", () => {
  const { kind, name, spec } = onlyDraft(one(at("/api/v1")), {
    "avapigw.io/timeout": "30s",
    "avapigw.io/retries": "3",
  });
  assert.equal(kind, "APIRoute");
  assert.equal(name, "web:api.example.com/api/v1");
  assert.deepEqual(spec, {
    hosts: ["api.example.com"],
    match: [{ uri: { prefix: "/api/v1" } }],
    timeout: "30s",
    retries: { attempts: 3 },
    route: [{ destination: { host: "web", port: 8080 } }],
  });
});

test("every annotation with a good value gives an object that a gateway takes", () => {
  const all = {
    timeout: "30s",
    "retry-attempts": "2",
    "retry-per-try-timeout": "1s",
    "retry-on": "5xx,reset",
    "rate-limit-enabled": "true",
    "rate-limit-rps": "10",
    "rate-limit-burst": "20",
    "rate-limit-per-client": "true",
    "cors-allow-origins": "https://a.example, https://b.example",
    "cors-allow-methods": "GET,POST",
    "cors-max-age": "60",
    "cors-allow-headers": "x-a",
    "cors-expose-headers": "x-b",
    "cors-allow-credentials": "true",
    "rewrite-uri": "/v2",
    "rewrite-authority": "inner.example",
    "health-check-path": "/healthz",
    "health-check-interval": "5s",
    "health-check-timeout": "1s",
    "health-check-healthy-threshold": "1",
    "health-check-unhealthy-threshold": "4",
    "load-balancer-algorithm": "leastConn",
    "circuit-breaker-enabled": "true",
    "circuit-breaker-threshold": "5",
    "circuit-breaker-timeout": "10s",
    "circuit-breaker-half-open": "2",
    "security-enabled": "true",
    "security-x-frame-options": "DENY",
    "security-x-content-type-options": "nosniff",
    "encoding-response-content-type": "application/json",
    "cache-enabled": "true",
    "cache-ttl": "10s",
    "max-sessions-enabled": "true",
    "max-sessions-max-concurrent": "5",
    "max-sessions-queue-size": "1",
    "max-sessions-queue-timeout": "1s",
    "max-body-size": "1024",
    "request-headers-add": "X-A: 1, X-B: 2",
    "request-headers-remove": "X-C",
    "response-headers-add": "X-D: 3",
  };
  const { drafts, problems } = converted(
    one(),
    Object.fromEntries(Object.entries(all).map(([name, value]) => [`avapigw.io/${name}`, value])),
  );
  assert.deepEqual(problems, []);
  assert.deepEqual(drafts.map(({ kind }) => kind).toSorted(), ["APIRoute", "Backend"]);
  for (const draft of drafts) {
    const { findings } = examine({ ...draft, namespace: "shop", version: "1" });
    assert.deepEqual(
      findings.filter(({ severity }) => severity === "error"),
      [],
      JSON.stringify(draft.spec),
    );
  }
  assert.equal(
    (drafts.find(({ kind }) => kind === "APIRoute")!.spec["route"] as { destination: { host: string } }[])[0]!
      .destination.host,
    "web:web:8080",
  );
});

test("a value that cannot be read is told of, and the rest is served", () => {
  const { drafts, problems } = converted(one(), { "avapigw.io/timeout": "soon", "avapigw.io/retries": "99" });
  assert.equal(drafts.length, 1);
  assert.deepEqual(problems, [
    { field: "metadata.annotations[avapigw.io/retries]", message: "write a whole number from 1 to 10", fatal: false },
    { field: "metadata.annotations[avapigw.io/timeout]", message: "write a duration such as 30s", fatal: false },
  ]);
});

test("blocks that are not switched on do nothing", () => {
  const { spec } = onlyDraft(one(), {
    "avapigw.io/rate-limit-rps": "10",
    "avapigw.io/cors-max-age": "3",
    "avapigw.io/cache-ttl": "1s",
  });
  assert.deepEqual(Object.keys(spec).toSorted(), ["hosts", "match", "route"]);
});

describe("paths", () => {
  test("Exact is the whole path, the others are prefixes", () => {
    assert.deepEqual(onlyDraft(one(at("/a", "Exact"))).spec["match"], [{ uri: { exact: "/a" } }]);
    assert.deepEqual(onlyDraft(one(at("/a", "ImplementationSpecific"))).spec["match"], [{ uri: { prefix: "/a" } }]);
  });

  test("a wildcard in a host stands for one label", () => {
    const { spec } = onlyDraft(one(at("/"), "*.example.com"));
    assert.deepEqual(spec["match"], [
      { uri: { prefix: "/" }, headers: [{ name: "host", regex: String.raw`[^.]+\.example\.com(:[0-9]+)?` }] },
    ]);
  });

  test("names do not depend on where a rule stands", () => {
    const rules = ["/a", "/b"].map((path) => ({ host: "x.example", http: { paths: [at(path)] } }));
    const names = (spec: Spec) =>
      converted(spec)
        .drafts.map(({ name }) => name)
        .toSorted();
    assert.deepEqual(names({ rules }), names({ rules: rules.toReversed() }));
  });

  test("the same host and path twice is told of", () => {
    const { drafts, problems } = converted({ rules: [{ http: { paths: [at("/a"), at("/a")] } }] });
    assert.equal(drafts.length, 1);
    assert.equal(problems[0]?.field, "spec.rules[0].http.paths[1]");
  });
});

describe("backends", () => {
  test("a named port is the Service's; one that is not there is told of", () => {
    const named = (name: string): Spec =>
      one({ ...at("/"), backend: { service: { name: "web", port: { name } } } } as never);
    assert.deepEqual(onlyDraft(named("http")).spec["route"], [{ destination: { host: "web", port: 8081 } }]);
    assert.match(
      converted(named("other")).problems[0]?.message ?? "",
      /no such port: the port other of the Service web/u,
    );
  });

  test("the default backend takes what nothing else does", () => {
    const { name, spec } = onlyDraft({ defaultBackend: web });
    assert.equal(name, "web:*/");
    assert.deepEqual(spec["match"], [{ uri: { prefix: "/" } }]);
  });
});

describe("TLS", () => {
  test("a rule's host has the certificate of the entry that covers it", () => {
    const tls = [{ hosts: ["*.example.com"], secretName: "wild" }];
    assert.deepEqual(onlyDraft({ ...one(), tls }).spec["tls"], { secretName: "wild" });
    assert.equal(onlyDraft({ ...one(at("/"), "a.b.example.com"), tls }).spec["tls"], undefined);
  });
});

describe("gRPC", () => {
  const grpc = { "avapigw.io/protocol": "grpc" };
  test("service and method come from the path or from annotations", () => {
    const { kind, spec } = onlyDraft(one(at("/shop.Orders/Get")), grpc);
    assert.equal(kind, "GRPCRoute");
    assert.deepEqual(spec["match"], [{ service: { exact: "shop.Orders" }, method: { prefix: "Get" } }]);
    const said = onlyDraft(one(at("/")), {
      ...grpc,
      "avapigw.io/grpc-service": "shop.Orders",
      "avapigw.io/grpc-service-match-type": "exact",
    });
    assert.deepEqual(said.spec["match"], [{ service: { exact: "shop.Orders" } }]);
  });

  test("a path of / is for all calls", () => {
    assert.deepEqual(onlyDraft(one(at("/")), grpc).spec["match"], [{ service: { exact: "*" } }]);
  });
});

describe("annotations of ingress-nginx", () => {
  const nginx = (all: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(all).map(([name, value]) => [`nginx.ingress.kubernetes.io/${name}`, value]));

  test("the usual ones are understood", () => {
    const { drafts, problems } = converted(
      one(),
      nginx({
        "proxy-body-size": "8m",
        "proxy-read-timeout": "60",
        "enable-cors": "true",
        "limit-rps": "10",
        affinity: "cookie",
        "session-cookie-name": "route",
        "backend-protocol": "HTTPS",
      }),
    );
    assert.deepEqual(problems, []);
    const route = drafts.find(({ kind }) => kind === "APIRoute")!.spec;
    assert.deepEqual(route["requestLimits"], { maxBodySize: 8 * 1024 * 1024 });
    assert.equal(route["timeout"], "60s");
    const { allowOrigins, allowMethods, allowHeaders } = route["cors"] as Record<string, string[]>;
    assert.deepEqual(allowOrigins, ["*"]);
    assert.ok(allowMethods?.includes("DELETE") && allowHeaders?.includes("Authorization"));
    assert.deepEqual(route["rateLimit"], { enabled: true, requestsPerSecond: 10, burst: 50, perClient: true });
    const backend = drafts.find(({ kind }) => kind === "Backend")!.spec;
    assert.deepEqual(backend["loadBalancer"], { algorithm: "sticky", sticky: { cookieName: "route" } });
  });

  test("a pattern is for paths that begin with it, in any case", () => {
    const { spec } = onlyDraft(one(at("/v[0-9]+/a", "ImplementationSpecific")), nginx({ "use-regex": "true" }));
    const [match] = spec["match"] as { uri: { regex: string } }[];
    const { matches } = examine({ kind: "APIRoute", namespace: "shop", name: "web", version: "1", spec });
    assert.equal(matches[0]?.path.value, match?.uri.regex);
    assert.equal(match?.uri.regex, "(?i)(?:/v[0-9]+/a).*");
  });

  test("a size of 0 is no limit, and of two times the longer one counts", () => {
    const times = { "proxy-read-timeout": "3600", "proxy-send-timeout": "60" };
    const { spec } = onlyDraft(one(), nginx({ "proxy-body-size": "0", ...times }));
    assert.deepEqual([spec["requestLimits"], spec["timeout"]], [{ maxBodySize: 1024 ** 4 }, "3600s"]);
    assert.equal(
      onlyDraft(one(), nginx({ "proxy-read-timeout": "9", "proxy-send-timeout": "1m" })).spec["timeout"],
      "1m",
    );
  });

  test("a rate that cannot be had is told", () => {
    const { drafts, problems } = converted(one(), nginx({ "limit-rpm": "6" }));
    assert.deepEqual(drafts[0]?.spec["rateLimit"], {
      enabled: true,
      requestsPerSecond: 1,
      burst: 5,
      perClient: true,
    });
    assert.match(problems[0]?.message ?? "", /comes to 1 requests a second/);
    assert.deepEqual(converted(one(), nginx({ "limit-rpm": "120" })).problems, []);
  });

  test("what another annotation has to switch on does nothing without it, and that is told", () => {
    const { drafts, problems } = converted(
      one(),
      nginx({ "session-cookie-max-age": "100", "cors-allow-origin": "https://a.example" }),
    );
    assert.deepEqual(
      problems.map(({ message }) => message),
      ['does nothing without enable-cors: "true"', "does nothing without affinity: cookie"],
    );
    assert.deepEqual([drafts.length, drafts[0]?.spec["cors"]], [1, undefined]);
  });

  test("a protection that is off keeps nobody out", () => {
    const off = { canary: "false", "enable-modsecurity": "false", "auth-tls-verify-client": "off" };
    assert.deepEqual(converted(one(), nginx(off)).problems, []);
  });

  test("the usual way to cut a prefix off cuts it off", () => {
    const { spec } = onlyDraft(
      one(at("/api(/|$)(.*)", "ImplementationSpecific")),
      nginx({ "rewrite-target": "/$2", "use-regex": "true" }),
    );
    assert.deepEqual(spec["match"], [{ uri: { prefix: "/api" } }]);
    assert.deepEqual(spec["rewrite"], { uri: "/" });
  });

  test("what keeps somebody out and is not understood keeps the Ingress out", () => {
    const { drafts, problems } = converted(
      one(),
      nginx({ "auth-url": "https://sso.example/auth", "proxy-buffering": "off" }),
    );
    assert.deepEqual(drafts, []);
    assert.deepEqual(
      problems.map(({ fatal }) => fatal),
      [true, false],
    );
  });

  test("ours win", () => {
    const both = { ...nginx({ "proxy-read-timeout": "60" }), "avapigw.io/timeout": "5s" };
    assert.equal(onlyDraft(one(), both).spec["timeout"], "5s");
  });
});
