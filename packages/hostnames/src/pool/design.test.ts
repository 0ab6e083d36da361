import assert from "node:assert/strict";
import { test } from "node:test";
import type { Immutable } from "@gatewright/kube";
import type { Gateway, LoadBalancerConfiguration } from "@gatewright/resources";
import type { Claim } from "../claims/claim.ts";
import { DEFAULT_SETTINGS } from "../settings.ts";
import type { HostnameSettings } from "../settings.ts";
import { allOf, certificatesFor } from "./certificates-on.ts";
import { designOf } from "./design.ts";
import type { GatewayDesign, PoolObservation } from "./design.ts";
import { hostnameListener } from "./listeners.ts";
import { profileFrom, profileOf } from "./pool-gateways.ts";
import { NEWEST_GATEWAY_AWS } from "./pool-kinds.ts";
import { arnOf, claim, WISH } from "./testing/claims.ts";

const WAF = "arn:aws:wafv2:eu-west-1:111122223333:regional/webacl/a/1";
const SETTINGS: HostnameSettings = DEFAULT_SETTINGS;

function design(
  claims: readonly Claim[],
  seen: Partial<PoolObservation> = {},
  settings: Partial<HostnameSettings> = {},
): GatewayDesign {
  const observation: PoolObservation = {
    name: "gw-01",
    profile: profileOf(WISH),
    claims,
    gateway: undefined,
    configuration: undefined,
    listenerSets: [],
    certificate: () => ({ status: "ISSUED" }),
    replaced: new Map(),
    zone: undefined,
    now: 0,
    ...seen,
  };
  return designOf(observation, { ...SETTINGS, ...settings }, NEWEST_GATEWAY_AWS);
}

const numbered = (count: number): readonly Claim[] =>
  Array.from({ length: count }, (_, n) => claim(`app${String(n).padStart(3, "0")}.example.com`));

function written({ certificates }: Pick<GatewayDesign, "certificates">): Immutable<LoadBalancerConfiguration> {
  const entry = {
    protocolPort: "HTTPS:443",
    defaultCertificate: certificates.default,
    certificates: certificates.others,
  };
  return { metadata: {}, spec: { listenerConfigurations: [entry] } } as unknown as Immutable<LoadBalancerConfiguration>;
}

const gatewayFor = (...claims: readonly Claim[]): Immutable<Gateway> =>
  ({
    metadata: {},
    spec: { listeners: claims.map((each) => hostnameListener(each, "edge")) },
  }) as unknown as Immutable<Gateway>;

test("more than a load balancer can have is left out, and those that serve stay", () => {
  const all = numbered(30);
  const { hostnames, certificates } = design(all);
  assert.deepEqual([hostnames.size, certificates.others.length], [26, 25]);
  const later = design([claim("000.example.com"), ...all], { configuration: written({ certificates }) });
  assert.deepEqual(later.hostnames, hostnames);
  assert.equal(later.certificates.default, certificates.default);
  const shared = numbered(70).map((each) => ({
    ...each,
    status: { ...each.status!, certificate: { arn: arnOf("wild") } },
  }));
  const full = design(shared);
  assert.equal(full.gateway.spec?.listeners?.length, 64);
  assert.equal(design(shared, {}, { listeners: "listener-sets" }).listenerSets.length, 70);
});

test("room for new certificates is made before they come", () => {
  const [before, after] = [numbered(26), numbered(52).slice(26)];
  const present = design(before).certificates;
  const swapping = design(after, { configuration: written({ certificates: present }), gateway: gatewayFor(...before) });
  assert.deepEqual([swapping.certificates, swapping.hostnames.size], [present, 0]);
  const swapped = design(after, { configuration: written({ certificates: present }), gateway: gatewayFor() });
  assert.equal(swapped.hostnames.size, 26);
  assert.ok(!swapped.certificates.others.some((arn) => present.others.includes(arn)));
});

const renewed = (old: Claim): Claim => ({
  ...old,
  status: { ...old.status!, certificate: { arn: arnOf("renewed") } },
});

test("a certificate that takes the place of another is beside it for a while: load balancer controllers take off first", () => {
  const [old, other] = numbered(2) as [Claim, Claim];
  const [arn = "", another = ""] = [old, other].map(({ status }) => status?.certificate?.arn);
  const present = design([old, other]);
  const [configuration, gateway] = [written(present), gatewayFor(old, other)];
  const replaced = new Map([[arn, 1]]);
  const next = design([renewed(old), other], { configuration, gateway, replaced });
  assert.deepEqual(next.certificates, { default: arn, others: [another, arnOf("renewed")].toSorted() });
  assert.deepEqual(next.hostnames, present.hostnames);
  const then = design([renewed(old), other], { configuration: written(next), gateway });
  assert.deepEqual(allOf(then.certificates).toSorted(), [another, arnOf("renewed")].toSorted());
  assert.deepEqual(then.hostnames, present.hostnames);
});

