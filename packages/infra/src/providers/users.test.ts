import assert from "node:assert/strict";
import { test } from "node:test";
import { S3Bucket, SQSQueue } from "@gatewright/resources";
import type { AWSProvider } from "@gatewright/resources";
import type { Client } from "@gatewright/runtime";
import { usersNow } from "./users.ts";

const { signal } = new AbortController();
const EVERYWHERE = "everywhere";

/** Who uses the provider `shop/aws` with these namespaces, and where it was looked. There is a queue in each of `namespaces`. */
async function look(allowedNamespaces: string[], namespaces: readonly string[]) {
  const provider: AWSProvider = {
    apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
    kind: "AWSProvider",
    metadata: { namespace: "shop", name: "aws" },
    spec: { region: "eu-west-1", allowedNamespaces },
  };
  const queues = namespaces.map((namespace) => ({
    metadata: { namespace, name: "orders" },
    spec: { providerRef: { name: "aws", namespace: "shop" } },
  }));
  const looked: string[] = [];
  const client = {
    for: (kind: { readonly kind: string }) => ({
      async list({ namespace }: { readonly namespace?: string }) {
        if (namespace === "" || namespace?.includes("/")) throw new TypeError(`"${namespace}" cannot be the namespace`);
        looked.push(`${kind.kind} ${namespace ?? EVERYWHERE}`);
        const all = kind.kind === "SQSQueue" ? queues : [];
        return { items: all.filter(({ metadata }) => (namespace ?? metadata.namespace) === metadata.namespace) };
      },
    }),
  } as unknown as Client;
  const users = await usersNow(client, [SQSQueue, S3Bucket], provider, signal);
  return { looked, users: users.map(({ name }) => name) };
}

test("it is looked in the provider's namespace and in those that it lets in", async () => {
  assert.deepEqual(await look(["blog"], ["shop", "blog", "rival"]), {
    looked: ["SQSQueue shop", "SQSQueue blog", "S3Bucket shop", "S3Bucket blog"],
    users: ["SQSQueue shop/orders", "SQSQueue blog/orders"],
  });
});

test("what can be no namespace is left out, and holds nobody up", async () => {
  assert.deepEqual(await look(["", "team/a", "50%", "..", "Blog", "blog"], ["shop"]), {
    looked: ["SQSQueue shop", "SQSQueue blog", "S3Bucket shop", "S3Bucket blog"],
    users: ["SQSQueue shop/orders"],
  });
});

test("where many are let in, or all, each kind is listed once, and those who are not let in do not count", async () => {
  const many = Array.from({ length: 1_000 }, (_, at) => `team-${at}`);
  const everywhere = [`SQSQueue ${EVERYWHERE}`, `S3Bucket ${EVERYWHERE}`];
  assert.deepEqual(await look(many, ["team-999", "shop", "rival"]), {
    looked: everywhere,
    users: ["SQSQueue team-999/orders", "SQSQueue shop/orders"],
  });
  assert.deepEqual(await look(["*"], ["rival"]), { looked: everywhere, users: ["SQSQueue rival/orders"] });
});
