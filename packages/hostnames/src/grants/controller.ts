import { formatTime } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import { DomainClaim, HostnameGrant } from "@gatewright/resources";
import { after, done, isMissing, watching } from "@gatewright/runtime";
import type { ControllerDefinition, ReconcileContext } from "@gatewright/runtime";
import { GRANTED_LABEL, GRANT_NAME } from "../policy/policy-settings.ts";
import type { HostnameSettings } from "../settings.ts";
import { hostnamesOf, namespacesOf, placeOf, placesOf } from "./held-hostnames.ts";

const BY_NAMESPACE = "hostname-grants/namespace";

type Context = ReconcileContext<core.Namespace>;

/**
 * Keeps in each namespace the one HostnameGrant that admission looks at: the hostnames of claims that are held for it, and those that
 * platform people grant it in the edge namespace. A namespace that has one carries a label, by which the policies know whom to ask
 * for it. The label comes after the grant and goes before it, so that admission never misses a grant that it is told of.
 */
export function hostnameGrants({
  edgeNamespace,
  flushMs,
}: Pick<HostnameSettings, "edgeNamespace" | "flushMs">): ControllerDefinition<core.Namespace> {
  /** When a namespace's grant was looked at last: it is read and written as a whole, so many claims at once are gathered. */
  const lookedAt = new Map<string, number>();
  return {
    name: "hostname-grants",
    for: core.Namespace,
    when: (now, before) =>
      now === undefined ||
      before === undefined ||
      now.metadata.deletionTimestamp !== before.metadata.deletionTimestamp ||
      isLabelled(now) !== isLabelled(before),
    watches: [
      watching(DomainClaim, {
        map: (claim) => namespacesOf(claim).map((name) => ({ name })),
        when: holdingChanged,
        indexes: { [BY_NAMESPACE]: namespacesOf },
      }),
      watching(HostnameGrant, {
        map: ({ metadata: { name, namespace = "" }, spec }) => {
          if (name === GRANT_NAME) return [{ name: namespace }];
          return namespace === edgeNamespace ? [{ name: spec.namespace }] : [];
        },
        indexes: { [BY_NAMESPACE]: placesOf },
      }),
    ],
    access: [
      { resource: HostnameGrant, verbs: ["create", "patch", "delete"] },
      { resource: HostnameGrant, verbs: ["patch"], subresource: "status" },
      { resource: core.Namespace, verbs: ["patch"] },
    ],
    concurrency: 4,
    async reconcile(context) {
      const { object: namespace } = context;
      // What is in a namespace that goes is deleted with it, and nothing new can be made there.
      if (namespace === undefined || namespace.metadata.deletionTimestamp !== undefined) {
        lookedAt.delete(context.ref.name);
        return done();
      }
      const { name = "" } = namespace.metadata;
      const now = context.clock.monotonic();
      const waitMs = (lookedAt.get(name) ?? -Infinity) + flushMs - now;
      if (waitMs > 0) return after(waitMs);
      lookedAt.set(name, now);
      const claims = context.cached(DomainClaim).byIndex(BY_NAMESPACE, name);
      const grants = context.cached(HostnameGrant).byIndex(BY_NAMESPACE, placeOf(edgeNamespace, name));
      // Routes of the edge namespace are the operator's own, and not held to grants.
      const hostnames = name === edgeNamespace ? [] : hostnamesOf(claims, grants);
      if (hostnames.length === 0) await withdraw(context, namespace);
      else await grant(context, namespace, hostnames, grants);
      return done();
    },
  };
}

/** Claims write their status often; grants care for whose routes may use which name. */
function holdingChanged(
  claim: Immutable<DomainClaim> | undefined,
  previous: Immutable<DomainClaim> | undefined,
): boolean {
  if (claim === undefined || previous === undefined || claim.spec.hostname !== previous.spec.hostname) return true;
  const [now, before] = [namespacesOf(claim), namespacesOf(previous)];
  return now.length !== before.length || now.some((name, index) => name !== before[index]);
}

async function grant(
  context: Context,
  namespace: Immutable<core.Namespace>,
  hostnames: readonly string[],
  platform: readonly Immutable<HostnameGrant>[],
): Promise<void> {
  const { client, clock, signal } = context;
  const { name = "" } = namespace.metadata;
  const ref = { namespace: name, name: GRANT_NAME };
  let known = context.cached(HostnameGrant).get(ref);
  if (known === undefined || !grants(known, name, hostnames)) {
    const labels = { "app.kubernetes.io/managed-by": "gatewright" };
    const spec = { namespace: name, hostnames };
    known = await client.for(HostnameGrant).apply({ metadata: { ...ref, labels }, spec }, { signal });
  }
  for (const { metadata, status } of [known, ...platform]) {
    if (status?.grantedAt !== undefined) continue;
    const { namespace: home = "", name: own = "" } = metadata;
    const grantedAt = formatTime(clock.now());
    await client
      .for(HostnameGrant)
      .status.apply({ metadata: { namespace: home, name: own }, status: { grantedAt } }, { signal });
  }
  if (!isLabelled(namespace)) await label(context, name, GRANTED_LABEL.value);
}

async function withdraw(context: Context, namespace: Immutable<core.Namespace>): Promise<void> {
  const { name = "" } = namespace.metadata;
  if (isLabelled(namespace)) await label(context, name, null);
  const known = context.cached(HostnameGrant).get({ namespace: name, name: GRANT_NAME });
  if (known === undefined || known.metadata.deletionTimestamp !== undefined) return;
  const { uid } = known.metadata;
  const ref = { namespace: name, name: GRANT_NAME };
  try {
    await context.client
      .for(HostnameGrant)
      .delete(ref, { signal: context.signal, ...(uid !== undefined && { preconditions: { uid } }) });
  } catch (error) {
    if (!isMissing(error, HostnameGrant, ref)) throw error;
  }
}

async function label({ client, signal }: Context, name: string, value: string | null): Promise<void> {
  const labels = { [GRANTED_LABEL.key]: value };
  await client.for(core.Namespace).patch({ name }, { merge: { metadata: { labels } } }, { signal });
}

function isLabelled({ metadata }: Immutable<core.Namespace>): boolean {
  return metadata.labels?.[GRANTED_LABEL.key] === GRANTED_LABEL.value;
}

function grants({ spec }: Immutable<HostnameGrant>, namespace: string, hostnames: readonly string[]): boolean {
  return (
    spec.namespace === namespace &&
    spec.hostnames.length === hostnames.length &&
    spec.hostnames.every((name, index) => name === hostnames[index])
  );
}
