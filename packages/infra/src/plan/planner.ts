import { AwsCallError } from "@gatewright/aws";
import type { CredentialSource, ReadFile, Send } from "@gatewright/aws";
import { keyOf } from "@gatewright/kube";
import type { ApiObject, Immutable, KubeObject, Resource } from "@gatewright/kube";
import type { Clock, Random } from "@gatewright/ports";
import { AWSProvider } from "@gatewright/resources";
import type { CacheReader, Client } from "@gatewright/runtime";
import type { AnyKind, Managed } from "../engine/aws-kind.ts";
import { wishOf } from "../engine/compare.ts";
import { classOf } from "../engine/error-class.ts";
import type { Session } from "../engine/session.ts";
import { createExamine } from "../providers/examine.ts";
import { ProviderBook } from "../providers/provider-book.ts";
import { providerOf } from "../providers/provider-ref.ts";
import { sessionFor } from "../providers/session-for.ts";
import { DEFAULT_PROVIDER_SETTINGS } from "../providers/settings.ts";
import { targetIn, targetOf } from "../references/reference-index.ts";
import { referencesOf } from "../references/known-kind.ts";
import { liveReader } from "../references/reference-reader.ts";
import { createSecretVersions } from "../references/secret-versions.ts";
import { forecastApply, forecastDelete } from "./forecast.ts";
import type { Forecast, Found } from "./forecast.ts";
import { foreseeGiven } from "./foresee-given.ts";
import { inOrderOfNeed } from "./plan-order.ts";

export interface PlannerOptions {
  /** Reads, and asks for dry runs. Nothing else. */
  readonly client: Client;
  readonly kinds: readonly AnyKind[];
  readonly clock: Clock;
  readonly random: Random;
  readonly send: Send;
  /** Where AWS is for providers that name no endpoint. Default: AWS's own. */
  readonly endpoint?: string;
  /** For providers that name none. Default: none. */
  readonly credentials?: CredentialSource;
  readonly webIdentity?: { readonly tokenFile: string; readonly readFile: ReadFile };
}

/** A call that would change AWS was asked for while a plan was made: a mistake of ours. It was not sent. */
export class PlanWroteError extends Error {
  constructor() {
    super("a plan tried to change something in AWS; nothing was sent");
    this.name = "PlanWroteError";
  }
}

/** Says what would happen, and makes nothing of it happen. */
export interface Planner {
  /** Of objects as files have them: what the operator would do once they are applied, or deleted. In the order in which it would. */
  plan(objects: readonly KubeObject[], what: "apply" | "delete", signal: AbortSignal): Promise<readonly Forecast[]>;
}

interface Subject {
  readonly key: string;
  readonly needs: readonly string[];
  readonly kind: AnyKind;
  readonly object: Immutable<Managed>;
}

/**
 * Plans with the same reads and comparisons as the operator. The API server is asked what it would make of the objects, with its
 * defaults and rules; AWS is only read: every call that changes something is refused before it leaves.
 */
