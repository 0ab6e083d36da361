import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { deepFreeze, keyOf } from "@gatewright/kube";
import type { ApiObject, Immutable, Resource } from "@gatewright/kube";
import { SQSQueue } from "@gatewright/resources";
import type { CacheReader } from "@gatewright/runtime";
import type { AwsKind, Managed } from "../engine/aws-kind.ts";
import type { Reference } from "../engine/given.ts";
import { createReferences } from "./create-references.ts";
import { gatherGiven } from "./gather-given.ts";
import type { KnownKind } from "./known-kind.ts";
import { referenceIndex } from "./reference-index.ts";
import type { ReferenceReader } from "./reference-reader.ts";
import { createSecretVersions } from "./secret-versions.ts";
import { usersOf } from "./users-of.ts";
import type { Cached } from "./users-of.ts";

const QUEUES: Pick<AwsKind<SQSQueue, unknown>, "resource" | "references" | "outputsInStatus"> = {
  resource: SQSQueue,
  references: ({ deadLetterQueue, kmsMasterKeyId }) => [
    ...(deadLetterQueue?.queueRef === undefined ? [] : [queueRef(deadLetterQueue.queueRef.name)]),
    ...(kmsMasterKeyId === undefined ? [] : [secretRef(kmsMasterKeyId)]),
  ],
  outputsInStatus: { arn: "queueARN" },
};
const queueRef = (name: string): Reference => ({
  to: "output",
  path: "deadLetterQueue.queueRef",
  kind: "SQSQueue",
  name,
  output: "arn",
});
const secretRef = (name: string): Reference => ({ to: "secret", path: "kmsMasterKeyId", name, key: "key" });
const KINDS: readonly KnownKind[] = [QUEUES];

interface Told {
  readonly to?: string;
  readonly secret?: string;
  readonly arn?: string;
  readonly going?: boolean;
  readonly made?: boolean;
}

function queue(name: string, { to, secret, arn, going = false, made = false }: Told = {}): Immutable<Managed> {
  return deepFreeze({
    apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
    kind: "SQSQueue",
    metadata: {
      name,
      namespace: "shop",
      uid: `uid-${name}`,
      ...(going && { deletionTimestamp: "2030-01-01T00:00:00Z" }),
    },
    spec: {
      providerRef: { name: "aws" },
      queueName: name,
      deletionPolicy: "Delete",
      ...(to !== undefined && { deadLetterQueue: { queueRef: { name: to }, maxReceiveCount: 3 } }),
      ...(secret !== undefined && { kmsMasterKeyId: secret }),
    },
    status: {
      ...(arn !== undefined && { queueARN: arn }),
      ...(made && { resource: { id: name, ownership: "Created" } }),
    },
  }) as unknown as Immutable<Managed>;
}

/** A cache of queues, with the index of references. */
function cacheOf(queues: readonly Immutable<Managed>[]): Cached {
  const [index] = Object.values(referenceIndex(QUEUES));
  const reader: CacheReader<Managed> = {
    get: (ref) => queues.find((each) => keyOf(each) === (typeof ref === "string" ? ref : keyOf(ref))),
    list: () => queues,
    byIndex: (_name, value) => queues.filter((each) => index?.(each).includes(value)),
  };
  return <T extends ApiObject>(_resource: Resource<T>) => reader as unknown as CacheReader<T>;
}

function readerOf(
  queues: readonly Immutable<Managed>[],
  secrets: Readonly<Record<string, Readonly<Record<string, string>> | "forbidden">> = {},
  type?: string,
): ReferenceReader {
  return {
    object: async (_resource, namespace, name) =>
      queues.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name),
    secret: async (namespace, name) => {
      const data = secrets[`${namespace}/${name}`];
      if (data === undefined || data === "forbidden") return data;
      const metadata = { name, namespace, uid: `uid-${name}`, resourceVersion: "1" };
      return { apiVersion: "v1", kind: "Secret", metadata, data, ...(type !== undefined && { type }) };
    },
  };
}

const gather = (reader: ReferenceReader, object: Immutable<Managed>) =>
  gatherGiven(reader, createSecretVersions(), KINDS, QUEUES, object);
