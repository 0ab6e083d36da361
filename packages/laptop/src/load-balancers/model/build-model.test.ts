import assert from "node:assert/strict";
import { test } from "node:test";
import { edge, modelOf, ruleText, service } from "../testing/sample-model.ts";
import { listener, object, parent, rule } from "../testing/object-view.ts";

const route = (name: string, spec: object, more: object = {}) =>
  object("HTTPRoute", name, { parentRefs: [parent()], ...spec }, more);
const web = service("web");
const toWeb = { rules: [rule([{ name: "web" }])] };
const rulesOf = (...arguments_: Parameters<typeof modelOf>): readonly string[] =>
  modelOf(...arguments_).listeners.flatMap(({ rules }) => rules.map(ruleText));

test("names are of at most 32 characters, internal is the default, and everything is tagged with its Gateway", () => {
  const { loadBalancer, targetGroups } = modelOf([web, route("web", toWeb)]);
  assert.match(loadBalancer.name, /^k8s-shop-edge-[0-9a-f]{10}$/);
  assert.equal(loadBalancer.scheme, "internal");
  assert.deepEqual(loadBalancer.tags, {
    "elbv2.k8s.aws/cluster": "test",
    "gateway.k8s.aws.alb/stack": "shop/edge",
    "gateway.k8s.aws.alb/resource": "LoadBalancer",
  });
  assert.match(targetGroups[0]?.name ?? "", /^k8s-shop-web-[0-9a-f]{10}$/);
  assert.equal(targetGroups[0]?.tags["gateway.k8s.aws.alb/resource"], "HTTPRoute/shop/web:shop/web:80");
  const facing = modelOf([settings({ scheme: "internet-facing" })], { spec: configured });
  assert.notEqual(facing.loadBalancer.name, loadBalancer.name);
});

test("a port has a listener only once a route is attached to it", () => {
  const listeners = [listener("http", 80), listener("other", 8080)];
  assert.deepEqual(modelOf([web], { listeners }).listeners, []);
  const one = modelOf([web, route("web", { ...toWeb, parentRefs: [parent({ sectionName: "other" })] })], { listeners });
  assert.deepEqual(
    one.listeners.map(({ port }) => port),
    [8080],
  );
});

test("every match of every rule is a rule for each hostname, the more precise first", () => {
  const matches = [
    { path: { type: "PathPrefix", value: "/a/" }, method: "GET" },
    { path: { type: "Exact", value: "/a" } },
    { path: { type: "PathPrefix", value: "/a/b" }, headers: [{ type: "Exact", name: "X-One", value: "1*" }] },
    { queryParams: [{ type: "Exact", name: "q", value: "v" }] },
  ];
  const hostnames = ["*.example.com", "a.example.com"];
  const per = (host: string): readonly string[] => [
    `host-header=${host} & path-pattern=/a -> shop/web*1`,
    String.raw`host-header=${host} & path-pattern=/a/b|/a/b/* & http-header x-one=1\* -> shop/web*1`,
    `host-header=${host} & path-pattern=/a|/a/* & http-request-method=GET -> shop/web*1`,
    `host-header=${host} & query-string=q=v -> shop/web*1`,
  ];
  assert.deepEqual(rulesOf([web, route("web", { hostnames, rules: [rule([{ name: "web" }], matches)] })]), [
    ...per("a.example.com"),
    ...per("*.example.com"),
  ]);
});

test("of equal matches the older route wins, then the one whose name comes first", () => {
  const at = (creationTimestamp: string) => ({ creationTimestamp });
  const objects = [
    service("a"),
    service("b"),
    service("c"),
    route("z", { rules: [rule([{ name: "a" }])] }, at("2030-01-01T00:00:00Z")),
    route("b", { rules: [rule([{ name: "b" }])] }, at("2030-01-02T00:00:00Z")),
    route("a", { rules: [rule([{ name: "c" }])] }, at("2030-01-02T00:00:00Z")),
  ];
  const wanted = ["a", "c", "b"].map((name) => `path-pattern=/* -> shop/${name}*1`);
  assert.deepEqual(rulesOf(objects), wanted);
  assert.deepEqual(rulesOf(objects.toReversed()), wanted);
});

