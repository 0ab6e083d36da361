import assert from "node:assert/strict";
import { test } from "node:test";
import { BALANCER, BALANCER_ZONE, route53World } from "./testing/route53-world.ts";
import type { Route53World } from "./testing/route53-world.ts";

const a = (Name: string, Value = "10.0.0.1") => ({ Name, Type: "A", TTL: 60, ResourceRecords: [{ Value }] });

async function change(aws: Route53World, id: string, Action: string, ...sets: ReturnType<typeof a>[]) {
  const Changes = sets.map((ResourceRecordSet) => ({ Action, ResourceRecordSet }));
  const { ChangeInfo } = await aws.call("ChangeResourceRecordSets", {
    HostedZoneId: id,
    ChangeBatch: { Changes, Comment: "why" },
  });
  return ChangeInfo;
}

test("a change is pending for at most a minute, and in DNS when it is in sync", async () => {
  const aws = route53World();
  const id = await aws.zone("example.com");
  const { Id, Status, Comment } = await change(aws, id, "CREATE", a("a.example.com"));
  assert.deepEqual([Status, Comment], ["PENDING", "why"]);
  assert.equal((await aws.call("ListResourceRecordSets", { HostedZoneId: id })).ResourceRecordSets.length, 3);
  assert.deepEqual(aws.route53.dns.lookup("a.example.com", "A"), []);
  aws.clock.advance(19_000);
  assert.equal((await aws.call("GetChange", { Id })).ChangeInfo.Status, "PENDING");
  assert.deepEqual(aws.route53.dns.lookup("a.example.com", "A"), []);
  aws.clock.advance(41_000);
  assert.equal((await aws.call("GetChange", { Id })).ChangeInfo.Status, "INSYNC");
  assert.deepEqual(aws.route53.dns.lookup("A.example.com", "A"), [
    { name: "a.example.com.", type: "A", ttl: 60, value: "10.0.0.1" },
  ]);
});

test("DNS keeps what was until the change is in sync, also what is deleted", async () => {
  const aws = route53World({ oneAtATime: false });
  const id = await aws.zone("example.com");
  await change(aws, id, "CREATE", a("a.example.com"));
  aws.settle();
  await change(aws, id, "UPSERT", a("a.example.com", "10.0.0.2"));
  await change(aws, id, "DELETE", a("a.example.com", "10.0.0.2"));
  assert.equal(aws.route53.dns.lookup("a.example.com", "A")[0]?.value, "10.0.0.1");
  aws.settle();
  assert.deepEqual(aws.route53.dns.lookup("a.example.com", "A"), []);
  assert.equal(aws.route53.zones.zoneOf("example.com.")?.exists("a.example.com."), false);
});

test("what is pending when the process ends is in sync in the next one when its time has come", async () => {
  const aws = route53World();
  const id = await aws.zone("example.com");
  await change(aws, id, "CREATE", a("a.example.com"));
  const next = aws.restarted();
  assert.deepEqual(next.dns.lookup("a.example.com", "A"), []);
  aws.settle();
  assert.equal(next.dns.lookup("a.example.com", "A").length, 1);
});

test("without slowness everything is in sync at once", async () => {
  const aws = route53World({ durations: 0 });
  const made = await aws.call("CreateHostedZone", { Name: "example.com", CallerReference: "one" });
  assert.equal(made.ChangeInfo.Status, "INSYNC");
  for (let n = 0; n < 3; n++) await change(aws, made.HostedZone.Id, "CREATE", a(`n${n}.example.com`));
  assert.equal(aws.route53.dns.lookup("n2.example.com", "A").length, 1);
});

test("a zone works on one change at a time, where that is wished for", async () => {
  const strict = route53World();
  const made = await strict.call("CreateHostedZone", { Name: "example.com", CallerReference: "new" });
  const id = made.HostedZone.Id;
  const other = await strict.zone("example.net");
  await change(strict, id, "CREATE", a("a.example.com"));
  const second = {
    HostedZoneId: id,
    ChangeBatch: { Changes: [{ Action: "CREATE", ResourceRecordSet: a("b.example.com") }] },
  };
  const refused = await strict.refusal("ChangeResourceRecordSets", second);
  assert.deepEqual([refused.code, refused.status], ["PriorRequestNotComplete", 400]);
  await change(strict, other, "CREATE", a("a.example.net"));
  strict.clock.advance(500);
  await strict.call("ChangeResourceRecordSets", second);
  const lenient = route53World({ oneAtATime: false });
  const free = await lenient.zone("example.com");
  await change(lenient, free, "CREATE", a("a.example.com"));
  await change(lenient, free, "CREATE", a("b.example.com"));
});

