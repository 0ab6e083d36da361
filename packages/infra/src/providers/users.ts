import { isDNS1123Label, keyOf } from "@gatewright/kube";
import type { Immutable, Resource } from "@gatewright/kube";
import type { AWSProvider } from "@gatewright/resources";
import type { Client, ReconcileContext } from "@gatewright/runtime";
import { letsIn } from "./lets-in.ts";
import { BY_PROVIDER, providerOf } from "./provider-ref.ts";
import type { UsesProvider } from "./provider-ref.ts";

/** Namespaces that are looked at one by one. The operator may list all of them at once, as it does for its caches. */
const MOST_SCOPES = 20;

/** An object that uses a provider. */
export interface User {
  /** `SQSQueue shop/orders`. */
  readonly name: string;
  /** Where its resource is, once it has one. */
  readonly account: string | undefined;
  readonly region: string | undefined;
}

/** Who uses a provider, as the cache has it, in order. Who merely names it and is not let in holds nobody up. */
export function usersOf(
  cached: ReconcileContext<AWSProvider>["cached"],
  kinds: readonly Resource<UsesProvider>[],
  provider: Immutable<AWSProvider>,
): readonly User[] {
  const key = keyOf(provider);
  return kinds.flatMap((kind) =>
    cached(kind)
      .byIndex(BY_PROVIDER, key)
      .filter(({ metadata }) => letsIn(provider, metadata.namespace ?? ""))
      .map((object) => userOf(kind, object)),
  );
}

/**
 * Who uses a provider, as the server has it now: before it goes for good an old cache is not enough. Looks in all namespaces whose
 * objects can use it.
 */
export async function usersNow(
  client: Client,
  kinds: readonly Resource<UsesProvider>[],
  provider: Immutable<AWSProvider>,
  signal: AbortSignal,
): Promise<readonly User[]> {
  const key = keyOf(provider);
  const users: User[] = [];
  const scopes = scopesOf(provider);
  for (const kind of kinds) {
    for (const scope of scopes) {
      const { items } = await client.for(kind).list({ ...scope, signal });
      for (const object of items) {
        const uses = keyOf(providerOf(object)) === key && letsIn(provider, object.metadata.namespace ?? "");
        if (uses) users.push(userOf(kind, object));
      }
    }
  }
  return users;
}

/** What can be no namespace has no objects: the schema refuses it, but older providers may name it. */
function scopesOf({ metadata, spec }: Immutable<AWSProvider>): readonly { readonly namespace?: string }[] {
  const allowed = spec.allowedNamespaces ?? [];
  const named = allowed.filter((namespace) => isDNS1123Label(namespace).length === 0);
  const all = new Set([metadata.namespace ?? "", ...named]);
  if (allowed.includes("*") || all.size > MOST_SCOPES) return [{}];
  return [...all].map((namespace) => ({ namespace }));
}

function userOf({ kind }: Resource, object: Immutable<UsesProvider>): User {
  const { accountID: account, region } = object.status ?? {};
  return { name: `${kind} ${keyOf(object)}`, account, region };
}
