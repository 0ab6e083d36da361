import assert from "node:assert/strict";
import { test } from "node:test";
import type { SQSQueue } from "@gatewright/resources";
import { compare } from "../../engine/compare.ts";
import { givenOf } from "../testing/kind-stage.ts";
import { sqsQueue } from "./index.ts";

test("an empty policy is none, as it is to SQS", () => {
  const object: SQSQueue = {
    apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
    kind: "SQSQueue",
    metadata: { name: "jobs", namespace: "shop", uid: "uid-1" },
    spec: { providerRef: { name: "aws" }, queueName: "jobs", deletionPolicy: "Delete", policy: "" },
  };
  const differences = (attributes: Readonly<Record<string, string>>, fields: readonly string[]) => {
    const stored = { ...object, status: { conditions: [], resource: { id: "jobs", ownership: "Created", fields } } };
    const seen = { name: "jobs", url: "https://sqs.example/jobs", attributes, tags: {} };
    const { differences: found } = compare(sqsQueue, stored as never, givenOf(), seen as never, []);
    return found.map(({ path, want }) => [path, want]);
  };
  assert.deepEqual(differences({}, []), []);
  assert.deepEqual(differences({ Policy: '{"Statement":[]}' }, ["policy"]), [["policy", undefined]]);
});
