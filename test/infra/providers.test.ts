import assert from "node:assert/strict";
import { test } from "node:test";
import type { Immutable } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import { AWSProvider, SQSQueue } from "@gatewright/resources";
import { createProviderWorld, keysOf, RIVAL, SHOP, SHOP_NEXT } from "./provider-world.ts";
import type { ProviderWorld } from "./provider-world.ts";

const { signal } = new AbortController();
const CHECK_MS = 5 * 60_000;
const ROLE = "arn:aws:iam::222222222222:role/shop-infra";

function condition(provider: Immutable<AWSProvider> | undefined, type: string) {
  return provider?.status?.conditions?.find((each) => each.type === type);
}

async function sessionOf(world: ProviderWorld, name: string, namespace = "shop") {
  const provider = await world.get(name, namespace);
  assert.ok(provider);
  return world.providers().sessions.of(provider);
}

/** Whose queue it is that a session makes: AWS's own word for where it leads. */
async function accountOfQueue(world: ProviderWorld, name: string, namespace = "shop"): Promise<string | undefined> {
  const session = await sessionOf(world, name, namespace);
  const { QueueUrl } = (await session?.aws.sqs.createQueue({ QueueName: "probe" }, { signal })) ?? {};
  return QueueUrl?.split("/").at(-2);
}

test("a provider without credentials of its own leads to the local AWS, and its session works", async () => {
  await using world = await createProviderWorld();
  await world.make("aws", { defaultTags: { team: "shop" } });
  const provider = await world.ready("aws", "Authenticated");
  assert.equal(provider.status?.ready, true);
  assert.equal(provider.status?.accountID, "000000000000");
  assert.equal(provider.status?.callerIdentity, "arn:aws:iam::000000000000:root");
  assert.ok(provider.status?.lastAuthenticationTime);
  const session = world.providers().sessions.of(provider);
  assert.ok(session);
  assert.deepEqual(
    [session.account, session.region, session.partition, session.defaultTags],
    ["000000000000", "eu-west-1", "aws", { team: "shop" }],
  );
  assert.equal(await accountOfQueue(world, "aws"), "000000000000");
});

test("at rest AWS is asked every five minutes, and nothing is written", async () => {
  await using world = await createProviderWorld();
  await world.make("aws", {});
  const before = await world.ready("aws", "Authenticated");
  await world.long(5_000);
  const [asked, writes] = [world.calls("GetCallerIdentity").length, world.writes()];
  await world.long(6 * CHECK_MS);
  const more = world.calls("GetCallerIdentity").length - asked;
  assert.ok(more >= 5 && more <= 7, `${more} checks in half an hour`);
  assert.equal(world.writes(), writes);
  assert.equal((await world.get("aws"))?.metadata.resourceVersion, before.metadata.resourceVersion);
});

test("a role of another account is assumed with an external id, under a name that tells the namespace", async () => {
  const roles = new Map([[ROLE, { principals: [SHOP.account], externalId: "shop-1" }]]);
  await using world = await createProviderWorld({ sts: { roles } });
  await world.secret("keys", keysOf(SHOP));
  const spec = { credentialsSecret: { name: "keys" }, assumeRoleARN: ROLE };
  await world.make("aws", { ...spec, externalID: "other" });
  const denied = await world.ready("aws", "RoleDenied");
  assert.match(condition(denied, "Ready")?.message ?? "", /AccessDenied.*sts:AssumeRole.*trust policy/);
  assert.equal(await sessionOf(world, "aws"), undefined);
  await world.make("aws", { ...spec, externalID: "shop-1" });
  const { status } = await world.ready("aws", "Authenticated");
  assert.equal(status?.accountID, RIVAL.account);
  assert.equal(status?.callerIdentity, "arn:aws:sts::222222222222:assumed-role/shop-infra/gatewright@shop@aws");
  assert.equal(await accountOfQueue(world, "aws"), RIVAL.account);
});