test("backends share by weight; what leads nowhere answers 500, and no backends at all 503", () => {
  const weighted = [
    { name: "web", weight: 3 },
    { name: "web", weight: 1 },
    { name: "other", weight: 0 },
  ];
  const cases: readonly (readonly [object, string])[] = [
    [rule(weighted), "shop/web*4+shop/other*0"],
    [
      rule([
        { name: "web", weight: 1_000_000 },
        { name: "other", weight: 1 },
      ]),
      "shop/web*999+shop/other*1",
    ],
    [rule([{ name: "gone" }]), "fixed-response 500"],
    [rule([{ name: "web", port: 81 }]), "fixed-response 500"],
    [rule([{ name: "web", kind: "Bucket", group: "x" }]), "fixed-response 500"],
    [rule([{ name: "web" }, { name: "gone" }]), "shop/web*1"],
    [rule([]), "fixed-response 503"],
  ];
  for (const [one, then] of cases) {
    assert.deepEqual(rulesOf([web, service("other"), route("web", { rules: [one] })]), [`path-pattern=/* -> ${then}`]);
  }
});

test("a backend in another namespace needs a grant there", () => {
  const there = service("far", {}, { namespace: "other" });
  const far = route("web", { rules: [rule([{ name: "far", namespace: "other" }])] });
  const grant = (spec: object) => object("ReferenceGrant", "g", spec, { namespace: "other" });
  const from = [{ group: "gateway.networking.k8s.io", kind: "HTTPRoute", namespace: "shop" }];
  const to = (name: string) => [{ group: "", kind: "Service", name }];
  const refused = ["path-pattern=/* -> fixed-response 500"];
  assert.deepEqual(rulesOf([there, far]), refused);
  assert.deepEqual(rulesOf([there, far, grant({ from, to: to("near") })]), refused);
  assert.deepEqual(rulesOf([there, far, grant({ from, to: to("far") })]), ["path-pattern=/* -> other/far*1"]);
});

test("redirects and fixed responses, with what a ListenerRuleConfiguration adds", () => {
  const redirect = (requestRedirect: object) => [
    { type: "RequestRedirect", requestRedirect: { statusCode: 302, ...requestRedirect } },
  ];
  const extension = [
    {
      type: "ExtensionRef",
      extensionRef: { group: "gateway.k8s.aws", kind: "ListenerRuleConfiguration", name: "extra" },
    },
  ];
  const rules = (one: object, extra: object = {}) =>
    rulesOf([web, route("web", { rules: [one] }), object("ListenerRuleConfiguration", "extra", extra)]);
  assert.deepEqual(rules(rule([], [{}], redirect({ scheme: "https", statusCode: 301 }))), [
    "path-pattern=/* -> HTTP_301 HTTPS://#{host}:443/#{path}?#{query}",
  ]);
  const path = { type: "ReplaceFullPath", replaceFullPath: "/new" };
  assert.deepEqual(rules(rule([], [{}], redirect({ hostname: "b.test", port: 8080, path }))), [
    "path-pattern=/* -> HTTP_302 #{protocol}://b.test:8080/new?#{query}",
  ]);
  const query = { actions: [{ type: "redirect", redirectConfig: { query: "a=b" } }] };
  assert.deepEqual(rules(rule([], [{}], [...redirect({ scheme: "https" }), ...extension]), query), [
    "path-pattern=/* -> HTTP_302 HTTPS://#{host}:443/#{path}?a=b",
  ]);
  const fixed = {
    actions: [{ type: "fixed-response", fixedResponseConfig: { statusCode: 404, contentType: "text/html" } }],
  };
  assert.deepEqual(rules(rule([], [{}], extension), fixed), ["path-pattern=/* -> fixed-response 404"]);
  const sources = {
    conditions: [{ field: "source-ip", sourceIPConfig: { values: ["10.0.0.0/8"] }, matchIndexes: [1] }],
  };
  const matches = [{ path: { type: "Exact", value: "/longer" } }, { path: { type: "Exact", value: "/b" } }];
  assert.deepEqual(rules(rule([{ name: "web" }], matches, extension), sources), [
    "path-pattern=/longer -> shop/web*1",
    "path-pattern=/b & source-ip=10.0.0.0/8 -> shop/web*1",
  ]);
  assert.deepEqual(rulesOf([web, route("web", { rules: [rule([{ name: "web" }], [{}], extension)] })]), [
    "path-pattern=/* -> fixed-response 500",
  ]);
});

