import assert from "node:assert/strict";
import { test } from "node:test";
import { HTTPRoute } from "@gatewright/resources";
import { answeringClient, refusing } from "../testing/answering.ts";
import { dryRun } from "./dry-run.ts";
import type { DryRun } from "./dry-run.ts";
import { exitOfFiles } from "./why-files.ts";

const ROUTE = {
  apiVersion: "gateway.networking.k8s.io/v1",
  kind: "HTTPRoute",
  metadata: { namespace: "shop", name: "web" },
};

function tried(code: number, reason: string, message: string): Promise<DryRun> {
  const client = answeringClient(() => refusing(code, reason, message));
  return dryRun(client, HTTPRoute, ROUTE, new AbortController().signal);
}

test("what the API server says of the object is a refusal", async () => {
  for (const code of [400, 403, 409, 413, 422]) {
    assert.deepEqual(await tried(code, "Odd", "no"), { state: "refused", refusal: { code, message: "no" } });
  }
  for (const message of [
    'admission webhook "routes.example.com" denied the request: no',
    "httproutes \"web\" is forbidden: ValidatingAdmissionPolicy 'a' with binding 'b' denied request: no",
  ]) {
    for (const code of [401, 404, 500])
      assert.deepEqual(await tried(code, "Odd", message), { state: "refused", refusal: { code, message } });
  }
});

test("what it says of the caller or of itself is none", async () => {
  for (const code of [401, 429, 500, 503]) await assert.rejects(tried(code, "Odd", "no"), { code, message: "no" });
  const failed = 'failed calling webhook "routes.example.com": connection refused';
  await assert.rejects(tried(500, "InternalError", failed), { message: failed });
});

test("a kind that is not served is told as that", async () => {
  assert.deepEqual(await tried(404, "NotFound", "no such path"), { state: "no kind", message: "no such path" });
});

test("files are fine only if something was asked about and nothing was left out", () => {
  const [ok, broken] = [{ state: "ok" }, { state: "broken" }] as const;
  assert.equal(exitOfFiles([ok, ok], 0), 0);
  assert.equal(exitOfFiles([ok, broken], 1), 1);
  assert.equal(exitOfFiles([ok], 1), 3);
  assert.equal(exitOfFiles([], 1), 3);
  assert.equal(exitOfFiles([], 0), 3);
});