test("keys of a role are replaced before they end, and sessions go on", async () => {
  await using world = await createProviderWorld();
  await world.make("aws", { assumeRoleARN: ROLE });
  await world.ready("aws", "Authenticated");
  const session = await sessionOf(world, "aws");
  const assumed = world.calls("AssumeRole").length;
  await world.long(61 * 60_000);
  assert.equal(await sessionOf(world, "aws").then((now) => now?.aws), session?.aws);
  await session?.aws.sqs.listQueues({}, { signal });
  assert.ok(world.calls("AssumeRole").length > assumed);
  assert.equal(world.calls("GetCallerIdentity").filter(({ code }) => code !== "OK").length, 0);
});

test("session tokens are used, and a Secret without them is told apart from wrong ones", async () => {
  await using world = await createProviderWorld();
  await world.make("root", { assumeRoleARN: ROLE });
  await world.ready("root", "Authenticated");
  const session = await sessionOf(world, "root");
  const given = (await session?.aws.sts.assumeRole({ RoleArn: ROLE, RoleSessionName: "by-hand" }, { signal }))
    ?.Credentials;
  assert.ok(given);
  const keys = { AWS_ACCESS_KEY_ID: given.AccessKeyId, AWS_SECRET_ACCESS_KEY: given.SecretAccessKey };
  await world.secret("temporary", keys);
  await world.make("aws", { credentialsSecret: { name: "temporary" } });
  await world.ready("aws", "AuthenticationFailed");
  await world.secret("temporary", { ...keys, AWS_SESSION_TOKEN: given.SessionToken });
  const { status } = await world.ready("aws", "Authenticated");
  assert.equal(status?.callerIdentity, "arn:aws:sts::222222222222:assumed-role/shop-infra/by-hand");
  await world.long(65 * 60_000);
  const ended = await world.ready("aws", "AuthenticationFailed");
  assert.match(condition(ended, "Ready")?.message ?? "", /ExpiredToken/);
  assert.equal(await sessionOf(world, "aws"), undefined);
});

test("new content of a Secret takes effect at once, and who uses the provider hears of it", async () => {
  await using world = await createProviderWorld();
  await world.secret("keys", { id: SHOP.accessKeyId, secret: `${SHOP.secretAccessKey}\n` });
  await world.make("aws", {
    accessKeyIDRef: { name: "keys", key: "id" },
    secretAccessKeyRef: { name: "keys", key: "secret" },
  });
  const first = await world.ready("aws", "Authenticated");
  const heard: string[] = [];
  world.providers().sessions.onChange(({ namespace, name }) => heard.push(`${namespace}/${name}`));
  const old = await sessionOf(world, "aws");
  const began = world.clock.now();
  await world.secret("keys", { id: SHOP_NEXT.accessKeyId, secret: SHOP_NEXT.secretAccessKey });
  const next = await world.time.until(
    "the new version was checked",
    async () => world.get("aws"),
    (seen) => seen?.status?.credentialsVersion !== first.status?.credentialsVersion,
  );
  assert.ok(world.clock.now() - began < CHECK_MS / 2);
  assert.equal(next?.status?.ready, true);
  assert.notEqual(next?.status?.lastAuthenticationTime, undefined);
  assert.ok(heard.includes("shop/aws"));
  const session = await sessionOf(world, "aws");
  assert.notEqual(session?.aws, old?.aws);
  assert.equal(session?.key, old?.key);
  await world.secret("keys", { id: SHOP_NEXT.accessKeyId, secret: "wrong-secret-value" });
  const broken = await world.ready("aws", "AuthenticationFailed");
  assert.equal(await sessionOf(world, "aws"), undefined);
  assert.doesNotMatch(JSON.stringify(broken), /wrong-secret-value|shop-secret|AKIASHOP/);
});

