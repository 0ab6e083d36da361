import assert from "node:assert/strict";
import { test } from "node:test";
import type { ResourceRecordSet } from "@gatewright/aws-wire/types/route53";
import { BALANCER, BALANCER_ZONE, route53World } from "./testing/route53-world.ts";

async function dnsOf(...sets: ((zone: string) => ResourceRecordSet)[]) {
  const aws = route53World({ durations: 0 });
  const id = await aws.zone("example.com");
  const Changes = sets.map((set) => ({ Action: "UPSERT", ResourceRecordSet: set(id) }));
  await aws.call("ChangeResourceRecordSets", { HostedZoneId: id, ChangeBatch: { Changes } });
  return (name: string, type = "A") =>
    aws.route53.dns.lookup(name, type).map((answer) => `${answer.name} ${answer.ttl} ${answer.type} ${answer.value}`);
}

const records =
  (Name: string, Type: string, values: readonly string[], rest: Partial<ResourceRecordSet> = {}) =>
  (): ResourceRecordSet => ({
    Name,
    Type,
    TTL: 300,
    ResourceRecords: values.map((Value) => ({ Value })),
    ...rest,
  });
const alias =
  (Name: string, DNSName: string, Type = "A", target?: string) =>
  (own: string): ResourceRecordSet => ({
    Name,
    Type,
    AliasTarget: { DNSName, HostedZoneId: target ?? own, EvaluateTargetHealth: true },
  });

test("an alias to a load balancer gives its addresses, with a TTL of a minute, also at the top and behind a wildcard", async () => {
  const dns = await dnsOf(
    alias("example.com", BALANCER, "A", BALANCER_ZONE),
    alias("*.example.com", `dualstack.${BALANCER}`, "A", BALANCER_ZONE),
    alias("*.example.com", `dualstack.${BALANCER}`, "AAAA", BALANCER_ZONE),
  );
  assert.deepEqual(dns("example.com"), ["example.com. 60 A 127.0.1.1", "example.com. 60 A 127.0.1.2"]);
  assert.deepEqual(dns("shop.example.com", "AAAA"), ["shop.example.com. 60 AAAA ::1"]);
  assert.deepEqual(dns("example.com", "AAAA"), []);
});

test("an alias to a set of the zone gives its records with their TTL, through other aliases too", async () => {
  const dns = await dnsOf(
    records("a.example.com", "A", ["10.0.0.1"]),
    alias("b.example.com", "a.example.com"),
    alias("c.example.com", "b.example.com"),
    alias("x.example.com", "y.example.com"),
    alias("y.example.com", "x.example.com"),
  );
  assert.deepEqual(dns("c.example.com"), ["c.example.com. 300 A 10.0.0.1"]);
  assert.deepEqual(dns("x.example.com"), []);
});

test("CNAMEs and their targets come absolute and in lower case", async () => {
  const dns = await dnsOf(
    records("_x.example.com", "CNAME", ["_Y.acm-validations.aws"]),
    records("w.example.com", "CNAME", ["A.example.com"]),
    records("a.example.com", "A", ["10.0.0.1"]),
  );
  assert.deepEqual(dns("_X.example.com.", "CNAME"), ["_x.example.com. 300 CNAME _y.acm-validations.aws."]);
  assert.deepEqual(dns("w.example.com"), ["w.example.com. 300 CNAME a.example.com.", "a.example.com. 300 A 10.0.0.1"]);
  assert.deepEqual(dns("not a name"), []);
  assert.deepEqual(dns("elsewhere.org"), []);
});

test("weights draw lots: each set about as often as it weighs, one of nothing never", async () => {
  const weighted = (SetIdentifier: string, Weight: number) =>
    records("w.example.com", "A", [`10.0.0.${Weight}`], { SetIdentifier, Weight });
  const dns = await dnsOf(weighted("a", 30), weighted("b", 10), weighted("c", 0));
  const drawn = new Map<string, number>();
  for (let n = 0; n < 4000; n++)
    for (const answer of dns("w.example.com")) drawn.set(answer, (drawn.get(answer) ?? 0) + 1);
  const often = drawn.get("w.example.com. 300 A 10.0.0.30") ?? 0;
  const seldom = drawn.get("w.example.com. 300 A 10.0.0.10") ?? 0;
  assert.equal(often + seldom, 4000);
  assert.ok(often > 2800 && often < 3200, `${often}`);
});

test("where all weigh nothing each is drawn", async () => {
  const weighted = (last: number) =>
    records("w.example.com", "A", [`10.0.0.${last}`], { SetIdentifier: `${last}`, Weight: 0 });
  const dns = await dnsOf(weighted(1), weighted(2), weighted(3));
  assert.equal(new Set(Array.from({ length: 200 }, () => dns("w.example.com")[0])).size, 3);
});

test("of many values eight are given, the primary before the secondary, the default for everywhere", async () => {
  const many = Array.from({ length: 12 }, (_, n) =>
    records("m.example.com", "A", [`10.0.0.${n}`], { SetIdentifier: `${n}`, MultiValueAnswer: true }),
  );
  const dns = await dnsOf(
    ...many,
    records("f.example.com", "A", ["10.0.0.2"], { SetIdentifier: "a", Failover: "SECONDARY" }),
    records("f.example.com", "A", ["10.0.0.1"], { SetIdentifier: "b", Failover: "PRIMARY" }),
    records("g.example.com", "A", ["10.0.0.2"], { SetIdentifier: "a", GeoLocation: { CountryCode: "DE" } }),
    records("g.example.com", "A", ["10.0.0.1"], { SetIdentifier: "b", GeoLocation: { CountryCode: "*" } }),
  );
  assert.equal(new Set(dns("m.example.com")).size, 8);
  assert.deepEqual(dns("f.example.com"), ["f.example.com. 300 A 10.0.0.1"]);
  assert.deepEqual(dns("g.example.com"), ["g.example.com. 300 A 10.0.0.1"]);
});

test("of two zones of one name the older answers, and the other when it is gone", async () => {
  const aws = route53World({ durations: 0 });
  const first = await aws.zone("example.com");
  const second = await aws.zone("example.com");
  for (const [id, Value] of [
    [first, "10.0.0.1"],
    [second, "10.0.0.2"],
  ] as const) {
    const set = { Name: "a.example.com", Type: "A", TTL: 1, ResourceRecords: [{ Value }] };
    await aws.call("ChangeResourceRecordSets", {
      HostedZoneId: id,
      ChangeBatch: { Changes: [{ Action: "CREATE", ResourceRecordSet: set }] },
    });
  }
  assert.equal(aws.route53.dns.lookup("a.example.com", "A")[0]?.value, "10.0.0.1");
  const set = { Name: "a.example.com", Type: "A", TTL: 1, ResourceRecords: [{ Value: "10.0.0.1" }] };
  await aws.call("ChangeResourceRecordSets", {
    HostedZoneId: first,
    ChangeBatch: { Changes: [{ Action: "DELETE", ResourceRecordSet: set }] },
  });
  await aws.call("DeleteHostedZone", { Id: first });
  assert.equal(aws.route53.dns.lookup("a.example.com", "A")[0]?.value, "10.0.0.2");
});
