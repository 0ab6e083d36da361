import assert from "node:assert/strict";
import { test } from "node:test";
import { route53World } from "./testing/route53-world.ts";

const VPC = { VPCId: "vpc-0123456789abcdef0", VPCRegion: "eu-west-1" };

test("a new zone has four name servers, its authority and its name servers as records", async () => {
  const aws = route53World();
  const made = await aws.call("CreateHostedZone", { Name: "Example.COM", CallerReference: "one" });
  assert.match(made.HostedZone.Id, /^\/hostedzone\/Z[A-Z0-9]{20}$/);
  assert.equal(made.HostedZone.Name, "example.com.");
  assert.equal(made.HostedZone.ResourceRecordSetCount, 2);
  assert.equal(made.DelegationSet.NameServers.length, 4);
  assert.equal(made.ChangeInfo.Status, "PENDING");
  const { ResourceRecordSets: sets } = await aws.call("ListResourceRecordSets", { HostedZoneId: made.HostedZone.Id });
  assert.deepEqual(
    sets.map(({ Type, TTL }) => [Type, TTL]),
    [
      ["NS", 172_800],
      ["SOA", 900],
    ],
  );
  assert.match(
    sets[1]?.ResourceRecords?.[0]?.Value ?? "",
    /^ns-\d+\.awsdns-\d\d\.com\. awsdns-hostmaster\.amazon\.com\. 1 7200 900 1209600 86400$/,
  );
});

test("a caller reference makes one zone; a name may have several", async () => {
  const aws = route53World();
  await aws.call("CreateHostedZone", { Name: "example.com", CallerReference: "one" });
  const again = await aws.refusal("CreateHostedZone", { Name: "other.com", CallerReference: "one" });
  assert.deepEqual([again.code, again.status], ["HostedZoneAlreadyExists", 409]);
  await aws.call("CreateHostedZone", { Name: "example.com", CallerReference: "two" });
  await aws.call("CreateHostedZone", { Name: "example.com", CallerReference: "one" }, "111111111111");
  assert.equal((await aws.call("GetHostedZoneCount", {})).HostedZoneCount, 2);
});

test("names that are none are refused", async () => {
  const aws = route53World();
  for (const Name of ["", ".", "a..b", "ü.com", `${"a".repeat(64)}.com`, "a b.com", "x\\9.com"]) {
    assert.equal(
      (await aws.refusal("CreateHostedZone", { Name, CallerReference: `r${Name}` })).code,
      "InvalidDomainName",
      Name,
    );
  }
});

test("an account's five hundredth zone is its last", async () => {
  const aws = route53World();
  for (let n = 0; n < 500; n++) await aws.call("CreateHostedZone", { Name: `z${n}.com`, CallerReference: `${n}` });
  assert.equal(
    (await aws.refusal("CreateHostedZone", { Name: "more.com", CallerReference: "more" })).code,
    "TooManyHostedZones",
  );
  const limit = await aws.call("GetAccountLimit", { Type: "MAX_HOSTED_ZONES_BY_OWNER" });
  assert.deepEqual([limit.Limit.Value, limit.Count], [500, 500]);
});

test("a zone is known to its account only, by its id with or without the path", async () => {
  const aws = route53World();
  const id = await aws.zone("example.com");
  assert.equal((await aws.call("GetHostedZone", { Id: `/hostedzone/${id}` })).HostedZone.Name, "example.com.");
  const denied = await aws.refusal("GetHostedZone", { Id: id }, "111111111111");
  assert.deepEqual([denied.code, denied.status], ["AccessDenied", 403]);
  const unknown = await aws.refusal("GetHostedZone", { Id: "ZNONE" });
  assert.deepEqual(
    [unknown.code, unknown.status, unknown.message],
    ["NoSuchHostedZone", 404, "No hosted zone found with ID: ZNONE"],
  );
  assert.equal((await aws.refusal("GetHostedZone", { Id: "Z".repeat(33) })).code, "InvalidInput");
});

