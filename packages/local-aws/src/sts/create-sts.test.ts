import assert from "node:assert/strict";
import { test } from "node:test";
import type { Operations } from "@gatewright/aws-wire/types/sts";
import { ManualClock, seededRandom } from "@gatewright/ports";
import type { Caller } from "../service.ts";
import { createMemoryState } from "../state/memory-state.ts";
import { createSts } from "./create-sts.ts";
import type { StsOptions } from "./create-sts.ts";

const ROOT: Caller = {
  account: "000000000000",
  arn: "arn:aws:iam::000000000000:root",
  userId: "000000000000",
  accessKeyId: "test",
};
const ROLE = "arn:aws:iam::111111111111:role/teams/shop";

function bench(options: StsOptions = {}) {
  const clock = new ManualClock();
  const world = { clock, random: seededRandom(1), state: createMemoryState(), pace: { durations: 0, lag: false } };
  const sts = createSts(world, options);
  const call = async <Name extends keyof Operations>(
    name: Name,
    input: Operations[Name]["input"],
    caller: Caller = ROOT,
  ): Promise<Operations[Name]["output"]> =>
    (await sts.service.operations.get(name)?.(input, {
      caller,
      account: caller.account,
      region: "us-east-1",
      requestId: "1",
      signal: new AbortController().signal,
    })) as Operations[Name]["output"];
  const callerOf = (accessKeyId: string): Caller => {
    const found = sts.issued.find(accessKeyId);
    assert.ok(found);
    const { account, arn, userId } = found;
    return { account, arn, userId, accessKeyId };
  };
  return { sts, clock, call, callerOf };
}

test("a role of another account makes the caller that account's", async () => {
  const { clock, call, callerOf, sts } = bench();
  const { Credentials, AssumedRoleUser } = await call("AssumeRole", { RoleArn: ROLE, RoleSessionName: "me@home" });
  assert.equal(AssumedRoleUser?.Arn, "arn:aws:sts::111111111111:assumed-role/shop/me@home");
  assert.match(Credentials?.AccessKeyId ?? "", /^ASIA[A-Z2-7]{16}$/);
  assert.equal(Credentials?.Expiration, clock.now() + 3_600_000);
  const caller = callerOf(Credentials?.AccessKeyId ?? "");
  assert.deepEqual(await call("GetCallerIdentity", {}, caller), {
    UserId: AssumedRoleUser?.AssumedRoleId,
    Account: "111111111111",
    Arn: AssumedRoleUser?.Arn,
  });
  assert.equal(sts.issued.find(caller.accessKeyId)?.sessionToken, Credentials?.SessionToken);
  assert.equal((await call("GetAccessKeyInfo", { AccessKeyId: caller.accessKeyId })).Account, "111111111111");
});

test("a role's session is of one hour at most when it comes from another role's", async () => {
  const { call, callerOf } = bench();
  const { Credentials } = await call("AssumeRole", { RoleArn: ROLE, RoleSessionName: "me", DurationSeconds: 43_200 });
  const caller = callerOf(Credentials?.AccessKeyId ?? "");
  await assert.rejects(call("AssumeRole", { RoleArn: ROLE, RoleSessionName: "me", DurationSeconds: 3_601 }, caller), {
    code: "ValidationError",
  });
  await call("AssumeRole", { RoleArn: ROLE, RoleSessionName: "me", DurationSeconds: 3_600 }, caller);
  await assert.rejects(call("GetSessionToken", {}, caller), { code: "AccessDenied" });
});

test("a role trusts whom its table says", async () => {
  const roles = new Map([
    [ROLE, { principals: ["000000000000"], externalId: "shop-1" }],
    ["arn:aws:iam::111111111111:role/short", { longestSeconds: 900 }],
  ]);
  const { call } = bench({ roles, accounts: new Set(["000000000000", "111111111111"]) });
  const ask = (RoleArn: string, more: object = {}, caller = ROOT) =>
    call("AssumeRole", { RoleArn, RoleSessionName: "me", ...more }, caller);
  await assert.rejects(ask(ROLE), { code: "AccessDenied", status: 403 });
  await assert.rejects(ask(ROLE, { ExternalId: "shop-2" }), { code: "AccessDenied" });
  await ask(ROLE, { ExternalId: "shop-1" });
  const stranger = { ...ROOT, account: "222222222222", arn: "arn:aws:iam::222222222222:root" };
  await assert.rejects(ask(ROLE, { ExternalId: "shop-1" }, stranger), { code: "AccessDenied" });
  await assert.rejects(ask("arn:aws:iam::333333333333:role/any"), { code: "AccessDenied" });
  await assert.rejects(ask("arn:aws:iam::111111111111:role/short"), { code: "ValidationError" });
  await ask("arn:aws:iam::111111111111:role/other");
});