export function createPlanner(options: PlannerOptions): Planner {
  const { client, kinds } = options;
  const dry = client.with({ dryRun: true });
  const versions = createSecretVersions();
  const book = new ProviderBook();
  const settings = { ...DEFAULT_PROVIDER_SETTINGS, loopbackEndpoints: true };
  const gate = (): void => {
    throw new PlanWroteError();
  };
  const examine = createExamine({ ...options, tenantSend: options.send, gate }, settings, book);

  const subjectOf = (kind: AnyKind, object: Immutable<Managed>): Subject => ({
    key: targetOf(kind.resource.kind, object.metadata.namespace, object.metadata.name),
    needs: referencesOf(kind, object).map((reference) => targetIn(object, reference)),
    kind,
    object,
  });

  /** The object as it would be. */
  const applied = async <T extends ApiObject>(
    resource: Resource<T>,
    wanted: KubeObject,
    signal: AbortSignal,
  ): Promise<Immutable<T>> => {
    const { namespace = "", name = "" } = wanted.metadata;
    const stored = await client.for(resource).find({ namespace, name }, { signal });
    if (stored === undefined) return dry.for(resource).create(wanted as never, { signal });
    const { labels, annotations } = wanted.metadata;
    const metadata = {
      ...stored.metadata,
      labels: { ...stored.metadata.labels, ...labels },
      annotations: { ...stored.metadata.annotations, ...annotations },
    };
    const { spec } = wanted;
    return dry.for(resource).update({ ...stored, metadata, spec } as Immutable<T>, { signal });
  };

  const session = async (
    object: Immutable<Managed>,
    providers: ReadonlyMap<string, Immutable<AWSProvider>>,
    signal: AbortSignal,
  ): Promise<{ readonly session: Session } | { readonly trouble: string }> => {
    const ref = providerOf(object);
    const provider = providers.get(keyOf(ref)) ?? (await client.for(AWSProvider).find(ref, { signal }));
    if (provider !== undefined && book.get(provider) === undefined)
      book.set(ref, await examine(client, provider, signal));
    const reader = { get: () => provider } as unknown as CacheReader<never>;
    const answer = sessionFor(() => reader, book, object);
    if ("session" in answer) return answer;
    const own = provider !== undefined && ref.namespace === object.metadata.namespace;
    const why = own ? book.get(provider)?.trouble?.message : undefined;
    return { trouble: why === undefined ? answer.missing.message : `AWSProvider ${ref.name}: ${why}` };
  };

  const forecast = async (
    { kind, object }: Subject,
    what: "apply" | "delete",
    coming: ReadonlySet<string>,
    providers: ReadonlyMap<string, Immutable<AWSProvider>>,
    signal: AbortSignal,
  ): Promise<Forecast> => {
    const { namespace = "", name = "", deletionTimestamp } = object.metadata;
    const named = { kind: kind.resource.kind, namespace, name };
    const blocked = (note: string): Forecast => ({
      ...named,
      action: "Blocked",
      id: object.status?.resource?.id ?? kind.nameOf(object.spec),
      changes: [],
      notes: [note],
      approval: undefined,
    });
    const way = await session(object, providers, signal);
    if ("trouble" in way) return blocked(way.trouble);
    const ground = { ...way.session, signal };
    const gathered = await foreseeGiven(liveReader(client, signal), versions, kinds, kind, object, coming);
    try {
      if (what === "delete" || deletionTimestamp !== undefined) {
        return { ...named, ...forecastDelete(kind, object, await look(kind, object, ground, [])) };
      }
      if ("missing" in gathered) return blocked(`It would wait. ${gathered.missing.message}`);
      const { declared } = wishOf(kind, object, gathered.given);
      const found = await look(kind, object, ground, declared);
      if (found === "ambiguous")
        return blocked("More than one resource has the tags that management.adopt.byTags names.");
      return { ...named, ...forecastApply(kind, object, gathered.given, way.session, found) };
    } catch (error) {
      if (!(error instanceof AwsCallError)) throw error;
      return blocked(classOf(error).message);
    }
  };

  return {
    async plan(objects, what, signal) {
      const providers = new Map<string, Immutable<AWSProvider>>();
      for (const each of objects.filter((one) => isOf(AWSProvider, one))) {
        const provider = await applied(AWSProvider, each, signal);
        providers.set(keyOf(provider), provider);
      }
      const subjects: Subject[] = [];
      for (const each of objects) {
        const kind = kinds.find(({ resource }) => isOf(resource, each));
        if (kind === undefined) continue;
        const { namespace = "", name = "" } = each.metadata;
        const stored =
          what === "delete" ? await client.for(kind.resource).find({ namespace, name }, { signal }) : undefined;
        if (what === "delete" && stored === undefined) continue;
        subjects.push(subjectOf(kind, stored ?? (await applied(kind.resource, each, signal))));
      }
      const ordered = inOrderOfNeed(subjects);
      const coming = new Set(what === "apply" ? ordered.map(({ key }) => key) : []);
      const forecasts: Forecast[] = [];
      for (const each of what === "delete" ? [...ordered].reverse() : ordered)
        forecasts.push(await forecast(each, what, coming, providers, signal));
      return forecasts;
    },
  };
}

/** Reads the resource of an object. */
async function look(
  kind: AnyKind,
  object: Immutable<Managed>,
  ground: Session & { readonly signal: AbortSignal },
  declared: readonly string[],
): Promise<Found> {
  const wanted = new Set([...declared, ...(object.status?.resource?.fields ?? [])]);
  const id = object.status?.resource?.id ?? kind.nameOf(object.spec) ?? (await tagged(kind, object, ground));
  if (id === undefined) return "unnamed";
  if (id === "ambiguous") return "ambiguous";
  const seen = await kind.read(ground, id, wanted);
  return seen === "absent" ? "absent" : { seen };
}

/** The one resource that has all the tags of the consent. */
async function tagged(
  kind: AnyKind,
  object: Immutable<Managed>,
  ground: Session & { readonly signal: AbortSignal },
): Promise<string | undefined> {
  const { byTags } = object.spec.management?.adopt ?? {};
  if (byTags === undefined || kind.findTagged === undefined) return undefined;
  let ids: readonly string[] | undefined;
  for (const [key, value] of Object.entries(byTags)) {
    const found = await kind.findTagged(ground, key, value);
    ids = ids === undefined ? found : ids.filter((id) => found.includes(id));
  }
  return ids !== undefined && ids.length > 1 ? "ambiguous" : ids?.[0];
}

function isOf({ group, version, kind }: Resource, object: Pick<KubeObject, "apiVersion" | "kind">): boolean {
  return object.kind === kind && object.apiVersion === `${group}/${version}`;
}