test("a zone goes once nothing but its own records is left, and DNS with it", async () => {
  const aws = route53World();
  const id = await aws.zone("example.com");
  const set = { Name: "a.example.com", Type: "A", TTL: 60, ResourceRecords: [{ Value: "10.0.0.1" }] };
  const change = (Action: string) =>
    aws.call("ChangeResourceRecordSets", {
      HostedZoneId: id,
      ChangeBatch: { Changes: [{ Action, ResourceRecordSet: set }] },
    });
  await change("CREATE");
  aws.settle();
  assert.equal((await aws.refusal("DeleteHostedZone", { Id: id })).code, "HostedZoneNotEmpty");
  await change("DELETE");
  assert.equal((await aws.refusal("DeleteHostedZone", { Id: id })).code, "PriorRequestNotComplete");
  aws.clock.advance(500);
  const { ChangeInfo } = await aws.call("DeleteHostedZone", { Id: id });
  assert.equal(ChangeInfo.Status, "PENDING");
  assert.equal(aws.route53.zones.zoneOf("example.com."), undefined);
  assert.equal((await aws.refusal("GetHostedZone", { Id: id })).code, "NoSuchHostedZone");
});

test("comments come, change and go", async () => {
  const aws = route53World();
  const id = await aws.zone("example.com");
  const commented = await aws.call("UpdateHostedZoneComment", { Id: id, Comment: "ours" });
  assert.equal(commented.HostedZone.Config?.Comment, "ours");
  assert.equal((await aws.call("UpdateHostedZoneComment", { Id: id })).HostedZone.Config?.Comment, undefined);
  assert.equal(
    (await aws.refusal("UpdateHostedZoneComment", { Id: id, Comment: "x".repeat(257) })).code,
    "InvalidInput",
  );
});

test("a network has one private zone of a name, and a private zone at least one network", async () => {
  const aws = route53World();
  const made = await aws.call("CreateHostedZone", { Name: "corp.local", CallerReference: "one", VPC });
  const Id = made.HostedZone.Id;
  assert.deepEqual((await aws.call("GetHostedZone", { Id })).VPCs, [VPC]);
  assert.equal((await aws.call("GetHostedZone", { Id })).DelegationSet, undefined);
  const twice = await aws.refusal("CreateHostedZone", { Name: "corp.local", CallerReference: "two", VPC });
  assert.equal(twice.code, "ConflictingDomainExists");
  assert.equal(
    (await aws.refusal("DisassociateVPCFromHostedZone", { HostedZoneId: Id, VPC })).code,
    "LastVPCAssociation",
  );
  const other = { ...VPC, VPCId: "vpc-0123456789abcdef1" };
  const absent = await aws.refusal("DisassociateVPCFromHostedZone", { HostedZoneId: Id, VPC: other });
  assert.deepEqual([absent.code, absent.status], ["VPCAssociationNotFound", 404]);
  await aws.call("AssociateVPCWithHostedZone", { HostedZoneId: Id, VPC: other });
  await aws.call("DisassociateVPCFromHostedZone", { HostedZoneId: Id, VPC });
  const listed = await aws.call("ListHostedZonesByVPC", other);
  assert.deepEqual(
    listed.HostedZoneSummaries.map(({ Name, Owner }) => [Name, Owner.OwningAccount]),
    [["corp.local.", "000000000000"]],
  );
  assert.equal((await aws.call("ListHostedZonesByVPC", VPC)).HostedZoneSummaries.length, 0);
  const open = await aws.zone("example.com");
  assert.equal(
    (await aws.refusal("AssociateVPCWithHostedZone", { HostedZoneId: open, VPC })).code,
    "PublicZoneVPCAssociation",
  );
  assert.equal(
    (
      await aws.refusal("CreateHostedZone", {
        Name: "x.local",
        CallerReference: "x",
        VPC: { VPCId: "nope", VPCRegion: "eu-west-1" },
      })
    ).code,
    "InvalidVPCId",
  );
});