const base64 = (text: string): string => Buffer.from(text).toString("base64");

test("an output of another object is given once its status tells it, and waited for until then", async () => {
  const source = queue("orders", { to: "failed" });
  assert.deepEqual(await gather(readerOf([]), source), {
    missing: {
      path: "deadLetterQueue.queueRef",
      message: "deadLetterQueue.queueRef: there is no SQSQueue failed yet.",
    },
  });
  const early = await gather(readerOf([queue("failed")]), source);
  assert.match("missing" in early ? early.missing.message : "", /SQSQueue failed is not there in AWS yet/);
  const found = await gather(readerOf([queue("failed", { arn: "arn:1" })]), source);
  assert.equal("given" in found && found.given.value("deadLetterQueue.queueRef"), "arn:1");
});

test("what is being deleted is not begun to be used, but who uses it goes on", async () => {
  const going = readerOf([queue("failed", { arn: "arn:1", going: true })]);
  assert.ok("missing" in (await gather(going, queue("orders", { to: "failed" }))));
  assert.ok("given" in (await gather(going, queue("orders", { to: "failed", made: true }))));
});

test("a reference never leaves its namespace", async () => {
  const other = queue("failed", { arn: "arn:1" });
  const elsewhere = { ...other, metadata: { ...other.metadata, namespace: "theirs" } };
  assert.ok("missing" in (await gather(readerOf([elsewhere]), queue("orders", { to: "failed" }))));
  const secrets = { "theirs/keys": { key: base64("k") } };
  assert.ok("missing" in (await gather(readerOf([], secrets), queue("orders", { secret: "keys" }))));
});

test("a key of a Secret is given as text, with a version; each way to have none is told apart and tells nothing of the rest", async () => {
  const object = queue("orders", { secret: "keys" });
  const told = async (secrets: Parameters<typeof readerOf>[1]): Promise<string> => {
    const found = await gather(readerOf([], secrets), object);
    return "missing" in found
      ? found.missing.message
      : `${found.given.value("kmsMasterKeyId")} ${found.given.version("kmsMasterKeyId")}`;
  };
  assert.equal(
    await told({ "shop/keys": { key: base64("grüße"), other: base64("hidden") } }),
    "grüße uid-keys/1/2c70e12b7a06",
  );
  assert.equal(await told({}), "kmsMasterKeyId: there is no Secret keys yet.");
  assert.equal(await told({ "shop/keys": "forbidden" }), "kmsMasterKeyId: Secret keys must not be read.");
  assert.equal(await told({ "shop/keys": { other: base64("hidden") } }), "kmsMasterKeyId: Secret keys has no key key.");
  const bytes = Buffer.from([0xff, 0xfe]).toString("base64");
  assert.equal(
    await told({ "shop/keys": { key: bytes } }),
    "kmsMasterKeyId: what Secret keys has under key is not text.",
  );
});

test("tokens of the cluster and releases of Helm are led to by no reference; certificates and passwords are", async () => {
  const told = async (type?: string): Promise<string | undefined> => {
    const reader = readerOf([], { "shop/keys": { key: base64("hidden") } }, type);
    const found = await gather(reader, queue("orders", { secret: "keys" }));
    return "missing" in found ? found.missing.message : found.given.value("kmsMasterKeyId");
  };
  for (const type of ["kubernetes.io/service-account-token", "bootstrap.kubernetes.io/token", "helm.sh/release.v1"])
    assert.equal(await told(type), `kmsMasterKeyId: Secret keys is of type ${type}, which no reference may lead to.`);
  for (const type of [undefined, "Opaque", "kubernetes.io/tls", "kubernetes.io/basic-auth"])
    assert.equal(await told(type), "hidden", type);
});

test("the version of a Secret's value changes with the value, not with the Secret's labels", () => {
  const versions = createSecretVersions();
  const secret = (resourceVersion: string, value: string) => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "s", uid: "u", resourceVersion },
    data: { key: base64(value) },
  });
  const first = versions.of(secret("1", "a"), "key");
  assert.equal(versions.of(secret("2", "a"), "key"), first);
  assert.notEqual(versions.of(secret("3", "b"), "key"), first);
  assert.notEqual(versions.of(secret("4", "a"), "key"), first);
});

