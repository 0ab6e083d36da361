import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Wish } from "../claims/claim.ts";
import { DEFAULT_SETTINGS } from "../settings.ts";
import { chooseGateway, MOST_HOSTNAMES, refusalOf } from "./choose-gateway.ts";
import type { Placement, PlacementQuestion } from "./choose-gateway.ts";
import { EMPTY_LOAD } from "./gateway-load.ts";
import type { GatewayLoad } from "./gateway-load.ts";
import { labelsOf, profileOf } from "./pool-gateways.ts";
import type { PoolGateway } from "./pool-gateways.ts";
import { gatewayName, POOL_LABEL } from "./pool-names.ts";
import { WISH } from "./testing/claims.ts";

const WAF = "arn:aws:wafv2:eu-west-1:111122223333:regional/webacl/a/1";

function gateway(number: number, more: Partial<PoolGateway> = {}): PoolGateway {
  return { name: gatewayName(number), ...profileOf(WISH), labels: { [POOL_LABEL]: "true" }, open: true, ...more };
}

function load(more: Partial<GatewayLoad> = {}): GatewayLoad {
  return { ...EMPTY_LOAD, ...more };
}

function ask(
  gateways: readonly PoolGateway[],
  more: Partial<PlacementQuestion> = {},
  wish: Partial<Wish> = {},
): Placement | undefined {
  const question = { hostname: "a.example.com", certificate: "arn:a", loads: new Map(), settings: DEFAULT_SETTINGS };
  return chooseGateway({ ...question, gateways, wish: { ...WISH, ...wish }, ...more });
}

const certificates = (count: number): ReadonlySet<string> =>
  new Set(Array.from({ length: count }, (_, n) => `arn:${n}`));

test("the first Gateway with room takes a hostname, and the next free number when none has any", () => {
  assert.deepEqual(ask([]), { gateway: "gw-01", isNew: true });
  assert.deepEqual(ask([gateway(2), gateway(1)]), { gateway: "gw-01", isNew: false });
  const full = load({ rules: 95 });
  assert.deepEqual(ask([gateway(1), gateway(2)], { loads: new Map([["gw-01", full]]) })?.gateway, "gw-02");
  assert.deepEqual(
    ask([gateway(1), gateway(3)], {
      loads: new Map([
        ["gw-01", full],
        ["gw-03", full],
      ]),
    }),
    {
      gateway: "gw-02",
      isNew: true,
    },
  );
});

test("a Gateway of another visibility, class or web ACL does not take it, nor one that is draining or going", () => {
  const others = [
    gateway(1, { visibility: "internal" }),
    gateway(2, { gatewayClass: "other" }),
    gateway(3, { wafArn: WAF }),
    gateway(4, { open: false }),
  ];
  assert.deepEqual(ask(others), { gateway: "gw-05", isNew: true });
  assert.deepEqual(ask(others, {}, { wafArn: WAF }), { gateway: "gw-03", isNew: false });
});

test("certificates that are there already take no room, and the default one does not count", () => {
  const loads = new Map([["gw-01", load({ certificates: certificates(26) })]]);
  assert.equal(ask([gateway(1)], { loads })?.gateway, "gw-02");
  assert.equal(ask([gateway(1)], { loads, certificate: "arn:7" })?.gateway, "gw-01");
  const room = new Map([["gw-01", load({ certificates: certificates(25) })]]);
  assert.equal(ask([gateway(1)], { loads: room })?.gateway, "gw-01");
  const settings = { ...DEFAULT_SETTINGS, defaultCertificateArn: "arn:default" };
  assert.equal(ask([gateway(1)], { loads: room, settings })?.gateway, "gw-02");
  assert.equal(ask([gateway(1)], { loads: room, settings, certificate: "arn:default" })?.gateway, "gw-01");
});

test("a Gateway has at most 64 listeners, ListenerSets aside", () => {
  const loads = new Map([["gw-01", load({ hostnames: MOST_HOSTNAMES })]]);
  assert.equal(ask([gateway(1)], { loads })?.gateway, "gw-02");
  assert.equal(
    ask([gateway(1)], { loads, settings: { ...DEFAULT_SETTINGS, listeners: "listener-sets" } })?.gateway,
    "gw-01",
  );
});

test("what is placed stays, however full it is, unless the Gateway is not what is asked for any more", () => {
  const gateways = [gateway(1), gateway(2, { open: false })];
  const loads = new Map([["gw-02", load({ rules: 1_000 })]]);
  assert.equal(ask(gateways, { current: "gw-02", loads })?.gateway, "gw-02");
  assert.deepEqual(ask(gateways, { current: "gw-02", loads }, { visibility: "internal" }), {
    gateway: "gw-03",
    isNew: true,
  });
});

test("a wish to move is granted where there is room, and nothing moves otherwise", () => {
  const gateways = [gateway(1), gateway(2), gateway(3, { visibility: "internal" })];
  assert.equal(ask(gateways, { current: "gw-01" }, { moveTo: "gw-02" })?.gateway, "gw-02");
  const loads = new Map([["gw-02", load({ rules: 1_000 })]]);
  assert.equal(ask(gateways, { current: "gw-01", loads }, { moveTo: "gw-02" })?.gateway, "gw-01");
  const question = { hostname: "a", certificate: "arn:a", wish: WISH, loads, settings: DEFAULT_SETTINGS };
  assert.match(refusalOf(gateway(2), question) ?? "", /no room/);
  assert.match(refusalOf(gateway(3, { visibility: "internal" }), question) ?? "", /another visibility/);
  assert.match(refusalOf(gateway(4, { open: false }), question) ?? "", /takes no more/);
  assert.equal(refusalOf(gateway(4), question), undefined);
});

