import type { CredentialSource, Send } from "@gatewright/aws";
import { keyOf } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import type { Clock, Random } from "@gatewright/ports";
import { AWSProvider } from "@gatewright/resources";
import type { CacheReader, Client } from "@gatewright/runtime";
import type { Managed } from "../engine/aws-kind.ts";
import type { Session } from "../engine/session.ts";
import { createExamine } from "../providers/examine.ts";
import { ProviderBook } from "../providers/provider-book.ts";
import { providerOf } from "../providers/provider-ref.ts";
import { sessionFor } from "../providers/session-for.ts";
import { DEFAULT_PROVIDER_SETTINGS } from "../providers/settings.ts";
import { REASONS } from "../reasons.ts";

/** What ways into AWS are opened with, to look around. */
export interface PlanSessionOptions {
  /** Reads, and asks for dry runs. Nothing else. */
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly send: Send;
  /** Where AWS is for providers that name no endpoint. Default: AWS's own. */
  readonly endpoint?: string;
  /** For providers that name none. Default: none. */
  readonly credentials?: CredentialSource;
}

const OWN_IDENTITY = "It acts as the operator itself, whose credentials are not here: give some in the environment.";

/** A call that would change AWS was asked for while a plan was made: a mistake of ours. It was not sent. */
export class PlanWroteError extends Error {
  constructor() {
    super("a plan tried to change something in AWS; nothing was sent");
    this.name = "PlanWroteError";
  }
}

/** Opens the way into AWS that an object's provider says. `providers`: those that are planned too, by key; others are read. */
export type PlanSessions = (
  object: Immutable<Managed>,
  providers: ReadonlyMap<string, Immutable<AWSProvider>>,
  signal: AbortSignal,
) => Promise<{ readonly session: Session } | { readonly trouble: string }>;

/** Ways by which nothing can be changed: every call that would is refused before it leaves. */
export function planSessions(options: PlanSessionOptions): PlanSessions {
  const { client } = options;
  const book = new ProviderBook();
  const settings = { ...DEFAULT_PROVIDER_SETTINGS, loopbackEndpoints: true };
  const gate = (): void => {
    throw new PlanWroteError();
  };
  const examine = createExamine({ ...options, tenantSend: options.send, gate }, settings, book);
  return async (object, providers, signal) => {
    const ref = providerOf(object);
    const provider = providers.get(keyOf(ref)) ?? (await client.for(AWSProvider).find(ref, { signal }));
    if (provider !== undefined && book.get(provider) === undefined)
      book.set(ref, await examine(client, provider, signal));
    const reader = { get: () => provider } as unknown as CacheReader<never>;
    const answer = sessionFor(() => reader, book, object);
    if ("session" in answer) return answer;
    const own = provider !== undefined && ref.namespace === object.metadata.namespace;
    const why = own ? book.get(provider)?.trouble : undefined;
    if (why === undefined) return { trouble: answer.missing.message };
    const told = why.reason.reason === REASONS.NoOwnIdentity.reason ? OWN_IDENTITY : why.message;
    return { trouble: `AWSProvider ${ref.name}: ${told}` };
  };
}
