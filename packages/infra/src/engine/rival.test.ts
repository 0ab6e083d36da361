import assert from "node:assert/strict";
import { test } from "node:test";
import { keyOf } from "@gatewright/kube";
import type { Immutable, ObjectRef } from "@gatewright/kube";
import { AWSProvider } from "@gatewright/resources";
import { sessionFor } from "../providers/session-for.ts";
import type { AnyKind, Managed } from "./aws-kind.ts";
import { rivalOf } from "./rival.ts";
import type { Session } from "./session.ts";
import { MADE, objectOf, SESSION } from "./testing/observations.ts";
import type { Cached, ManagedWorld } from "./world.ts";

const FAKE = "https://fake.example";
const { account: ACCOUNT } = SESSION;

interface Told {
  readonly spec?: Partial<AWSProvider["spec"]>;
  readonly account?: string;
  readonly ready?: "True" | "False";
  /** The generation that was checked; the provider's is 2. */
  readonly checked?: number;
}

function provider(
  namespace: string,
  { spec = {}, account = ACCOUNT, ready = "True", checked = 2 }: Told = {},
): AWSProvider {
  const known = { reason: "Known", message: "", lastTransitionTime: "2030-01-01T00:00:00Z" };
  return {
    apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
    kind: "AWSProvider",
    metadata: { namespace, name: "aws", uid: `uid-${namespace}`, generation: 2 },
    spec: { region: SESSION.region, ...spec },
    status: {
      accountID: account,
      conditions: [{ ...known, type: "Ready", status: ready, observedGeneration: checked }],
    },
  };
}

/** An object `orders` whose status says that its resource is in the account; the later the number, the younger. */
function orders(namespace: string, made: number, spec: Partial<Managed["spec"]> = {}): Immutable<Managed> {
  const object = objectOf(spec);
  const creationTimestamp = `2030-01-01T00:00:0${made}Z`;
  const metadata = { ...object.metadata, namespace, uid: `${namespace}-${made}`, creationTimestamp };
  return { ...object, metadata, status: { conditions: [], ...MADE } };
}

const VICTIM = orders("shop", 2);

/** Who stands in the way of the victim, whose own provider is open; others are open as told, by namespace. */
function rival(
  other: Immutable<Managed>,
  providers: readonly AWSProvider[],
  open: Readonly<Record<string, Session>> = {},
  { own = provider("shop"), session = SESSION }: { readonly own?: AWSProvider; readonly session?: Session } = {},
): string | undefined {
  const all = new Map([own, ...providers].map((each) => [keyOf(each), each]));
  const cached = ((resource: unknown) =>
    resource === AWSProvider
      ? { get: (ref: ObjectRef) => all.get(keyOf(ref)) }
      : { byIndex: () => [VICTIM, other] }) as unknown as Cached;
  const sessions = {
    of: ({ metadata: { namespace = "" } }: Immutable<AWSProvider>) =>
      namespace === "shop" ? session : open[namespace],
    onChange: () => () => {},
  };
  const world = {
    kind: { resource: {} } as AnyKind,
    sessionFor: (_: Cached, object: Immutable<Managed>) => sessionFor(cached, sessions, object),
  } as unknown as ManagedWorld;
  return rivalOf(world, cached, VICTIM, "orders", session);
}

test("an older object has the name where its provider is open and leads to the same place, and nowhere else", () => {
  const other = orders("blog", 1);
  const open = (more: Partial<Session>) => rival(other, [provider("blog")], { blog: { ...SESSION, ...more } });
  assert.equal(open({}), "blog/orders");
  assert.equal(open({ account: "222222222222" }), undefined);
  assert.equal(open({ region: "us-east-1" }), undefined);
  assert.equal(open({ endpoint: FAKE }), undefined);
  assert.equal(rival(orders("blog", 3), [provider("blog")], { blog: SESSION }), undefined);
});

test("it keeps the name when a process has just begun and has not opened its provider yet", () => {
  assert.equal(rival(orders("blog", 1), [provider("blog")]), "blog/orders");
  const lent = provider("platform", { spec: { allowedNamespaces: ["blog"] } });
  assert.equal(
    rival(orders("blog", 1, { providerRef: { name: "aws", namespace: "platform" } }), [lent]),
    "blog/orders",
  );
  const local = { ...SESSION, endpoint: "http://local" };
  assert.equal(rival(orders("blog", 1), [provider("blog")], {}, { session: local }), "blog/orders");
  const named = { own: provider("shop", { spec: { endpoint: FAKE } }), session: { ...SESSION, endpoint: FAKE } };
  assert.equal(rival(orders("blog", 1), [provider("blog", { spec: { endpoint: FAKE } })], {}, named), "blog/orders");
  assert.equal(rival(orders("blog", 1), [provider("blog")], {}, named), undefined);
});

test("who left the provider that called itself by the account of others has no names there, whatever its status says", () => {
  const evil = orders("evil", 1);
  assert.equal(rival(evil, []), undefined);
  assert.equal(
    rival(orders("evil", 1, { providerRef: { name: "aws", namespace: "blog" } }), [provider("blog")]),
    undefined,
  );
});

test("a provider that was not checked as it is now, or is not ready, or leads elsewhere, takes no names", () => {
  const evil = (told: Told) => rival(orders("evil", 1), [provider("evil", told)]);
  assert.equal(evil({ spec: { endpoint: FAKE } }), undefined);
  assert.equal(evil({ checked: 1 }), undefined);
  assert.equal(evil({ ready: "False" }), undefined);
  assert.equal(evil({ account: "222222222222" }), undefined);
  assert.equal(evil({ spec: { region: "us-east-1" } }), undefined);
});