test("what is no role, no session name or no policy is refused", async () => {
  const { call } = bench();
  const good = { RoleArn: ROLE, RoleSessionName: "me" };
  await assert.rejects(call("AssumeRole", { ...good, RoleArn: "arn:aws:iam::1:role/x" }), { code: "ValidationError" });
  await assert.rejects(call("AssumeRole", { ...good, RoleSessionName: "a b" }), { code: "ValidationError" });
  await assert.rejects(call("AssumeRole", { ...good, Policy: "{" }), { code: "MalformedPolicyDocument" });
  const Tags = [
    { Key: "a", Value: "1" },
    { Key: "A", Value: "2" },
  ];
  await assert.rejects(call("AssumeRole", { ...good, Tags }), { code: "InvalidParameterValue" });
  const large = Array.from({ length: 20 }, (_, i) => ({ Key: `k${i}`, Value: "v".repeat(256) }));
  await assert.rejects(call("AssumeRole", { ...good, Tags: large }), { code: "PackedPolicyTooLarge" });
});

test("transitive tags and the source identity go on into the next session", async () => {
  const { call, callerOf } = bench();
  const first = await call("AssumeRole", {
    RoleArn: ROLE,
    RoleSessionName: "me",
    Tags: [{ Key: "team", Value: "shop" }],
    TransitiveTagKeys: ["team"],
    SourceIdentity: "ada",
  });
  const caller = callerOf(first.Credentials?.AccessKeyId ?? "");
  const second = await call("AssumeRole", { RoleArn: ROLE, RoleSessionName: "me" }, caller);
  assert.equal(second.SourceIdentity, "ada");
  const other = { RoleArn: ROLE, RoleSessionName: "me", Tags: [{ Key: "team", Value: "blog" }] };
  await assert.rejects(call("AssumeRole", other, caller), { code: "InvalidParameterValue" });
});

test("tokens make pods roles: audience, end and subject count", async () => {
  const subject = "system:serviceaccount:edge:operator";
  const { clock, call } = bench({
    roles: new Map([[ROLE, { webIdentities: [{ issuer: "https://issuer.local", subjects: [subject] }] }]]),
    verifyToken: async (token) => {
      const [word, audience = "sts.amazonaws.com", of = subject] = token.split("|");
      if (word === "forged") return undefined;
      const expires = clock.now() + (word === "old" ? 0 : 1_000);
      return { issuer: "https://issuer.local", subject: of, audience: [audience], expires };
    },
  });
  const ask = (WebIdentityToken: string) =>
    call("AssumeRoleWithWebIdentity", { RoleArn: ROLE, RoleSessionName: "pod", WebIdentityToken });
  const { SubjectFromWebIdentityToken, Provider, Credentials } = await ask("good");
  assert.equal(SubjectFromWebIdentityToken, subject);
  assert.equal(Provider, "arn:aws:iam::111111111111:oidc-provider/issuer.local");
  assert.ok(Credentials);
  await assert.rejects(ask("forged"), { code: "InvalidIdentityToken" });
  await assert.rejects(ask("old"), { code: "ExpiredTokenException" });
  await assert.rejects(ask("good|other"), { code: "InvalidIdentityToken" });
  await assert.rejects(ask("good|sts.amazonaws.com|somebody"), { code: "AccessDenied" });
});

test("sessions long past their end are forgotten", async () => {
  const { clock, call, sts } = bench();
  const { Credentials } = await call("GetSessionToken", { DurationSeconds: 900 });
  const id = Credentials?.AccessKeyId ?? "";
  clock.advance(900_000 + 3_600_000);
  await call("GetSessionToken", {});
  assert.ok(sts.issued.find(id));
  clock.advance(86_400_000);
  await call("GetSessionToken", {});
  assert.equal(sts.issued.find(id), undefined);
});