test("a missing Secret, and one that lacks a key, are named; when it comes the provider is ready", async () => {
  await using world = await createProviderWorld();
  await world.make("aws", { credentialsSecret: { name: "keys" } });
  const nothing = await world.ready("aws", "CredentialsMissing");
  assert.match(condition(nothing, "Ready")?.message ?? "", /^There is no Secret keys\./);
  await world.secret("keys", { AWS_ACCESS_KEY_ID: SHOP.accessKeyId });
  await world.time.until("the key is named", async () =>
    /AWS_SECRET_ACCESS_KEY/.test(condition(await world.get("aws"), "Ready")?.message ?? ""),
  );
  await world.secret("keys", keysOf(SHOP));
  await world.ready("aws", "Authenticated");
  await world.user.for(core.Secret).delete({ namespace: "shop", name: "keys" });
  await world.ready("aws", "CredentialsMissing");
  assert.equal(await sessionOf(world, "aws"), undefined);
});

test("a Secret of another namespace must let the provider's in, and its existence is not told otherwise", async () => {
  await using world = await createProviderWorld();
  await world.secret("keys", keysOf(SHOP), { namespace: "platform" });
  await world.make("there", { credentialsSecret: { namespace: "platform", name: "keys" } });
  await world.make("nowhere", { credentialsSecret: { namespace: "platform", name: "keyz" } });
  const [there, nowhere] = [
    await world.ready("there", "CredentialsMissing"),
    await world.ready("nowhere", "CredentialsMissing"),
  ];
  assert.equal(
    condition(there, "Ready")?.message,
    condition(nowhere, "Ready")?.message.replace("platform/keyz", "platform/keys"),
  );
  await world.secret("keys", keysOf(SHOP), { namespace: "platform", allow: "blog, shop" });
  await world.ready("there", "Authenticated");
  await world.secret("keys", keysOf(SHOP), { namespace: "platform", allow: "blog" });
  await world.ready("there", "CredentialsMissing");
});

test("a provider that is used stays until its last user is gone, works meanwhile, and names them", async () => {
  await using world = await createProviderWorld();
  await world.make("aws", { allowedNamespaces: ["rival"] });
  await world.ready("aws", "Authenticated");
  await world.queue("orders", "aws");
  await world.queue("prices", "shop/aws", "rival");
  await world.user.for(AWSProvider).delete({ namespace: "shop", name: "aws" });
  const held = await world.time.until(
    "it names who uses it",
    async () => world.get("aws"),
    (seen) => seen?.status?.usedBy?.length === 2,
  );
  assert.deepEqual(held?.status?.usedBy, ["SQSQueue rival/prices", "SQSQueue shop/orders"]);
  assert.match(condition(held, "InUse")?.message ?? "", /SQSQueue rival\/prices, SQSQueue shop\/orders/);
  assert.ok(await sessionOf(world, "aws"));
  await world.restart();
  await world.time.until("a new process works with it too", () => sessionOf(world, "aws"));
  await world.user.for(SQSQueue).delete({ namespace: "rival", name: "prices" });
  await world.time.until(
    "one user is left",
    async () => world.get("aws"),
    (seen) => seen?.status?.usedBy?.length === 1,
  );
  await world.user.for(SQSQueue).delete({ namespace: "shop", name: "orders" });
  await world.time.until("it is gone", async () => (await world.get("aws")) === undefined);
});

/** A queue that stays until its resource is gone, as the operator's do. */
async function heldQueue(world: ProviderWorld, name: string): Promise<void> {
  const metadata = { namespace: "shop", name, finalizers: ["example.com/resource"] };
  const spec = { providerRef: { name: "aws" }, queueName: name };
  await world.user.for(SQSQueue).apply({ metadata, spec });
}

const KEYS = { namespace: "shop", name: "keys" };

const AWS = { namespace: "shop", name: "aws" };
const GOINGS: Readonly<Record<string, (world: ProviderWorld) => Promise<unknown>>> = {
  "a namespace that is deleted as a whole": ({ user }) => user.for(core.Namespace).delete({ name: "shop" }),
  "a file whose Secret goes first": async (world) => {
    await world.user.for(core.Secret).delete(KEYS);
    await world.long(10_000);
    await world.user.for(AWSProvider).delete(AWS);
  },
};

