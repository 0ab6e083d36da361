import assert from "node:assert/strict";
import { createSecureContext } from "node:tls";
import { test } from "node:test";
import { certificateFacts, createAuthority, isIssuedBy } from "@gatewright/certificates";
import type { CertificateDetail, Operations } from "@gatewright/aws-wire/types/acm";
import { ManualClock, seededRandom } from "@gatewright/ports";
import type { DnsAnswer } from "../neighbours.ts";
import type { CallContext } from "../service.ts";
import { createMemoryState } from "../state/memory-state.ts";
import type { AwsWorld } from "../world.ts";
import { createAcm } from "./create-acm.ts";
import type { AcmQuotas } from "./quotas.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function bench(
  options: {
    readonly quotas?: Partial<AcmQuotas>;
    readonly world?: AwsWorld;
    readonly clock?: ManualClock;
    readonly lag?: boolean;
  } = {},
) {
  const clock = options.clock ?? new ManualClock();
  const world = options.world ?? {
    clock,
    random: seededRandom(1),
    state: createMemoryState(),
    pace: { durations: 1, lag: options.lag ?? false },
  };
  const records: DnsAnswer[] = [];
  const users = new Map<string, readonly string[]>();
  const acm = createAcm(
    world,
    {
      dns: { lookup: (name, type) => records.filter((record) => record.name === name && record.type === type) },
      use: { usersOf: (arn) => users.get(arn) ?? [] },
    },
    options.quotas === undefined ? {} : { quotas: options.quotas },
  );
  const call = async <Name extends keyof Operations>(
    name: Name,
    input: Operations[Name]["input"],
    place: { account?: string; region?: string } = {},
  ): Promise<Operations[Name]["output"]> => {
    const account = place.account ?? "000000000000";
    const context: CallContext = {
      caller: { account, arn: `arn:aws:iam::${account}:root`, userId: account, accessKeyId: "test" },
      account,
      region: place.region ?? "eu-west-1",
      requestId: "1",
      signal: new AbortController().signal,
    };
    return (await acm.service.operations.get(name)?.(input, context)) as Operations[Name]["output"];
  };
  const request = async (
    domain: string,
    more: Partial<Operations["RequestCertificate"]["input"]> = {},
  ): Promise<string> =>
    (await call("RequestCertificate", { DomainName: domain, ValidationMethod: "DNS", ...more })).CertificateArn ?? "";
  const describe = async (arn: string): Promise<CertificateDetail> =>
    (await call("DescribeCertificate", { CertificateArn: arn })).Certificate ?? {};
  const publish = async (arn: string): Promise<void> => {
    for (const { ResourceRecord: record } of (await describe(arn)).DomainValidationOptions ?? []) {
      assert.ok(record);
      records.push({ name: record.Name.slice(0, -1), type: record.Type, ttl: 300, value: record.Value });
    }
  };
  const issued = async (
    domain: string,
    more: Partial<Operations["RequestCertificate"]["input"]> = {},
  ): Promise<string> => {
    const arn = await request(domain, { KeyAlgorithm: "EC_prime256v1", ...more });
    clock.advance(5_000);
    await publish(arn);
    await describe(arn);
    clock.advance(30_000);
    assert.equal((await describe(arn)).Status, "ISSUED");
    return arn;
  };
  return { acm, clock, world, records, users, call, request, describe, publish, issued };
}

