import { keyOf } from "@gatewright/kube";
import type { Immutable, Resource } from "@gatewright/kube";
import type { AWSProvider } from "@gatewright/resources";
import type { Client, ReconcileContext } from "@gatewright/runtime";
import { letsIn } from "./lets-in.ts";
import { BY_PROVIDER, providerOf } from "./provider-ref.ts";
import type { UsesProvider } from "./provider-ref.ts";

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
  const allowed = provider.spec.allowedNamespaces ?? [];
  const scopes = allowed.includes("*")
    ? [{}]
    : [...new Set([provider.metadata.namespace ?? "", ...allowed])].map((namespace) => ({ namespace }));
  const users: User[] = [];
  for (const kind of kinds) {
    for (const scope of scopes) {
      const { items } = await client.for(kind).list({ ...scope, signal });
      for (const object of items) if (keyOf(providerOf(object)) === key) users.push(userOf(kind, object));
    }
  }
  return users;
}

function userOf({ kind }: Resource, object: Immutable<UsesProvider>): User {
  const { accountID: account, region } = object.status ?? {};
  return { name: `${kind} ${keyOf(object)}`, account, region };
}
