import type { Aws } from "@gatewright/aws";
import { keyOf } from "@gatewright/kube";
import type { Immutable, ObjectKey, ObjectRef } from "@gatewright/kube";
import type { AWSProvider } from "@gatewright/resources";
import type { Session } from "../engine/session.ts";
import type { Place } from "./account-budgets.ts";
import type { CallerIdentity } from "./check-identity.ts";
import type { OpenWay } from "./open-way.ts";
import type { Refusal } from "./refusal.ts";
import type { SecretKeys } from "./secret-keys.ts";
import type { Sessions } from "./sessions.ts";
import { wayKey, wayOf } from "./way.ts";

/** What is known of one provider. */
export interface Known {
  readonly uid: string;
  readonly generation: number;
  /** Of {@link wayKey}: what was checked. */
  readonly way: string;
  /** Of the Secrets that were used; empty where there are none. */
  readonly version: string;
  /** The last value of the annotation that asks for a check. */
  readonly asked: string | undefined;
  /** The provider's own keys as AWS took them last. */
  readonly lastKeys: SecretKeys | undefined;
  /** It stands on its last keys, whose Secret is gone: what is being deleted may use it, and nobody else. */
  readonly parting: boolean;
  readonly open: OpenWay | undefined;
  readonly session: { readonly aws: Aws; readonly identity: CallerIdentity; readonly place: Place } | undefined;
  /** Why there is no session, or why nothing is heard of AWS though there is one. */
  readonly trouble: Refusal | undefined;
  /** Checks in a row that brought no session, or no news of it. */
  readonly failures: number;
  /** On the monotonic clock: when AWS is asked again. */
  readonly dueAt: number;
}

/** All providers of this process and the sessions that they have. What is kept of one is never shown to another. */
export class ProviderBook implements Sessions {
  readonly #known = new Map<ObjectKey, Known>();
  readonly #listeners = new Set<(provider: ObjectRef) => void>();

  of(provider: Immutable<AWSProvider>): Session | undefined {
    const { uid, way, session, parting = false } = this.#known.get(keyOf(provider)) ?? {};
    if (session === undefined || uid !== provider.metadata.uid || way !== wayKey(wayOf(provider))) return undefined;
    const { aws, identity, place } = session;
    return {
      key: JSON.stringify([uid, place.endpoint, place.account, place.region]),
      aws,
      account: identity.account,
      region: place.region,
      ...(place.endpoint !== undefined && { endpoint: place.endpoint }),
      partition: identity.partition,
      defaultTags: provider.spec.defaultTags ?? {},
      parting,
    };
  }

  onChange(listener: (provider: ObjectRef) => void): () => void {
    const own = (provider: ObjectRef): void => listener(provider);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  /** Of this very provider: one that had its name before is nobody. */
  get(provider: Immutable<AWSProvider>): Known | undefined {
    const known = this.#known.get(keyOf(provider));
    return known?.uid === provider.metadata.uid ? known : undefined;
  }

  set(ref: ObjectRef, known: Known): void {
    const before = this.#known.get(keyOf(ref));
    this.#known.set(keyOf(ref), known);
    if (isNews(before, known)) this.#tell(ref);
  }

  forget(ref: ObjectRef): void {
    if (this.#known.delete(keyOf(ref))) this.#tell(ref);
  }

  clear(): void {
    this.#known.clear();
  }

  places(): readonly Place[] {
    return [...this.#known.values()].flatMap(({ session }) => (session === undefined ? [] : [session.place]));
  }

  #tell(ref: ObjectRef): void {
    for (const listener of this.#listeners) listener(ref);
  }
}

/** New keys are news though they lead to the same place: what was refused before may be allowed now. */
function isNews(before: Known | undefined, now: Known): boolean {
  if (before === undefined) return now.session !== undefined;
  return (
    before.session !== now.session ||
    before.uid !== now.uid ||
    before.way !== now.way ||
    before.version !== now.version ||
    before.parting !== now.parting ||
    before.generation !== now.generation
  );
}