test("a request is pending, gets its records after some seconds, and is issued once all are published", async () => {
  const { clock, records, request, describe, publish, call, acm } = bench();
  const arn = await request("Shop.example.com", {
    SubjectAlternativeNames: ["*.shop.example.com", "other.example.com"],
  });
  assert.match(arn, /^arn:aws:acm:eu-west-1:000000000000:certificate\/[0-9a-f-]{36}$/);
  const early = await describe(arn);
  assert.equal(early.Status, "PENDING_VALIDATION");
  assert.deepEqual(early.SubjectAlternativeNames, ["shop.example.com", "*.shop.example.com", "other.example.com"]);
  assert.equal(early.DomainValidationOptions?.[0]?.ResourceRecord, undefined);
  await assert.rejects(call("GetCertificate", { CertificateArn: arn }), { code: "RequestInProgressException" });

  clock.advance(5_000);
  await publish(arn);
  const withheld = records.pop();
  assert.ok(withheld);
  clock.advance(HOUR);
  const partly = await describe(arn);
  assert.equal(partly.Status, "PENDING_VALIDATION");
  assert.deepEqual(
    partly.DomainValidationOptions?.map(({ ValidationStatus }) => ValidationStatus),
    ["SUCCESS", "SUCCESS", "PENDING_VALIDATION"],
  );
  assert.equal(acm.certificates.serving(arn), undefined);

  records.push(withheld);
  await acm.tick(new AbortController().signal);
  clock.advance(30_000);
  await acm.tick(new AbortController().signal);
  const done = await describe(arn);
  assert.equal(done.Status, "ISSUED");
  assert.equal(done.KeyAlgorithm, "RSA-2048");
  assert.equal((done.NotAfter ?? 0) - (done.NotBefore ?? 0), 198 * DAY - 1_000);

  const { Certificate = "", CertificateChain = "" } = await call("GetCertificate", { CertificateArn: arn });
  assert.equal(CertificateChain, await acm.caCertificate());
  assert.ok(isIssuedBy(Certificate, CertificateChain));
  assert.deepEqual(certificateFacts(Certificate).hosts, early.SubjectAlternativeNames);
  const serving = acm.certificates.serving(arn);
  assert.ok(serving);
  createSecureContext({ cert: serving.chain, key: serving.key });
});

test("the validation record depends on account and name alone", async () => {
  const { clock, call } = bench();
  const recordOf = async (domain: string, place: { account?: string; region?: string }) => {
    const { CertificateArn: arn = "" } = await call(
      "RequestCertificate",
      { DomainName: domain, ValidationMethod: "DNS" },
      place,
    );
    clock.advance(5_000);
    const { Certificate } = await call("DescribeCertificate", { CertificateArn: arn }, place);
    return Certificate?.DomainValidationOptions?.[0]?.ResourceRecord;
  };
  const first = await recordOf("a.example.com", {});
  assert.match(first?.Name ?? "", /^_[0-9a-f]{32}\.a\.example\.com\.$/);
  assert.match(first?.Value ?? "", /^_[0-9a-f]{32}\.[a-z]{10}\.acm-validations\.aws\.$/);
  assert.deepEqual(await recordOf("*.a.example.com", { region: "us-east-1" }), first);
  assert.notDeepEqual(await recordOf("a.example.com", { account: "111111111111" }), first);
  assert.notDeepEqual(await recordOf("b.example.com", {}), first);
});

test("a request that nobody validates times out after 72 hours, and cannot be saved then", async () => {
  const { clock, request, describe, publish } = bench();
  const arn = await request("late.example.com");
  clock.advance(72 * HOUR);
  assert.equal((await describe(arn)).Status, "VALIDATION_TIMED_OUT");
  await publish(arn);
  clock.advance(HOUR);
  assert.equal((await describe(arn)).Status, "VALIDATION_TIMED_OUT");
});

test("CAA records that leave Amazon out make the request fail", async () => {
  const { clock, records, request, describe, publish } = bench();
  records.push({ name: "example.com", type: "CAA", ttl: 300, value: '0 issue "letsencrypt.org"' });
  const arn = await request("a.example.com");
  clock.advance(5_000);
  await publish(arn);
  await describe(arn);
  clock.advance(30_000);
  const { Status, FailureReason } = await describe(arn);
  assert.deepEqual({ Status, FailureReason }, { Status: "FAILED", FailureReason: "CAA_ERROR" });
});

test("a token gives the same certificate for an hour, unless something else is asked for", async () => {
  const { clock, request } = bench();
  const first = await request("a.example.com", { IdempotencyToken: "t1" });
  assert.equal(await request("a.example.com", { IdempotencyToken: "t1" }), first);
  assert.notEqual(await request("b.example.com", { IdempotencyToken: "t1" }), first);
  assert.notEqual(await request("a.example.com", { IdempotencyToken: "t2" }), first);
  clock.advance(HOUR);
  assert.notEqual(await request("a.example.com", { IdempotencyToken: "t1" }), first);
});

