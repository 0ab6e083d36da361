import { keyOf } from "@gatewright/kube";
import type { ApiObject, Immutable, ObjectRef } from "@gatewright/kube";
import type { IndexFunction } from "@gatewright/runtime";

/** An object that names its provider. */
export type UsesProvider = ApiObject & {
  readonly spec: { readonly providerRef: { readonly name: string; readonly namespace?: string | undefined } };
  readonly status?: { readonly accountID?: string | undefined; readonly region?: string | undefined };
};

/** The provider that an object uses. */
export function providerOf({ metadata, spec }: Immutable<UsesProvider>): Required<ObjectRef> {
  const { name, namespace = metadata.namespace ?? "" } = spec.providerRef;
  return { namespace, name };
}

/** Index of objects by the key of their provider, the same for every kind that has one: `byIndex(BY_PROVIDER, keyOf(provider))`. */
export const BY_PROVIDER = "provider";

/** {@inheritDoc BY_PROVIDER} */
export const byProvider: IndexFunction<UsesProvider> = (object) => [keyOf(providerOf(object))];
