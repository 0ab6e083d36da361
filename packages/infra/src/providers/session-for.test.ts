import assert from "node:assert/strict";
import { test } from "node:test";
import { keyOf } from "@gatewright/kube";
import type { AWSProvider } from "@gatewright/resources";
import type { Session } from "../engine/session.ts";
import { sessionFor } from "./session-for.ts";

type Cached = Parameters<typeof sessionFor>[0];

const SESSION = { key: "1" } as Session;
const PARTING = { ...SESSION, parting: true };
const made = (namespace: string, name: string, spec: Partial<AWSProvider["spec"]> = {}): AWSProvider => ({
  apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
  kind: "AWSProvider",
  metadata: { namespace, name },
  spec: { region: "eu-west-1", ...spec },
});
const BROKEN = {
  ...made("shop", "broken", { allowedNamespaces: ["blog"] }),
  status: {
    conditions: [
      {
        type: "Ready",
        status: "False" as const,
        reason: "AuthenticationFailed",
        message: "secret details",
        lastTransitionTime: "2030-01-01T00:00:00Z",
      },
    ],
  },
};
const providers = new Map(
  [
    made("shop", "aws"),
    made("platform", "all", { allowedNamespaces: ["*"] }),
    made("platform", "blog", { allowedNamespaces: ["blog"] }),
    BROKEN,
  ].map((each) => [keyOf(each), each]),
);
const cached = (() => ({ get: (ref: { name: string }) => providers.get(keyOf(ref)) })) as unknown as Cached;
const sessions = {
  of: ({ metadata }: { readonly metadata: { readonly name?: string } }) =>
    metadata.name === "broken" ? undefined : SESSION,
  onChange: () => () => {},
};
const ask = (namespace: string, providerRef: { readonly name: string; readonly namespace?: string }) =>
  sessionFor(cached, sessions, {
    apiVersion: "v1alpha1",
    kind: "SQSQueue",
    metadata: { namespace, name: "orders" },
    spec: { providerRef },
  });

test("a provider of the object's own namespace needs no leave", () => {
  assert.deepEqual(ask("shop", { name: "aws" }), { session: SESSION });
  assert.deepEqual(ask("shop", { name: "aws", namespace: "shop" }), { session: SESSION });
});

test("one of another namespace must let it in, and is otherwise as if it were not there", () => {
  assert.deepEqual(ask("shop", { name: "all", namespace: "platform" }), { session: SESSION });
  const words = (name: string): string => {
    const answer = ask("shop", { name, namespace: "platform" });
    return "missing" in answer ? answer.missing.message.replace(name, "X") : "let in";
  };
  assert.notEqual(words("blog"), "let in");
  assert.equal(words("blog"), words("nothing"));
});

test("one that is not ready is named with its reason, and nothing more", () => {
  const answer = ask("blog", { name: "broken", namespace: "shop" });
  assert.deepEqual("missing" in answer && [answer.missing.reason.reason, answer.missing.message], [
    "ProviderNotReady",
    "AWSProvider shop/broken is not ready: AuthenticationFailed.",
  ]);
});

test("a session on last keys is for what is being deleted, and for nobody else", () => {
  const user = (deletionTimestamp?: string) => ({
    apiVersion: "v1alpha1",
    kind: "SQSQueue",
    metadata: { namespace: "shop", name: "orders", ...(deletionTimestamp !== undefined && { deletionTimestamp }) },
    spec: { providerRef: { name: "aws" } },
  });
  const going = { ...sessions, of: () => PARTING };
  assert.deepEqual(sessionFor(cached, going, user("2030-01-01T00:00:00Z")), { session: PARTING });
  const answer = sessionFor(cached, going, user());
  assert.ok("missing" in answer && answer.missing.message.includes("only what is being deleted may use it"));
});