test("names are checked as ACM does", async () => {
  const { request } = bench();
  const long = `${"a".repeat(57)}.example.com`;
  for (const name of [
    "nodots",
    "a.*.example.com",
    "*",
    "-a.example.com",
    "a_b.example.com",
    "a..example.com",
    "a.example.com.",
  ]) {
    await assert.rejects(request(name), { code: "ValidationException" }, name);
  }
  await assert.rejects(request(long), { code: "InvalidDomainValidationOptionsException" });
  await request("short.example.com", { SubjectAlternativeNames: [long] });
  await assert.rejects(
    request("a.example.com", { SubjectAlternativeNames: Array.from({ length: 10 }, (_, i) => `n${i}.example.com`) }),
    { code: "LimitExceededException" },
  );
});

test("quotas count what is there and what was asked for within a year", async () => {
  const { clock, request, call } = bench({ quotas: { certificates: 2, perYear: 3 } });
  const first = await request("a.example.com");
  await request("b.example.com");
  await assert.rejects(request("c.example.com"), { code: "LimitExceededException" });
  await call("DeleteCertificate", { CertificateArn: first });
  const third = await request("c.example.com");
  await call("DeleteCertificate", { CertificateArn: third });
  await assert.rejects(request("d.example.com"), /3 certificates in the last year/);
  clock.advance(365 * DAY + 1);
  await request("d.example.com");
});

test("of a new certificate nothing can be learnt at once, where reads lag", async () => {
  const { clock, call, request, describe } = bench({ lag: true });
  const arn = await request("a.example.com");
  const listed = async () => ((await call("ListCertificates", {})).CertificateSummaryList ?? []).length;
  await assert.rejects(describe(arn), { code: "ResourceNotFoundException" });
  assert.equal(await listed(), 0);
  await call("AddTagsToCertificate", { CertificateArn: arn, Tags: [{ Key: "team", Value: "web" }] });
  clock.advance(2000);
  assert.equal((await describe(arn)).Status, "PENDING_VALIDATION");
  assert.equal(await listed(), 1);
});

test("a certificate in use cannot be deleted, and is told to be in use for a while after that", async () => {
  const { clock, users, call, describe, issued, acm } = bench({ lag: true });
  const arn = await issued("a.example.com");
  users.set(arn, ["arn:aws:elasticloadbalancing:eu-west-1:000000000000:loadbalancer/app/a/1"]);
  acm.certificates.serving(arn);
  await acm.tick(new AbortController().signal);
  users.delete(arn);
  await assert.rejects(call("DeleteCertificate", { CertificateArn: arn }), { code: "ResourceInUseException" });
  assert.equal((await describe(arn)).InUseBy?.length, 1);
  clock.advance(10_000);
  assert.deepEqual((await describe(arn)).InUseBy, []);
  await call("DeleteCertificate", { CertificateArn: arn });
  await assert.rejects(describe(arn), { code: "ResourceNotFoundException" });
  assert.equal(acm.certificates.exists(arn), false);
});

test("a certificate in use is renewed from 45 days before its end while its records are there", async () => {
  const { clock, records, users, describe, issued, acm } = bench();
  const arn = await issued("a.example.com");
  const { NotAfter: end = 0, Serial: serial } = await describe(arn);
  clock.advance(end - 45 * DAY - clock.now());
  assert.equal((await describe(arn)).RenewalSummary, undefined);
  users.set(arn, ["lb"]);
  const kept = records.splice(0);
  const waiting = await describe(arn);
  assert.equal(waiting.RenewalSummary?.RenewalStatus, "PENDING_VALIDATION");
  assert.equal(waiting.RenewalEligibility, "ELIGIBLE");
  records.push(...kept);
  await acm.tick(new AbortController().signal);
  const renewed = await describe(arn);
  assert.equal(renewed.RenewalSummary?.RenewalStatus, "SUCCESS");
  assert.notEqual(renewed.Serial, serial);
  assert.ok((renewed.NotAfter ?? 0) > end);
});