test("where there is no room for both, a certificate takes the place of another in one write", () => {
  const [old, ...others] = numbered(26) as [Claim, ...Claim[]];
  const present = design([old, ...others]);
  const replaced = new Map([[old.status?.certificate?.arn ?? "", 1]]);
  const seen = { configuration: written(present), gateway: gatewayFor(old, ...others), replaced };
  const next = design([renewed(old), ...others], seen);
  assert.deepEqual(next.hostnames, present.hostnames);
  assert.ok(!allOf(next.certificates).includes(old.status?.certificate?.arn ?? ""));
});

test("the platform's default certificate is the default from the start, and does not count", () => {
  const settings = { ...SETTINGS, defaultCertificateArn: "arn:platform" };
  const { default: first, others } = certificatesFor(
    numbered(30),
    { default: undefined, others: [] },
    { keep: false, replaced: new Map() },
    settings,
  );
  assert.deepEqual([first, others.length], ["arn:platform", 25]);
  const empty = design([], {}, { defaultCertificateArn: "arn:platform" });
  assert.deepEqual(
    empty.gateway.spec?.listeners?.map(({ name }) => name),
    ["http", "https"],
  );
});

test("a certificate that somebody else has made is written once the claim says that it is issued", () => {
  const given = (status: string): Claim =>
    claim("a.example.com", {
      certificate: { arn: arnOf("given"), adopted: true },
      conditions: [{ type: "CertificateIssued", status, reason: "", message: "", lastTransitionTime: "" }] as never,
    });
  const unknown = { certificate: () => "unknown" as const };
  assert.equal(design([given("False")], unknown).hostnames.size, 0);
  assert.equal(design([given("True")], unknown).hostnames.size, 1);
  assert.equal(design([given("True")], { certificate: () => "absent" }).hostnames.size, 0);
});

test("nobody may attach routes to a hostname that no namespace may use", () => {
  const listener = hostnameListener(claim("a.example.com", {}, { namespaces: [], kinds: ["GRPCRoute"] }), "edge");
  assert.deepEqual(listener.allowedRoutes.namespaces.selector?.matchExpressions, [
    { key: "kubernetes.io/metadata.name", operator: "DoesNotExist" },
  ]);
  assert.deepEqual(
    listener.allowedRoutes.kinds?.map(({ kind }) => kind),
    ["GRPCRoute"],
  );
});

test("what a Gateway is for is settled by its oldest hostname when what is written contradicts itself", () => {
  const gateway = (annotations: Record<string, string>) =>
    ({ metadata: { annotations }, spec: { gatewayClassName: "aws-alb" } }) as unknown as Immutable<Gateway>;
  const settings = (spec: object) => ({ metadata: {}, spec }) as unknown as Immutable<LoadBalancerConfiguration>;
  const internal = { ...profileOf(WISH), visibility: "internal" };
  const told = { "gateway.opendi.com/visibility": "internet-facing" };
  assert.equal(profileFrom(gateway(told), settings({ scheme: "internal" }), internal).visibility, "internal");
  assert.equal(
    profileFrom(gateway(told), settings({ scheme: "internal" }), profileOf(WISH)).visibility,
    "internet-facing",
  );
  assert.equal(profileFrom(gateway({}), settings({ scheme: "internal" }), undefined).visibility, "internal");
  assert.equal(profileFrom(gateway({}), undefined, undefined).visibility, "internal", "never public by mistake");
  const guarded = { ...profileOf(WISH), wafArn: WAF };
  assert.equal(profileFrom(gateway(told), settings({ scheme: "internet-facing" }), guarded).wafArn, undefined);
  const lost = settings({ scheme: "internet-facing", wafV2: { webACL: WAF } });
  assert.equal(profileFrom(gateway(told), lost, guarded).wafArn, WAF);
});

test("the route that keeps HTTPS there is for a name that nobody has, and so is tried before no one's", () => {
  const { routes } = design([claim("shop.example.com")]);
  const fallback = routes.find(({ metadata }) => metadata.name === "gw-01-fallback");
  assert.deepEqual(fallback?.spec?.hostnames, ["gw-01.gatewright.invalid"]);
});

test("port 80 leads to port 443 by its number", () => {
  const { routes } = design([]);
  const [rule] = routes.find(({ metadata }) => metadata.name === "gw-01-redirect")?.spec?.rules ?? [];
  assert.deepEqual(rule?.filters?.[0]?.requestRedirect, { scheme: "https", port: 443, statusCode: 301 });
});
