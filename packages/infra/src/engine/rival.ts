import { keyOf } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import { AWSProvider } from "@gatewright/resources";
import { isTrue } from "@gatewright/runtime";
import type { IndexFunction } from "@gatewright/runtime";
import { letsIn } from "../providers/lets-in.ts";
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
      const place = "session" in known ? known.session : placeBefore(cached, other, object, session);
      return place !== undefined && isSamePlace(place, session);
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

/**
 * Where the provider of another leads as its status tells it: a process that has just begun has not opened it yet. Only of a spec that
 * was checked as it is now. Anybody can serve an endpoint that calls itself by the account of others, and then leave the provider or take
 * the endpoint out of it: what the object's own status says of where it is proves nothing.
 */
function placeBefore(
  cached: Cached,
  other: Immutable<Managed>,
  object: Immutable<Managed>,
  session: Session,
): Place | undefined {
  const provider = cached(AWSProvider).get(providerOf(other));
  if (provider === undefined || !letsIn(provider, other.metadata.namespace ?? "")) return undefined;
  const { metadata, spec, status } = provider;
  if (!isTrue(status?.conditions, "Ready", metadata.generation ?? 0)) return undefined;
  const own = cached(AWSProvider).get(providerOf(object))?.spec.endpoint;
  // Two that name none are both where the operator's own leads.
  const endpoint = spec.endpoint ?? (own === undefined ? session.endpoint : "elsewhere");
  return { account: status?.accountID, region: spec.region, endpoint };
}

/** Of two of the same second the one that has a resource already. */
function isOlder(one: Immutable<Managed>, other: Immutable<Managed>): boolean {
  const [a, b] = [one, other].map(({ metadata, status }) => {
    const has = status?.resource !== undefined && status.pending === undefined;
    return `${metadata.creationTimestamp} ${has ? 0 : 1} ${metadata.uid}`;
  });
  return (a ?? "") < (b ?? "");
}