test("a certificate that nobody uses expires", async () => {
  const { clock, describe, issued, acm } = bench();
  const arn = await issued("a.example.com");
  clock.advance(198 * DAY);
  assert.equal((await describe(arn)).Status, "EXPIRED");
  assert.equal(acm.certificates.serving(arn), undefined);
  assert.equal(acm.certificates.shown(arn)?.ended, true, "who has it already goes on showing it");
});

test("lists have pages, statuses and key types", async () => {
  const { request, issued, call } = bench();
  const elliptic = await issued("ec.example.com");
  for (let i = 0; i < 5; i++) await request(`n${i}.example.com`);
  const all: string[] = [];
  let NextToken: string | undefined;
  do {
    const answer = await call("ListCertificates", {
      MaxItems: 2,
      NextToken,
      SortBy: "CREATED_AT",
      SortOrder: "DESCENDING",
    });
    all.push(...(answer.CertificateSummaryList ?? []).map(({ DomainName = "" }) => DomainName));
    NextToken = answer.NextToken;
  } while (NextToken !== undefined);
  assert.equal(all.length, 5);
  const issuedOnly = { CertificateStatuses: ["ISSUED"], Includes: { keyTypes: ["EC_prime256v1"] } };
  const { CertificateSummaryList: [found] = [] } = await call("ListCertificates", issuedOnly);
  assert.equal(found?.CertificateArn, elliptic);
  assert.equal(found?.InUse, false);
  await assert.rejects(call("ListCertificates", { SortBy: "CREATED_AT" }), { code: "ValidationException" });
  await assert.rejects(call("ListCertificates", { NextToken: "nonsense!" }), { code: "ValidationException" });
});

test("searches combine filters", async () => {
  const { request, issued, call } = bench();
  const arn = await issued("shop.example.com", { SubjectAlternativeNames: ["www.shop.example.com"] });
  await request("blog.example.com");
  const search = async (FilterStatement: Operations["SearchCertificates"]["input"]["FilterStatement"]) =>
    ((await call("SearchCertificates", { FilterStatement })).Results ?? []).map(({ CertificateArn }) => CertificateArn);
  const san = (Value: string, ComparisonOperator: string) => ({
    Filter: { X509AttributeFilter: { SubjectAlternativeName: { DnsName: { Value, ComparisonOperator } } } },
  });
  const status = (Status: string) => ({ Filter: { AcmCertificateMetadataFilter: { Status } } });
  assert.deepEqual(await search(san("www.shop.example.com", "EQUALS")), [arn]);
  assert.equal((await search(san("example.com", "CONTAINS"))).length, 2);
  assert.deepEqual(await search({ And: [san("example.com", "CONTAINS"), { Not: status("PENDING_VALIDATION") }] }), [
    arn,
  ]);
  assert.equal((await search({ Or: [status("ISSUED"), status("PENDING_VALIDATION")] })).length, 2);
  await assert.rejects(search({ And: [status("ISSUED")], Not: status("ISSUED") }), { code: "ValidationException" });
});

test("tags have bounds, and a value given with a removal must match", async () => {
  const { request, call } = bench();
  const arn = await request("a.example.com", { Tags: [{ Key: "team", Value: "shop" }] });
  await call("AddTagsToCertificate", { CertificateArn: arn, Tags: [{ Key: "env" }] });
  await call("RemoveTagsFromCertificate", { CertificateArn: arn, Tags: [{ Key: "team", Value: "blog" }] });
  const { Tags } = await call("ListTagsForCertificate", { CertificateArn: arn });
  assert.deepEqual(Tags, [
    { Key: "team", Value: "shop" },
    { Key: "env", Value: "" },
  ]);
  const many = Array.from({ length: 49 }, (_, i) => ({ Key: `k${i}` }));
  await assert.rejects(call("AddTagsToCertificate", { CertificateArn: arn, Tags: many }), {
    code: "TooManyTagsException",
  });
  await assert.rejects(call("AddTagsToCertificate", { CertificateArn: arn, Tags: [{ Key: "aws:x" }] }), {
    code: "InvalidTagException",
  });
  await assert.rejects(request("b.example.com", { Tags: [{ Key: "a", Value: "*" }] }), { code: "ValidationException" });
});

