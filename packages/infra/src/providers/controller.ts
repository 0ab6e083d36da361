import { keyOf } from "@gatewright/kube";
import type { Immutable, ObjectKey, Resource } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import { aborted } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import { AWSProvider } from "@gatewright/resources";
import {
  after,
  annotationsChanged,
  done,
  generationChanged,
  updateStatus,
  watching,
  withFinalizer,
} from "@gatewright/runtime";
import type { ControllerDefinition, Outcome, ReconcileContext, Watch } from "@gatewright/runtime";
import { REASONS } from "../reasons.ts";
import type { Examine } from "./examine.ts";
import type { ProviderBook } from "./provider-book.ts";
import { BY_PROVIDER, byProvider, providerOf } from "./provider-ref.ts";
import type { UsesProvider } from "./provider-ref.ts";
import { ACCOUNT_CHANGED, IN_USE, statusOf } from "./provider-status.ts";
import { placeOf } from "./secret-keys.ts";
import { SecretFollowers } from "./secret-followers.ts";
import { usersNow, usersOf } from "./users.ts";
import type { User } from "./users.ts";
import { wayOf } from "./way.ts";

export const PROVIDER_FINALIZER = "aws-infra-operator.runner.codes/provider";

/** A question to one endpoint may take its time; those of others are asked meanwhile. */
const CONCURRENCY = 16;

/** Keeps a session for every provider that AWS takes the credentials of, and holds providers that are deleted until nobody uses them. */
export function awsProviders(
  { examine, book, clock }: { readonly examine: Examine; readonly book: ProviderBook; readonly clock: Clock },
  kinds: readonly Resource<UsesProvider>[],
): ControllerDefinition<AWSProvider> {
  const followers = new SecretFollowers();
  /** Providers whose status depends on who uses them: others are not looked at when users come and go, of which there may be many. */
  const minding = new Set<ObjectKey>();

  const look = async (
    context: ReconcileContext<AWSProvider>,
    provider: Immutable<AWSProvider>,
    users: readonly User[],
  ): Promise<Outcome> => {
    const { client, key, ref, signal, events } = context;
    // Before they are read: what changes after that is seen.
    followers.follow(ref, secretsOf(provider));
    const known = await examine(client, provider, signal);
    signal.throwIfAborted();
    book.set(ref, known);
    const status = statusOf(provider, known, users, clock.now());
    const mindsUsers = status.conditions?.some(({ type }) => type === IN_USE || type === ACCOUNT_CHANGED) === true;
    if (mindsUsers) minding.add(key);
    else minding.delete(key);
    const written = await updateStatus(client, AWSProvider, provider, status, { signal });
    tell(events, provider, written);
    return after(Math.max(1, known.dueAt - clock.monotonic()));
  };

  return {
    name: "aws-providers",
    for: AWSProvider,
    // Statuses are this controller's own; annotations ask for a check.
    when: (object, previous) => generationChanged(object, previous) || annotationsChanged(object, previous),
    watches: [
      watching(core.Secret, { scope: { metadataOnly: true }, map: (secret) => followers.of(keyOf(secret)) }),
      ...kinds.map((kind) => userWatch(kind, minding)),
    ],
    // In another's term nothing is kept: Secrets may change unseen.
    sources: [(_enqueue, signal) => aborted(signal).then(() => book.clear())],
    access: [
      { resource: AWSProvider, verbs: ["patch"] },
      { resource: AWSProvider, verbs: ["patch"], subresource: "status" },
      { resource: AWSProvider, verbs: ["update"], subresource: "finalizers" },
      { resource: core.Namespace, verbs: ["get"] },
    ],
    concurrency: CONCURRENCY,
    async reconcile(context) {
      const { object, key, ref, cached, client, signal } = context;
      const forget = (): void => {
        followers.follow(ref, []);
        minding.delete(key);
        book.forget(ref);
      };
      if (object === undefined) forget();
      return withFinalizer(context, {
        resource: AWSProvider,
        finalizer: PROVIDER_FINALIZER,
        reconcile: (held) => look(context, held, usersOf(cached, kinds, held)),
        async cleanup(held) {
          minding.add(key);
          const users = usersOf(cached, kinds, held);
          if (users.length > 0) return look(context, held, users);
          // Without a session nobody begins to use it while the server is asked who does.
          const known = book.get(held);
          book.forget(ref);
          const others = await usersNow(client, kinds, held, signal);
          if (others.length > 0) {
            if (known !== undefined) book.set(ref, known);
            return look(context, held, others);
          }
          forget();
          return done();
        },
      });
    },
  };
}

function secretsOf(provider: Immutable<AWSProvider>): readonly string[] {
  const { identity } = wayOf(provider);
  if (identity.from !== "secret") return [];
  const { id, secret, token } = identity;
  return [id, secret, ...(token === undefined ? [] : [token])].map(placeOf);
}

/** Users concern a provider that minds them when they come, go, leave it for another, or have a resource for the first time. */
function userWatch(kind: Resource<UsesProvider>, minding: ReadonlySet<ObjectKey>): Watch {
  return watching(kind, {
    indexes: { [BY_PROVIDER]: byProvider },
    when: (object, previous) =>
      object === undefined ||
      previous === undefined ||
      keyOf(providerOf(object)) !== keyOf(providerOf(previous)) ||
      object.status?.accountID !== previous.status?.accountID ||
      object.status?.region !== previous.status?.region,
    map: (object) => [providerOf(object)].filter((provider) => minding.has(keyOf(provider))),
  });
}

/** Says it once, when it changes. */
function tell(
  events: ReconcileContext<AWSProvider>["events"],
  before: Immutable<AWSProvider>,
  now: Immutable<AWSProvider>,
): void {
  const of = (provider: Immutable<AWSProvider>, type: string) =>
    provider.status?.conditions?.find((each) => each.type === type);
  const [was, is] = [of(before, "Ready"), of(now, "Ready")];
  if (is !== undefined && (was?.status !== is.status || was.reason !== is.reason)) {
    const type = is.status === "True" ? "Normal" : "Warning";
    events.record(now, { type, reason: is.reason, action: "Authenticate", note: is.message });
  }
  const [from, to] = [before.status?.accountID, now.status?.accountID];
  if (from !== undefined && from !== to) {
    const note = `The credentials lead to account ${to} instead of ${from}.`;
    events.record(now, { type: "Warning", reason: REASONS.AccountChanged.reason, action: "Authenticate", note });
  }
}