test("two keys of a Secret have two versions, however long they are", () => {
  const keys = ["one", "two", "x".repeat(253)];
  const data = Object.fromEntries(keys.map((key) => [key, base64("same")]));
  const metadata = { name: "s", uid: "5e0f3a52-4d6c-4b0c-9d5e-0d8c9a4f7b11", resourceVersion: "123456789" };
  const secret = { apiVersion: "v1", kind: "Secret", metadata, data };
  const versions = createSecretVersions();
  const told = keys.map((key) => versions.of(secret, key));
  assert.equal(new Set(told).size, keys.length);
  assert.ok(told.every((version) => version.length <= 253));
});

test("a Secret, an object that is referred to and one that refers wake whom they concern", async () => {
  const all = [queue("orders", { to: "failed", secret: "keys" }), queue("failed", { arn: "a" }), queue("alone")];
  const references = createReferences(KINDS, QUEUES);
  const cached = cacheOf(all);
  const client = { for: () => ({ find: async () => undefined }) } as never;
  await references.gather({ cached, client, signal: new AbortController().signal }, all[2]!);
  const [secrets, queues] = references.watches;
  const woken = (watch: typeof secrets, object: object) => watch?.map(object as never).map(({ name }) => name);
  assert.equal(secrets?.scope.metadataOnly, true);
  assert.deepEqual(woken(secrets, { metadata: { namespace: "shop", name: "keys" } }), ["orders"]);
  assert.deepEqual(woken(secrets, { metadata: { namespace: "theirs", name: "keys" } }), []);
  assert.deepEqual(woken(queues, all[1]!), ["orders"]);
  assert.deepEqual(woken(queues, all[0]!), ["failed"]);
  const matters = (object: Immutable<Managed>, previous: Immutable<Managed>) => queues?.when(object, previous);
  assert.equal(matters(all[1]!, { ...all[1]!, metadata: { ...all[1]!.metadata, resourceVersion: "9" } }), false);
  assert.equal(matters(all[1]!, queue("failed")), true);
  assert.equal(matters(all[0]!, queue("orders")), true);
});

test("who refers to an object holds up its deletion, and is named", () => {
  const all = [
    queue("a", { to: "failed" }),
    queue("b", { to: "failed", going: true }),
    queue("c"),
    queue("failed", { going: true }),
  ];
  assert.deepEqual(usersOf(cacheOf(all), KINDS, QUEUES, all[3]!), ["SQSQueue a", "SQSQueue b"]);
  assert.deepEqual(usersOf(cacheOf(all), KINDS, QUEUES, all[0]!), []);
  const itself = queue("self", { to: "self", going: true });
  assert.deepEqual(usersOf(cacheOf([itself]), KINDS, QUEUES, itself), []);
});

test("law: whatever refers to whatever, all go when all are deleted, and none before those that refer to it, circles aside", () => {
  const names = ["a", "b", "c", "d", "e", "f"];
  const graphs = fc.tuple(...names.map(() => fc.option(fc.constantFrom(...names), { nil: undefined })));
  fc.assert(
    fc.property(graphs, fc.infiniteStream(fc.nat()), (targets, choices) => {
      const target = new Map(names.map((name, index) => [name, targets[index]]));
      const inCircle = (name: string): boolean => {
        let at = target.get(name);
        for (let step = 0; step < names.length && at !== undefined; step++, at = target.get(at))
          if (at === name) return true;
        return false;
      };
      let left = names.map((name) =>
        queue(name, { ...(target.get(name) !== undefined && { to: target.get(name)! }), going: true }),
      );
      while (left.length > 0) {
        const cached = cacheOf(left);
        const free = left.filter((each) => usersOf(cached, KINDS, QUEUES, each).length === 0);
        assert.ok(free.length > 0, "nobody can go");
        const next = free[(choices.next().value ?? 0) % free.length]!;
        const name = next.metadata.name ?? "";
        for (const other of left) {
          const refers = target.get(other.metadata.name ?? "") === name && other !== next;
          assert.ok(!refers || inCircle(name), `${name} went before ${other.metadata.name}`);
        }
        left = left.filter((each) => each !== next);
      }
    }),
  );
});