test("other accounts and regions do not see a certificate", async () => {
  const { request, call } = bench();
  const arn = await request("a.example.com");
  for (const place of [{ account: "111111111111" }, { region: "us-east-1" }]) {
    await assert.rejects(call("DescribeCertificate", { CertificateArn: arn }, place), {
      code: "ResourceNotFoundException",
    });
    assert.deepEqual((await call("ListCertificates", {}, place)).CertificateSummaryList, []);
  }
  await assert.rejects(call("DescribeCertificate", { CertificateArn: "arn:aws:nothing:that:fits" }), {
    code: "ValidationException",
  });
});

test("imports are checked and served, and can be replaced", async () => {
  const { clock, call, describe, acm } = bench();
  const authority = createAuthority(
    { subject: { commonName: "mine" }, notBefore: clock.now() - DAY, notAfter: clock.now() + DAY },
    seededRandom(2),
  );
  const leaf = (host: string, notAfter: number) =>
    authority.issue({
      subject: { commonName: host },
      names: { hosts: [host] },
      usedBy: ["server"],
      notBefore: clock.now() - DAY,
      notAfter,
    });
  const bytes = (text: string) => new Uint8Array(Buffer.from(text));
  const [one, other, old] = [
    await leaf("one.example", clock.now() + DAY),
    await leaf("two.example", clock.now() + DAY),
    await leaf("x.example", clock.now() - 1),
  ];
  const input = {
    Certificate: bytes(one.certificate),
    PrivateKey: bytes(one.key),
    CertificateChain: bytes(authority.certificate),
  };
  const { CertificateArn: arn = "" } = await call("ImportCertificate", input);
  assert.equal((await describe(arn)).Type, "IMPORTED");
  assert.deepEqual(acm.certificates.serving(arn)?.names, ["one.example"]);
  await call("ImportCertificate", {
    ...input,
    CertificateArn: arn,
    Certificate: bytes(other.certificate),
    PrivateKey: bytes(other.key),
  });
  assert.deepEqual(acm.certificates.serving(arn)?.names, ["two.example"]);
  await assert.rejects(call("ImportCertificate", { ...input, PrivateKey: bytes(other.key) }), {
    code: "ValidationException",
  });
  await assert.rejects(
    call("ImportCertificate", { ...input, Certificate: bytes(old.certificate), PrivateKey: bytes(old.key) }),
    /expired/,
  );
  await assert.rejects(call("ImportCertificate", { ...input, PrivateKey: bytes("nothing") }), {
    code: "ValidationException",
  });
});

test("only certificates that were requested so can be exported", async () => {
  const { issued, call } = bench();
  const Passphrase = new Uint8Array(Buffer.from("secret words"));
  const closed = await issued("a.example.com");
  await assert.rejects(call("ExportCertificate", { CertificateArn: closed, Passphrase }), {
    code: "ValidationException",
  });
  const open = await issued("b.example.com", { Options: { Export: "ENABLED" } });
  const { PrivateKey } = await call("ExportCertificate", { CertificateArn: open, Passphrase });
  assert.match(PrivateKey ?? "", /^-----BEGIN ENCRYPTED PRIVATE KEY-----/);
});

test("the authority and the certificates outlive a restart", async () => {
  const before = bench();
  const arn = await before.issued("a.example.com");
  const after = bench({ world: before.world, clock: before.clock });
  assert.equal(await after.acm.caCertificate(), await before.acm.caCertificate());
  assert.equal((await after.describe(arn)).Status, "ISSUED");
  assert.deepEqual(after.acm.certificates.serving(arn), before.acm.certificates.serving(arn));
});