test("changes are known to their account, for a week", async () => {
  const aws = route53World();
  const id = await aws.zone("example.com");
  const { Id } = await change(aws, id, "CREATE", a("a.example.com"));
  assert.equal((await aws.refusal("GetChange", { Id }, "111111111111")).code, "NoSuchChange");
  const unknown = await aws.refusal("GetChange", { Id: "CNONE" });
  assert.deepEqual([unknown.code, unknown.status], ["NoSuchChange", 404]);
  aws.clock.advance(8 * 24 * 3_600_000);
  await change(aws, id, "CREATE", a("b.example.com"));
  assert.equal((await aws.refusal("GetChange", { Id })).code, "NoSuchChange");
});

test("pages have at most 300 sets, and each says where the next begins", async () => {
  const aws = route53World();
  const id = await aws.zone("example.com");
  await change(aws, id, "CREATE", ...Array.from({ length: 700 }, (_, n) => a(`n${n}.example.com`)));
  const names: string[] = [];
  const sizes: number[] = [];
  let start = {};
  for (;;) {
    const page = await aws.call("ListResourceRecordSets", { HostedZoneId: id, MaxItems: "1000", ...start });
    assert.equal(page.MaxItems, "300");
    names.push(...page.ResourceRecordSets.map(({ Name }) => Name));
    sizes.push(page.ResourceRecordSets.length);
    if (!page.IsTruncated) break;
    start = { StartRecordName: page.NextRecordName, StartRecordType: page.NextRecordType };
  }
  assert.deepEqual(sizes, [300, 300, 102]);
  assert.equal(new Set(names).size, 701);
  const standard = await aws.call("ListResourceRecordSets", { HostedZoneId: id });
  assert.deepEqual([standard.MaxItems, standard.ResourceRecordSets.length], ["100", 100]);
});

test("a listing can begin at a name, a type and an identifier", async () => {
  const aws = route53World();
  const id = await aws.zone("example.com");
  const weighted = (SetIdentifier: string) => ({ ...a("w.example.com"), Weight: 1, SetIdentifier });
  await change(
    aws,
    id,
    "CREATE",
    a("*.example.com"),
    a("a.example.com"),
    a("z.a.example.com"),
    weighted("one"),
    weighted("two"),
  );
  const from = async (StartRecordName: string, rest: object = {}) => {
    const page = await aws.call("ListResourceRecordSets", {
      HostedZoneId: id,
      StartRecordName,
      ...rest,
      MaxItems: "1",
    });
    const [set] = page.ResourceRecordSets;
    return set && `${set.Name} ${set.SetIdentifier ?? set.Type}`;
  };
  assert.equal(await from("*.example.com"), "\\052.example.com. A");
  assert.equal(await from("\\052.EXAMPLE.com."), "\\052.example.com. A");
  assert.equal(await from("a.example.com", { StartRecordType: "AAAA" }), "z.a.example.com. A");
  assert.equal(
    await from("w.example.com", { StartRecordType: "A", StartRecordIdentifier: "onf" }),
    "w.example.com. two",
  );
  assert.equal(await from("x.example.com"), undefined);
  const first = await aws.call("ListResourceRecordSets", {
    HostedZoneId: id,
    StartRecordName: "w.example.com",
    MaxItems: "1",
  });
  assert.deepEqual(
    [first.NextRecordName, first.NextRecordType, first.NextRecordIdentifier],
    ["w.example.com.", "A", "two"],
  );
  assert.equal(
    (await aws.refusal("ListResourceRecordSets", { HostedZoneId: id, StartRecordType: "A" })).code,
    "InvalidInput",
  );
});

test("a test of an answer says what DNS would", async () => {
  const aws = route53World();
  const id = await aws.zone("example.com");
  const alias = {
    Name: "lb.example.com",
    Type: "A",
    AliasTarget: { DNSName: BALANCER, HostedZoneId: BALANCER_ZONE, EvaluateTargetHealth: false },
  };
  await aws.call("ChangeResourceRecordSets", {
    HostedZoneId: id,
    ChangeBatch: { Changes: [{ Action: "CREATE", ResourceRecordSet: alias }] },
  });
  aws.settle();
  const ask = (RecordName: string, RecordType: string) =>
    aws.call("TestDNSAnswer", { HostedZoneId: id, RecordName, RecordType });
  const found = await ask("lb.example.com", "A");
  assert.deepEqual([found.ResponseCode, found.RecordData], ["NOERROR", ["127.0.1.1", "127.0.1.2"]]);
  assert.equal((await ask("none.example.com", "A")).ResponseCode, "NXDOMAIN");
  assert.deepEqual((await ask("lb.example.com", "MX")).RecordData, []);
  assert.deepEqual((await ask("lb.example.com", "AAAA")).RecordData, []);
});
