import type { Immutable, ObjectRef } from "@gatewright/kube";
import type { AWSProvider } from "@gatewright/resources";
import type { Session } from "../engine/session.ts";

/** The ways into AWS that are open, by provider. */
export interface Sessions {
  /**
   * The session of a provider, as AWS last confirmed it. Undefined: AWS has not taken the credentials, or what the provider says now
   * was not checked yet. A session is only ever of the very spec that is given: who holds an older one gets nothing.
   */
  of(provider: Immutable<AWSProvider>): Session | undefined;
  /** Told when `of` answers otherwise than before for a provider. Returns how to stop listening. Must not throw. */
  onChange(listener: (provider: ObjectRef) => void): () => void;
}