test("calls of gRPC are paths of two elements, and go to groups that speak it", () => {
  const call = (method: object) => ({ method: { type: "Exact", ...method } });
  const grpc = object("GRPCRoute", "calls", {
    parentRefs: [parent()],
    rules: [
      {
        matches: [call({ service: "a.B", method: "C" }), call({ service: "a.B" }), call({ method: "C" }), {}],
        backendRefs: [{ group: "", kind: "Service", name: "web", port: 80, weight: 1 }],
      },
    ],
  });
  const model = modelOf([web, grpc]);
  assert.deepEqual(
    model.listeners[0]?.rules.map(ruleText),
    ["/a.B/C", "/a.B/*", "/*/C", "/*"].map((path) => `path-pattern=${path} -> shop/web*1`),
  );
  assert.equal(model.targetGroups[0]?.settings.ProtocolVersion, "GRPC");
  assert.deepEqual(model.targetGroups[0]?.settings.Matcher, { GrpcCode: "12" });
});

test("hostnames, namespaces and kinds decide who is attached", () => {
  const rulesWith = (allowed: object, hostname: string | undefined, spec: object, more: object = {}) =>
    rulesOf(
      [
        service("web", {}, more),
        object("Namespace", "team", {}, { labels: { edge: "yes" } }),
        route("web", { ...toWeb, ...spec }, more),
      ],
      {
        listeners: [listener("http", 80, { allowedRoutes: allowed, ...(hostname !== undefined && { hostname }) })],
      },
    );
  const team = { namespace: "team" };
  const fromTeam = { parentRefs: [parent({ namespace: "shop" })] };
  const selector = { matchLabels: { edge: "yes" } };
  assert.equal(rulesWith({ namespaces: { from: "Same" } }, undefined, fromTeam, team).length, 0);
  assert.equal(rulesWith({ namespaces: { from: "All" } }, undefined, fromTeam, team).length, 1);
  assert.equal(rulesWith({ namespaces: { from: "Selector", selector } }, undefined, fromTeam, team).length, 1);
  const no = { matchLabels: { edge: "no" } };
  assert.equal(rulesWith({ namespaces: { from: "Selector", selector: no } }, undefined, fromTeam, team).length, 0);
  const same = { namespaces: { from: "Same" } };
  const kinds = [{ group: "gateway.networking.k8s.io", kind: "GRPCRoute" }];
  assert.equal(rulesWith({ ...same, kinds }, undefined, {}).length, 0);
  assert.deepEqual(rulesWith(same, "*.test", { hostnames: ["a.test", "b.example"] }), [
    "host-header=a.test -> shop/web*1",
  ]);
  assert.deepEqual(rulesWith(same, "*.test", {}), ["host-header=*.test -> shop/web*1"]);
});