for (const [what, goes] of Object.entries(GOINGS)) {
  test(`${what}: the provider works with its last keys until its users are gone`, async () => {
    await using world = await createProviderWorld();
    await world.secret("keys", keysOf(SHOP));
    await world.make("aws", { credentialsSecret: { name: "keys" } });
    await world.ready("aws", "Authenticated");
    await heldQueue(world, "orders");
    await goes(world);
    for (const ms of [10_000, 3 * CHECK_MS]) {
      await world.long(ms);
      assert.equal(await world.user.for(core.Secret).find(KEYS), undefined);
      assert.equal(await accountOfQueue(world, "aws"), SHOP.account);
      assert.equal((await sessionOf(world, "aws"))?.parting, true);
    }
    const orders = { namespace: "shop", name: "orders" };
    await world.user.for(SQSQueue).delete(orders);
    await world.user.for(SQSQueue).patch(orders, { merge: { metadata: { finalizers: null } } });
    await world.time.until("the provider is gone", async () => (await world.get("aws")) === undefined);
  });
}

test("last keys are not lost when AWS leaves a question about them unanswered", async () => {
  await using world = await createProviderWorld();
  await world.secret("keys", keysOf(SHOP));
  await world.make("aws", { credentialsSecret: { name: "keys" } });
  await world.ready("aws", "Authenticated");
  await heldQueue(world, "orders");
  await world.user.for(core.Secret).delete(KEYS);
  await world.long(10_000);
  world.cut = true;
  await world.user.for(AWSProvider).delete(AWS);
  await world.long(30_000);
  assert.equal(await sessionOf(world, "aws"), undefined);
  world.cut = false;
  await world.long(CHECK_MS);
  assert.equal((await sessionOf(world, "aws"))?.account, SHOP.account);
});

test("keys that are taken out of their Secret are not used, by a provider that goes either", async () => {
  await using world = await createProviderWorld();
  await world.secret("keys", keysOf(SHOP));
  await world.make("aws", { credentialsSecret: { name: "keys" } });
  await world.ready("aws", "Authenticated");
  await heldQueue(world, "orders");
  await world.user.for(AWSProvider).delete(AWS);
  await world.long(10_000);
  assert.equal((await sessionOf(world, "aws"))?.parting, false);
  await world.user.for(core.Secret).patch(KEYS, { merge: { data: { AWS_SECRET_ACCESS_KEY: null } } });
  await world.ready("aws", "CredentialsMissing");
  assert.equal(await sessionOf(world, "aws"), undefined);
});

test("an object that a provider does not let in holds up nobody", async () => {
  await using world = await createProviderWorld();
  await world.make("aws", {});
  await world.ready("aws", "Authenticated");
  await world.queue("orders", "shop/aws", "rival");
  await world.user.for(AWSProvider).delete(AWS);
  await world.time.until("the provider is gone", async () => (await world.get("aws")) === undefined);
});

test("keys that another namespace lends are not used after it took them back, by a provider that goes either", async () => {
  await using world = await createProviderWorld();
  await world.secret("keys", keysOf(SHOP), { namespace: "platform", allow: "shop" });
  await world.make("aws", { credentialsSecret: { namespace: "platform", name: "keys" } });
  await world.ready("aws", "Authenticated");
  await heldQueue(world, "orders");
  await world.user.for(AWSProvider).delete(AWS);
  await world.long(10_000);
  assert.ok(await sessionOf(world, "aws"));
  await world.secret("keys", keysOf(SHOP), { namespace: "platform", allow: "blog" });
  await world.ready("aws", "CredentialsMissing");
  assert.equal(await sessionOf(world, "aws"), undefined);
});

