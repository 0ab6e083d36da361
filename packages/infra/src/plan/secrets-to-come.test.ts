import assert from "node:assert/strict";
import { test } from "node:test";
import { StatusError } from "@gatewright/kube";
import type { Immutable, KubeObject } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import type { Client } from "@gatewright/runtime";
import { createSecretVersions } from "../references/secret-versions.ts";
import { withSecretsToCome } from "./secrets-to-come.ts";

const REF = { namespace: "shop", name: "db" };
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const STORED: Immutable<core.Secret> = {
  apiVersion: "v1",
  kind: "Secret",
  metadata: { ...REF, uid: "u-1", resourceVersion: "7" },
  data: { user: base64("app"), password: base64("old") },
};
const planned = { apiVersion: "v1", kind: "Secret", metadata: REF, stringData: { password: "new" } } as KubeObject;

/** A client that finds a Secret. */
function finding(find: () => Promise<Immutable<core.Secret> | undefined>): Client {
  return { for: () => ({ find }) } as unknown as Client;
}

test("a value that is given anew has another version, and one that stays keeps its own", async () => {
  const versions = createSecretVersions();
  const before = { user: versions.of(STORED, "user"), password: versions.of(STORED, "password") };
  const fresh = createSecretVersions();
  const seeing = withSecretsToCome(
    finding(async () => STORED),
    [planned],
    fresh,
  );
  const secret = await seeing.for(core.Secret).find(REF);
  assert.deepEqual(secret?.data, { user: base64("app"), password: base64("new") });
  assert.equal(fresh.of(secret, "user"), before.user);
  assert.notEqual(fresh.of(secret, "password"), before.password);
});

test("a Secret that may be written and not read is as it is given; no other is made up", async () => {
  const forbidden = new StatusError({ kind: "Status", code: 403, reason: "Forbidden", message: "no" } as never);
  const seeing = withSecretsToCome(
    finding(() => Promise.reject(forbidden)),
    [planned],
    createSecretVersions(),
  );
  assert.deepEqual((await seeing.for(core.Secret).find(REF))?.data, { password: base64("new") });
  await assert.rejects(seeing.for(core.Secret).find({ namespace: "shop", name: "other" }), forbidden);
});
