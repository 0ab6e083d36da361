import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { createApiServer } from "@gatewright/apiserver";
import type { ApiServer } from "@gatewright/apiserver";
import { groupVersionPath } from "@gatewright/kube";
import { crdOf } from "@gatewright/kube/define/manifests";
import { AWSProvider } from "./aws-provider.ts";
import { SQSQueue } from "./sqs-queue.ts";

const NO_NAMES = ["", ".", "..", "a/b", "50%", "a b", "Shop", "-a", "a-", "a_b"];

suite("names in AWSProviders and in what uses them, on an API server", () => {
  let server: ApiServer;
  before(async () => {
    server = await createApiServer();
    for (const definition of [AWSProvider, SQSQueue]) {
      await ask("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crdOf(definition));
      while ((await ask("GET", pathOf(definition))) !== 200) await new Promise(setImmediate);
    }
  });
  after(() => server.close());

  const pathOf = (definition: typeof AWSProvider | typeof SQSQueue): string =>
    `${groupVersionPath(definition)}/namespaces/default/${definition.plural}`;

  async function ask(method: string, path: string, body?: unknown): Promise<number> {
    const response = await server.transport()({
      method,
      path,
      headers: { "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    for await (const _ of response.body);
    return response.status;
  }

  const tried = (definition: typeof AWSProvider | typeof SQSQueue, spec: object): Promise<number> =>
    ask("POST", `${pathOf(definition)}?fieldValidation=Strict&dryRun=All`, {
      apiVersion: `${definition.group}/${definition.version}`,
      kind: definition.kind,
      metadata: { name: "tried" },
      spec,
    });
  const provider = (spec: object) => tried(AWSProvider, { region: "eu-west-1", ...spec });
  const queue = (spec: object) => tried(SQSQueue, { queueName: "orders", providerRef: { name: "aws" }, ...spec });

  test("a provider lets namespaces in by their names, or all of them", async () => {
    assert.equal(await provider({ allowedNamespaces: ["*", "team-a", "0"] }), 201);
    for (const name of [...NO_NAMES, "team.a", "team-*", "**"])
      assert.equal(await provider({ allowedNamespaces: [name] }), 422, JSON.stringify(name));
  });

  test("Secrets are named as they can be called, and so are their namespaces", async () => {
    const secretAccessKeyRef = { name: "keys", key: "B" };
    assert.equal(await provider({ credentialsSecret: { name: "my.keys-1", namespace: "platform" } }), 201);
    assert.equal(await provider({ accessKeyIDRef: { name: "keys", key: "A_b.c" }, secretAccessKeyRef }), 201);
    for (const name of NO_NAMES) {
      assert.equal(await provider({ credentialsSecret: { name } }), 422, JSON.stringify(name));
      assert.equal(await provider({ credentialsSecret: { name: "keys", namespace: name } }), 422, JSON.stringify(name));
      assert.equal(
        await provider({ accessKeyIDRef: { name, key: "A" }, secretAccessKeyRef }),
        422,
        JSON.stringify(name),
      );
    }
  });

  test("so are outputs and the provider that a resource uses", async () => {
    assert.equal(
      await queue({ writeOutputsTo: { name: "orders.queue" }, providerRef: { name: "aws.eu", namespace: "platform" } }),
      201,
    );
    for (const name of NO_NAMES) {
      assert.equal(await queue({ writeOutputsTo: { name } }), 422, JSON.stringify(name));
      assert.equal(await queue({ providerRef: { name } }), 422, JSON.stringify(name));
      assert.equal(await queue({ providerRef: { name: "aws", namespace: name } }), 422, JSON.stringify(name));
    }
  });
});