test("keys are not used when their Secret alone is deleted, and forgotten after minutes", async () => {
  await using world = await createProviderWorld();
  await world.secret("keys", keysOf(SHOP));
  await world.make("aws", { credentialsSecret: { name: "keys" } });
  await world.ready("aws", "Authenticated");
  await heldQueue(world, "orders");
  await world.user.for(core.Secret).delete(KEYS);
  await world.ready("aws", "CredentialsMissing");
  assert.equal(await sessionOf(world, "aws"), undefined);
  await world.long(3 * 60_000);
  await world.user.for(AWSProvider).delete(AWS);
  await world.long(CHECK_MS);
  assert.equal(await sessionOf(world, "aws"), undefined);
});

test("keys of another account are told by the provider while resources are in the old one", async () => {
  await using world = await createProviderWorld();
  await world.secret("keys", keysOf(SHOP));
  await world.make("aws", { credentialsSecret: { name: "keys" } });
  await world.ready("aws", "Authenticated");
  await world.queue("orders", "aws");
  const queue = { namespace: "shop", name: "orders" };
  const status = { accountID: SHOP.account, region: "eu-west-1" };
  await world.user.for(SQSQueue).status.patch(queue, { merge: { status } });
  await world.secret("keys", keysOf(RIVAL));
  const changed = await world.time.until(
    "it is told",
    async () => world.get("aws"),
    (seen) => condition(seen, "AccountChanged") !== undefined,
  );
  assert.match(
    condition(changed, "AccountChanged")?.message ?? "",
    /SQSQueue shop\/orders are in account 111111111111.*leads to account 222222222222/,
  );
  assert.equal((await sessionOf(world, "aws"))?.account, RIVAL.account);
  await world.make("aws", { credentialsSecret: { name: "keys" }, accountID: SHOP.account });
  await world.ready("aws", "WrongAccount");
  assert.equal(await sessionOf(world, "aws"), undefined);
  await world.secret("keys", keysOf(SHOP));
  const back = await world.ready("aws", "Authenticated");
  assert.equal(condition(back, "AccountChanged"), undefined);
});

test("when AWS is silent sessions stay, others are not touched, and it is told after a while", async () => {
  await using world = await createProviderWorld();
  await world.make("aws", {});
  await world.ready("aws", "Authenticated");
  world.cut = true;
  await world.long(CHECK_MS + 60_000);
  assert.ok(await sessionOf(world, "aws"));
  const silent = await world.ready("aws", "Unreachable");
  assert.equal(condition(silent, "Ready")?.status, "Unknown");
  assert.ok(await sessionOf(world, "aws"));
  world.cut = false;
  await world.ready("aws", "Authenticated");
});

test("a spec that was not checked yet has no session: nothing is made where it led before", async () => {
  await using world = await createProviderWorld();
  await world.make("aws", {});
  const old = await world.ready("aws", "Authenticated");
  const elsewhere = { ...old, spec: { ...old.spec, region: "us-east-2" } };
  const sessions = world.providers().sessions;
  assert.ok(sessions.of(old));
  assert.equal(sessions.of(elsewhere), undefined);
  assert.equal(sessions.of({ ...old, metadata: { ...old.metadata, uid: "another" } }), undefined);
  await world.make("aws", { region: "us-east-2" });
  const next = await world.time.until(
    "it leads elsewhere",
    async () => (await world.get("aws")) as Immutable<AWSProvider>,
    (seen) => sessions.of(seen)?.region === "us-east-2",
  );
  assert.equal(sessions.of(old), undefined);
  assert.ok(next);
});