test("listeners of a ListenerSet join those of the Gateway that lets them, and its routes name the set", () => {
  const set = object("ListenerSet", "more", {
    parentRef: { group: "gateway.networking.k8s.io", kind: "Gateway", name: "edge" },
    listeners: [listener("b", 80, { hostname: "b.test" })],
  });
  const objects = [
    web,
    set,
    route("own", { ...toWeb, hostnames: ["a.test", "b.test"] }),
    route("sets", { ...toWeb, parentRefs: [parent({ kind: "ListenerSet", name: "more" })] }),
  ];
  const listeners = [listener("a", 80, { hostname: "a.test" })];
  const own = "host-header=a.test -> shop/web*1";
  assert.deepEqual(rulesOf(objects, { listeners }), [own]);
  const spec = { allowedListeners: { namespaces: { from: "Same" } } };
  assert.deepEqual(rulesOf(objects, { listeners, spec }), [own, "host-header=b.test -> shop/web*1"]);
});

const configured = {
  infrastructure: { parametersRef: { group: "gateway.k8s.aws", kind: "LoadBalancerConfiguration", name: "settings" } },
};
const settings = (spec: object) => object("LoadBalancerConfiguration", "settings", spec);
const secure = [listener("https", 443, { protocol: "HTTPS", hostname: "*.test" })];

test("certificates that are named are all there are; otherwise all that fit are taken", () => {
  const routed = [web, route("web", { ...toWeb, hostnames: ["a.test", "b.test"] })];
  const known = [
    { arn: "arn:wild", names: ["*.test"] },
    { arn: "arn:a", names: ["a.test", "www.a.test"] },
    { arn: "arn:other", names: ["other"] },
  ];
  const options = { listeners: secure, certificates: known };
  assert.deepEqual(modelOf(routed, options).listeners[0]?.certificates, ["arn:a", "arn:wild"]);
  const entry = (more: object) => settings({ listenerConfigurations: [{ protocolPort: "HTTPS:443", ...more }] });
  const named = (more: object) =>
    modelOf([...routed, entry(more)], { ...options, spec: configured }).listeners[0]?.certificates;
  assert.deepEqual(named({ defaultCertificate: "arn:x", certificates: ["arn:y", "arn:x"] }), ["arn:x", "arn:y"]);
  assert.deepEqual(named({ certificates: ["arn:y"] }), ["arn:y"]);
  assert.deepEqual(named({ sslPolicy: "ELBSecurityPolicy-TLS13-1-2-2021-06" }), ["arn:a", "arn:wild"]);
});

test("one hostname without a certificate fails the whole Gateway, and so does a port without hostnames", () => {
  const certificates = [{ arn: "arn:a", names: ["a.test"] }];
  const routed = [
    web,
    route("web", { ...toWeb, hostnames: ["a.test"] }),
    route("b", { ...toWeb, hostnames: ["b.test"] }),
  ];
  const open = [listener("https", 443, { protocol: "HTTPS" }), listener("http", 80)];
  assert.throws(() => modelOf(routed, { listeners: open, certificates }), /no certificate found for host: b\.test/);
  assert.throws(
    () => modelOf([web, route("web", toWeb)], { listeners: open, certificates }),
    /No hostnames found for TLS cert discovery for listener on gateway shop\/edge with protocol:port HTTPS:443/,
  );
});

test("settings of the class win over those of the Gateway unless they say otherwise; entries of a port win as a whole", () => {
  const merge = (mergingMode: string | undefined) => {
    const ofClass = object(
      "LoadBalancerConfiguration",
      "class",
      {
        ...(mergingMode !== undefined && { mergingMode }),
        scheme: "internet-facing",
        tags: { team: "platform" },
        listenerConfigurations: [{ protocolPort: "HTTP:80", listenerAttributes: [{ key: "a", value: "class" }] }],
      },
      { namespace: "platform" },
    );
    const parametersRef = {
      group: "gateway.k8s.aws",
      kind: "LoadBalancerConfiguration",
      name: "class",
      namespace: "platform",
    };
    const classed = object("GatewayClass", "alb", { controllerName: "gateway.k8s.aws/alb", parametersRef });
    const own = settings({
      scheme: "internal",
      ipAddressType: "dualstack",
      tags: { team: "shop", cost: "1" },
      listenerConfigurations: [{ protocolPort: "HTTP:80", listenerAttributes: [{ key: "b", value: "own" }] }],
    });
    return modelWithClass([classed, ofClass, own, web, route("web", toWeb)]);
  };
  const preferred = merge(undefined);
  assert.deepEqual(
    [preferred.loadBalancer.scheme, preferred.loadBalancer.ipAddressType, preferred.loadBalancer.tags["team"]],
    ["internet-facing", "dualstack", "platform"],
  );
  assert.equal(preferred.loadBalancer.tags["cost"], "1");
  assert.deepEqual(preferred.listeners[0]?.attributes, [["a", "class"]]);
  const other = merge("prefer-gateway");
  assert.deepEqual([other.loadBalancer.scheme, other.loadBalancer.tags["team"]], ["internal", "shop"]);
  assert.deepEqual(other.listeners[0]?.attributes, [["b", "own"]]);
});