test("a selector chooses among Gateways, and a new one gets the labels that it asks for", () => {
  const gold = { gatewaySelector: { matchLabels: { tier: "gold" } } };
  const labels = { [POOL_LABEL]: "true", tier: "gold" };
  assert.equal(ask([gateway(1), gateway(2, { labels })], {}, gold)?.gateway, "gw-02");
  assert.deepEqual(ask([gateway(1)], {}, gold), { gateway: "gw-02", isNew: true });
  assert.deepEqual(labelsOf([gold.gatewaySelector]), { tier: "gold" });
  const expressions = (operator: "In") => ({ matchExpressions: [{ key: "tier", operator, values: ["a", "b"] }] });
  assert.equal(ask([], {}, { gatewaySelector: expressions("In") })?.isNew, true);
  assert.equal(
    ask([], {}, { gatewaySelector: { matchExpressions: [{ key: "tier", operator: "Exists" }] } }),
    undefined,
  );
  assert.equal(ask([], {}, { gatewaySelector: { matchLabels: { [POOL_LABEL]: "no" } } }), undefined);
  assert.equal(
    ask([], {}, { gatewaySelector: expressions("Nonsense" as "In") }),
    undefined,
    "what cannot be read finds nothing",
  );
});

const loads = fc.record({
  certificates: fc.integer({ min: 0, max: 30 }).map(certificates),
  rules: fc.integer({ min: 2, max: 110 }),
  targetGroups: fc.integer({ min: 0, max: 110 }),
  hostnames: fc.integer({ min: 0, max: 70 }),
});
const pools = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 20 }), loads, fc.boolean(), fc.boolean()), { selector: ([n]) => n })
  .map((all) => ({
    gateways: all.map(([number, , open, internal]) =>
      gateway(number, { open, ...(internal && { visibility: "internal" }) }),
    ),
    loads: new Map(all.map(([number, each]) => [gatewayName(number), each])),
  }));
const placements = fc
  .constantFrom("first-fit", "consistent-hash")
  .map((placement) => ({ ...DEFAULT_SETTINGS, placement }) as const);
const hostnames = fc.integer({ min: 0, max: 99 }).map((n) => `app${n}.example.com`);

test("law: the same question has the same answer, in whatever order Gateways are told", () => {
  fc.assert(
    fc.property(pools, placements, hostnames, (pool, settings, hostname) => {
      const answer = ask(pool.gateways, { loads: pool.loads, settings, hostname });
      assert.deepEqual(ask(pool.gateways.toReversed(), { loads: pool.loads, settings, hostname }), answer);
    }),
  );
});

test("law: no limit is passed, and a new number is one that nobody has", () => {
  fc.assert(
    fc.property(pools, placements, hostnames, (pool, settings, hostname) => {
      const { gateway: name, isNew } = ask(pool.gateways, { loads: pool.loads, settings, hostname })!;
      assert.equal(
        pool.gateways.some((each) => each.name === name),
        !isNew,
      );
      if (isNew) return;
      const chosen = pool.loads.get(name)!;
      assert.ok(pool.gateways.find((each) => each.name === name)?.open);
      assert.ok(chosen.rules + 1 <= 95 && chosen.targetGroups + 1 <= 95 && chosen.hostnames + 1 <= MOST_HOSTNAMES);
      assert.ok(new Set([...chosen.certificates, "arn:a"]).size <= 26);
    }),
  );
});

test("law: more Gateways move nothing that is placed, and by hash they draw only to themselves", () => {
  fc.assert(
    fc.property(pools, placements, hostnames, fc.integer({ min: 21, max: 30 }), (pool, settings, hostname, number) => {
      const before = ask(pool.gateways, { loads: pool.loads, settings, hostname })!;
      const more = [...pool.gateways, gateway(number)];
      if (!before.isNew) {
        const stays = ask(more, { loads: pool.loads, settings, hostname, current: before.gateway });
        assert.deepEqual(stays, { gateway: before.gateway, isNew: false });
      }
      const anew = ask(more, { loads: pool.loads, settings, hostname })!.gateway;
      assert.ok(anew === before.gateway || anew === gatewayName(number));
    }),
  );
});

test("law: thousands of hostnames, one after the other, fill Gateways up to the limits and no further", () => {
  for (const placement of ["first-fit", "consistent-hash"] as const) {
    const settings = { ...DEFAULT_SETTINGS, placement };
    const there = new Map<string, GatewayLoad>();
    for (let n = 0; n < 2_000; n++) {
      const certificate = `arn:${Math.floor(n / 10)}`;
      const pool = Array.from(there.keys(), (name) => gateway(Number(name.slice(3))));
      const { gateway: name } = ask(pool, { loads: there, settings, certificate, hostname: `app${n}.example.com` })!;
      const { rules, targetGroups, hostnames: listeners, certificates: before } = there.get(name) ?? EMPTY_LOAD;
      there.set(name, {
        rules: rules + 1,
        targetGroups: targetGroups + 1,
        hostnames: listeners + 1,
        certificates: new Set([...before, certificate]),
      });
    }
    assert.ok([...there.values()].every((each) => each.hostnames <= MOST_HOSTNAMES && each.certificates.size <= 26));
    assert.equal(there.size, Math.ceil(2_000 / MOST_HOSTNAMES));
  }
});