test("a role is assumed with the operator's token, which is read anew each time", async () => {
  let token = "first";
  const issuer = "https://issuer.local";
  const roles = new Map([
    [ROLE, { webIdentities: [{ issuer, subjects: ["system:serviceaccount:gatewright:operator"] }] }],
  ]);
  const seen: string[] = [];
  await using world = await createProviderWorld({
    sts: {
      roles,
      verifyToken: async (given) => {
        seen.push(given);
        const subject = "system:serviceaccount:gatewright:operator";
        return { issuer, subject, audience: ["sts.amazonaws.com"], expires: Number.MAX_SAFE_INTEGER };
      },
    },
    webIdentity: { tokenFile: "/var/run/token", readFile: async () => token },
  });
  await world.make("aws", { roleARN: ROLE });
  const { status } = await world.ready("aws", "Authenticated");
  assert.equal(status?.callerIdentity, "arn:aws:sts::222222222222:assumed-role/shop-infra/gatewright@shop@aws");
  token = "";
  await world.long(57 * 60_000);
  assert.ok(await sessionOf(world, "aws"));
  token = "second\n";
  await world.long(10 * 60_000);
  assert.ok(await sessionOf(world, "aws"));
  assert.deepEqual(new Set(seen), new Set(["first", "second"]));
});

test("endpoints of tenants: no metadata, no own identity, and credentials of their own go where they say", async () => {
  const asked: string[] = [];
  await using world = await createProviderWorld({
    tenantSend: async (endpoint) => {
      asked.push(endpoint.host);
      return { status: 404, headers: {}, body: Buffer.from("<html>") };
    },
  });
  await world.secret("keys", keysOf(SHOP));
  const credentialsSecret = { name: "keys" };
  await world.make("metadata", { endpoint: "http://169.254.169.254", credentialsSecret });
  await world.make("decimal", { endpoint: "http://2852039166/", credentialsSecret });
  await world.make("mapped", { endpoint: "http://[::ffff:169.254.169.254]", credentialsSecret });
  await world.make("loopback", { endpoint: "http://127.0.0.1:8081", credentialsSecret });
  await world.make("own", { endpoint: "http://thief.example" });
  await world.make("role", { endpoint: "http://thief.example", roleARN: ROLE });
  for (const name of ["metadata", "decimal", "mapped", "loopback", "own", "role"]) {
    await world.ready(name, "EndpointNotAllowed");
  }
  assert.deepEqual(asked, []);
  await world.make("theirs", { endpoint: "http://stack.example:4566", credentialsSecret });
  await world.ready("theirs", "Unreachable");
  assert.deepEqual(new Set(asked), new Set(["stack.example:4566"]));
  await world.make("same", { endpoint: "http://aws.local:4566" });
  await world.ready("same", "Authenticated");
});

test("the platform says which namespaces use which roles of the operator", async () => {
  const allowedRoles = [
    { namespaces: ["shop"], roles: ["arn:aws:iam::222222222222:role/shop-*"] },
    { namespaces: ["plat*"], ownIdentity: true },
  ];
  await using world = await createProviderWorld({ settings: { allowedRoles } });
  await world.make("aws", { assumeRoleARN: ROLE });
  await world.ready("aws", "Authenticated");
  await world.make("aws", { assumeRoleARN: ROLE }, "rival");
  await world.ready("aws", "RoleNotAllowed", "rival");
  await world.make("own", {});
  await world.ready("own", "RoleNotAllowed");
  await world.make("own", {}, "platform");
  await world.ready("own", "Authenticated", "platform");
  await world.secret("keys", keysOf(RIVAL), { namespace: "rival" });
  await world.make("theirs", { assumeRoleARN: ROLE, credentialsSecret: { name: "keys" } }, "rival");
  await world.ready("theirs", "Authenticated", "rival");
});

test("one provider that fails takes nothing from others", async () => {
  await using world = await createProviderWorld();
  await world.secret("keys", { AWS_ACCESS_KEY_ID: "AKIANOBODY000000", AWS_SECRET_ACCESS_KEY: "no-such-key" });
  await world.make("broken", { credentialsSecret: { name: "keys" } });
  await world.make("aws", {});
  await world.ready("broken", "AuthenticationFailed");
  await world.ready("aws", "Authenticated");
  await world.long(2 * CHECK_MS);
  assert.ok(await sessionOf(world, "aws"));
  const refused = world.calls("GetCallerIdentity").filter(({ code }) => code !== "OK").length;
  assert.ok(refused < 15, `${refused} calls with refused keys in ten minutes`);
});