function modelWithClass(objects: Parameters<typeof modelOf>[0]) {
  return modelOf(objects, { spec: configured, withClass: false });
}

test("targets are nodes unless somebody asks for pods; that needs a node port", () => {
  const routed = route("web", toWeb);
  const instance = { defaultTargetType: "instance" } as const;
  assert.throws(() => modelOf([web, routed], instance), /shop\/web must be of type NodePort or LoadBalancer/);
  const ports = [{ port: 80, targetPort: 8080, nodePort: 30_080 }];
  const onNodes = modelOf([service("web", { type: "NodePort", ports }), routed], instance).targetGroups[0];
  assert.deepEqual([onNodes?.settings.TargetType, onNodes?.settings.Port], ["instance", 30_080]);
  const own = object("TargetGroupConfiguration", "web", {
    targetReference: { group: "", kind: "Service", name: "web" },
    defaultConfiguration: { targetType: "ip", healthCheckConfig: { healthCheckPath: "/up" } },
    routeConfigurations: [
      { routeIdentifier: { kind: "HTTPRoute", name: "other" }, targetGroupProps: { protocolVersion: "HTTP2" } },
    ],
  });
  const group = modelOf([web, routed, own], instance).targetGroups[0];
  assert.deepEqual([group?.settings.TargetType, group?.settings.HealthCheckPath], ["ip", "/up"]);
  assert.equal(group?.settings.ProtocolVersion, "HTTP1");
  const fallback = [
    settings({ defaultTargetGroupConfiguration: { name: "all" } }),
    object("TargetGroupConfiguration", "all", { defaultConfiguration: { targetType: "ip" } }),
  ];
  const byDefault = modelOf([web, routed, ...fallback], { ...instance, spec: configured }).targetGroups[0];
  assert.equal(byDefault?.settings.TargetType, "ip");
  assert.ok(edge().metadata.name);
});

test("rewrites are transforms; what load balancers cannot do keeps the route out", () => {
  const filtered = (filter: object) =>
    modelOf([
      web,
      route("web", { rules: [rule([{ name: "web" }], [{ path: { type: "PathPrefix", value: "/a" } }], [filter])] }),
    ]);
  const rewrite = (urlRewrite: object) =>
    filtered({ type: "URLRewrite", urlRewrite }).listeners[0]?.rules[0]?.transforms.map((each) => [
      each.Type,
      ...((each.HostHeaderRewriteConfig ?? each.UrlRewriteConfig)?.Rewrites?.map(({ Regex, Replace }) => [
        Regex,
        Replace,
      ]) ?? []),
    ]);
  assert.deepEqual(rewrite({ hostname: "inner.test" }), [["host-header-rewrite", [".*", "inner.test"]]]);
  const path = { type: "ReplacePrefixMatch", replacePrefixMatch: "/b" };
  assert.deepEqual(rewrite({ path }), [["url-rewrite", ["^/a(/)?([^?]*)", "/b/$2"]]]);
  assert.deepEqual(filtered({ type: "RequestHeaderModifier", requestHeaderModifier: {} }).listeners, []);
});
