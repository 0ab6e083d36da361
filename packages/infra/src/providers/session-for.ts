import type { Immutable } from "@gatewright/kube";
import { AWSProvider } from "@gatewright/resources";
import type { ReconcileContext } from "@gatewright/runtime";
import type { Session } from "../engine/session.ts";
import { REASONS } from "../reasons.ts";
import type { Reason } from "../reasons.ts";
import { letsIn } from "./lets-in.ts";
import { providerOf } from "./provider-ref.ts";
import type { UsesProvider } from "./provider-ref.ts";
import type { Sessions } from "./sessions.ts";

/** The way into AWS for an object, or why there is none. */
export type SessionAnswer =
  | { readonly session: Session }
  | { readonly missing: { readonly reason: Reason; readonly message: string } };

/**
 * The session of the provider that an object names. A provider of another namespace must let the object's in; of one that does not,
 * nothing can be learned, not even whether it exists.
 */
export function sessionFor(
  cached: ReconcileContext<AWSProvider>["cached"],
  sessions: Sessions,
  object: Immutable<UsesProvider>,
): SessionAnswer {
  const ref = providerOf(object);
  const own = object.metadata.namespace ?? "";
  const provider = cached(AWSProvider).get(ref);
  const missing = (message: string): SessionAnswer => ({ missing: { reason: REASONS.ProviderNotReady, message } });
  if (ref.namespace !== own && !(provider && letsIn(provider, own))) {
    return missing(`There is no AWSProvider ${ref.name} in namespace ${ref.namespace} that lets namespace ${own} in.`);
  }
  if (provider === undefined) return missing(`There is no AWSProvider ${ref.name} in namespace ${own}.`);
  const session = sessions.of(provider);
  if (session === undefined) return missing(notReady(provider, own));
  if (session.parting === true && object.metadata.deletionTimestamp === undefined)
    return missing(`AWSProvider ${ref.name} is going, and so is its Secret: only what is being deleted may use it.`);
  return { session };
}

/** What is wrong in detail is for those who can see the provider. */
function notReady({ metadata, status }: Immutable<AWSProvider>, namespace: string): string {
  const ready = status?.conditions?.find(({ type, status: is }) => type === "Ready" && is !== "True");
  const name = metadata.namespace === namespace ? metadata.name : `${metadata.namespace}/${metadata.name}`;
  const why = ready === undefined ? "it is being checked" : ready.reason;
  return `AWSProvider ${name} is not ready: ${why}.`;
}
