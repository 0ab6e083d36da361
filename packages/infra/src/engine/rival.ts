import { keyOf } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import { AWSProvider } from "@gatewright/resources";
import type { IndexFunction } from "@gatewright/runtime";
import { providerOf } from "../providers/provider-ref.ts";
import type { AnyKind, Managed } from "./aws-kind.ts";
import type { Session } from "./session.ts";
import type { Cached, ManagedWorld } from "./world.ts";

/** Index of objects by the name that AWS knows their resources by. */
const BY_NAME = "aws-name";

const made = new WeakMap<AnyKind, IndexFunction<Managed>>();

/** The index of a kind: the same function for all controllers, which share the cache. */
export function nameIndex(kind: AnyKind): Readonly<Record<string, IndexFunction<Managed>>> {
  const index: IndexFunction<Managed> =
    made.get(kind) ??
    (({ spec }) => {
      const name = kind.nameOf(spec);
      return name === undefined ? [] : [name];
    });
  made.set(kind, index);
  return { [BY_NAME]: index };
}

/** The key of an older object that stands for the resource of this name in the same account and region, as the cache has them. */
export function rivalOf(
  { kind, sessionFor }: ManagedWorld,
  cached: Cached,
  object: Immutable<Managed>,
  name: string,
  session: Session,
): string | undefined {
  if (object.spec.management?.mode === "Observe") return undefined;
  const rival = cached(kind.resource)
    .byIndex(BY_NAME, name)
    .find((other) => {
      if (other.metadata.uid === object.metadata.uid || other.spec.management?.mode === "Observe") return false;
      if (!isOlder(other, object)) return false;
      const known = sessionFor(cached, other);
      if ("session" in known) return isSamePlace(known.session, session);
      const { accountID: account, region } = other.status ?? {};
      const endpoint = namedEndpoint(cached, other) === namedEndpoint(cached, object) ? session.endpoint : "elsewhere";
      return isSamePlace({ account, region, endpoint }, session);
    });
  return rival === undefined ? undefined : keyOf(rival);
}

/** Objects of the same name besides this one: a change of it may let one of them in. */
export function namesakes(kind: AnyKind, cached: Cached, object: Immutable<Managed>): readonly Immutable<Managed>[] {
  const name = kind.nameOf(object.spec);
  if (name === undefined) return [];
  return cached(kind.resource)
    .byIndex(BY_NAME, name)
    .filter(({ metadata }) => metadata.uid !== object.metadata.uid);
}

type Place = { readonly [Part in "account" | "region" | "endpoint"]?: Session[Part] | undefined };

function isSamePlace(one: Place, other: Place): boolean {
  return one.account === other.account && one.region === other.region && one.endpoint === other.endpoint;
}

/** Anybody can serve an endpoint that calls itself by the account of others: what is there is no rival of what is in AWS. */
function namedEndpoint(cached: Cached, object: Immutable<Managed>): string | undefined {
  return cached(AWSProvider).get(providerOf(object))?.spec.endpoint;
}

/** Of two of the same second the one that has a resource already. */
function isOlder(one: Immutable<Managed>, other: Immutable<Managed>): boolean {
  const [a, b] = [one, other].map(({ metadata, status }) => {
    const has = status?.resource !== undefined && status.pending === undefined;
    return `${metadata.creationTimestamp} ${has ? 0 : 1} ${metadata.uid}`;
  });
  return (a ?? "") < (b ?? "");
}