test("private zones are not in public DNS", async () => {
  const aws = route53World();
  await aws.call("CreateHostedZone", { Name: "corp.local", CallerReference: "one", VPC });
  aws.settle();
  assert.equal(aws.route53.zones.zoneOf("corp.local."), undefined);
});

test("a seeded zone has the id that was wished for, is in DNS at once, and is made once", async () => {
  const aws = route53World();
  const seed = { id: "A1231313", name: "opendi.com", account: "000000000000" };
  await aws.route53.seedZone(seed);
  const first = await aws.call("GetHostedZone", { Id: "A1231313" });
  await aws.route53.seedZone(seed);
  assert.deepEqual(await aws.call("GetHostedZone", { Id: "A1231313" }), first);
  assert.equal(aws.route53.dns.lookup("opendi.com", "SOA").length, 1);
});

test("zones are listed in pages by id, and by name with labels from the right", async () => {
  const aws = route53World();
  for (const name of ["b.com", "a.org", "a.b.com", "a.com"]) await aws.zone(name);
  const names: string[] = [];
  let marker: string | undefined;
  do {
    const page = await aws.call("ListHostedZones", { MaxItems: "3", ...(marker !== undefined && { Marker: marker }) });
    names.push(...page.HostedZones.map(({ Name }) => Name));
    marker = page.NextMarker;
  } while (marker !== undefined);
  assert.deepEqual(names.toSorted(), ["a.b.com.", "a.com.", "a.org.", "b.com."]);

  const first = await aws.call("ListHostedZonesByName", { MaxItems: "2" });
  assert.deepEqual(
    first.HostedZones.map(({ Name }) => Name),
    ["a.com.", "b.com."],
  );
  assert.equal(first.NextDNSName, "a.b.com.");
  const second = await aws.call("ListHostedZonesByName", {
    DNSName: first.NextDNSName,
    HostedZoneId: first.NextHostedZoneId,
  });
  assert.deepEqual(
    second.HostedZones.map(({ Name }) => Name),
    ["a.b.com.", "a.org."],
  );
  assert.equal(second.IsTruncated, false);
  assert.equal((await aws.refusal("ListHostedZones", { MaxItems: "none" })).code, "InvalidInput");
});

test("tags are added, replaced, removed, listed, and bounded", async () => {
  const aws = route53World();
  const ResourceId = await aws.zone("example.com");
  const zone = { ResourceType: "hostedzone", ResourceId };
  await aws.call("ChangeTagsForResource", {
    ...zone,
    AddTags: [
      { Key: "a", Value: "1" },
      { Key: "__proto__", Value: "2" },
    ],
  });
  await aws.call("ChangeTagsForResource", { ...zone, AddTags: [{ Key: "a", Value: "3" }], RemoveTagKeys: ["b"] });
  const { ResourceTagSet } = await aws.call("ListTagsForResource", zone);
  assert.deepEqual(ResourceTagSet.Tags, [
    { Key: "a", Value: "3" },
    { Key: "__proto__", Value: "2" },
  ]);
  const health = await aws.refusal("ListTagsForResource", { ResourceType: "healthcheck", ResourceId: "x" });
  assert.deepEqual([health.code, health.status], ["NoSuchHealthCheck", 404]);
  const arn = `arn:aws:route53:::hostedzone/${ResourceId}`;
  assert.equal(await aws.route53.tagged.tag(arn, new Map([["c", "4"]])), true);
  assert.equal(await aws.route53.tagged.untag(arn, ["a"]), true);
  assert.equal(await aws.route53.tagged.untag("arn:aws:s3:::bucket", ["a"]), false);
  const [listed] = [...aws.route53.tagged.list("000000000000", "us-east-1")];
  assert.deepEqual(
    [...(listed?.tags ?? [])],
    [
      ["__proto__", "2"],
      ["c", "4"],
    ],
  );
  const many = Array.from({ length: 11 }, (_, n) => ({ Key: `${n}`, Value: "" }));
  assert.equal((await aws.refusal("ChangeTagsForResource", { ...zone, AddTags: many })).code, "InvalidInput");
});
