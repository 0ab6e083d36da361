import { AwsCallError } from "@gatewright/aws";
import { keyOf, StatusError } from "@gatewright/kube";
import type { ApiObject, Immutable, KubeObject, Resource } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import { AWSProvider } from "@gatewright/resources";
import type { AnyKind, Managed } from "../engine/aws-kind.ts";
import { wishOf } from "../engine/compare.ts";
import { classOf } from "../engine/error-class.ts";
import { knownId } from "../engine/memory.ts";
import { isOwn, ownerOf } from "../engine/owner-tags.ts";
import type { Tags } from "../engine/owner-tags.ts";
import { referencesOf } from "../references/known-kind.ts";
import { targetIn, targetOf } from "../references/reference-index.ts";
import { liveReader } from "../references/reference-reader.ts";
import { createSecretVersions } from "../references/secret-versions.ts";
import { appliedSpec } from "./applied-spec.ts";
import { endlessWait } from "./endless-wait.ts";
import { foreseeGiven } from "./foresee-given.ts";
import type { Foreseen } from "./foresee-given.ts";
import { forecastApply, forecastDelete, forecastRelease } from "./forecast.ts";
import type { Forecast } from "./forecast.ts";
import { liveUsersOf } from "./live-users.ts";
import { look } from "./look.ts";
import { inOrderOfNeed } from "./plan-order.ts";
import { planSessions } from "./plan-sessions.ts";
import type { PlanSessionOptions, PlanSessions } from "./plan-sessions.ts";
import { withSecretsToCome } from "./secrets-to-come.ts";

export interface PlannerOptions extends PlanSessionOptions {
  readonly kinds: readonly AnyKind[];
}

/** Says what would happen, and makes nothing of it happen. */
export interface Planner {
  /** Of objects as files have them: what the operator would do once they are applied, or deleted. In the order in which it would. */
  plan(objects: readonly KubeObject[], what: "apply" | "delete", signal: AbortSignal): Promise<readonly Forecast[]>;
}

const ALWAYS_THERE = "default";

interface Subject {
  readonly key: string;
  readonly needs: readonly string[];
  readonly kind: AnyKind;
  readonly object: Immutable<Managed>;
}

type Foreseeing = Subject & { readonly foreseen: Foreseen };

/** The cluster as it will be once the objects are applied. */
interface Prospect {
  readonly sessionOf: PlanSessions;
  readonly providers: ReadonlyMap<string, Immutable<AWSProvider>>;
  /** What an object waits for that is made first. */
  readonly awaited: (key: string) => readonly string[];
  /** Objects that wait for something that nobody here does. */
  readonly stuck: ReadonlySet<string>;
}

/**
 * Plans with the same reads and comparisons as the operator. The API server is asked what it would make of the objects, with its
 * defaults and rules; AWS is only read: every call that changes something is refused before it leaves.
 */
export function createPlanner(options: PlannerOptions): Planner {
  const { client, kinds } = options;
  const dry = client.with({ dryRun: true });
  const versions = createSecretVersions();

  const subjectOf = (kind: AnyKind, object: Immutable<Managed>): Subject => ({
    key: targetOf(kind.resource.kind, object.metadata.namespace, object.metadata.name),
    needs: referencesOf(kind, object).map((reference) => targetIn(object, reference)),
    kind,
    object,
  });

  /** The object as it would be. A namespace that is to come is not there for a dry run either: then another one is asked. */
  const applied = async <T extends ApiObject>(
    resource: Resource<T>,
    wanted: KubeObject,
    coming: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<Immutable<T>> => {
    const { namespace = "", name = "" } = wanted.metadata;
    const stored = await client.for(resource).find({ namespace, name }, { signal });
    if (stored === undefined && coming.has(namespace)) {
      const { name: _, ...rest } = wanted.metadata;
      const elsewhere = { ...wanted, metadata: { ...rest, namespace: ALWAYS_THERE, generateName: "plan-" } };
      const made = await dry.for(resource).create(elsewhere as never, { signal });
      return { ...made, metadata: { ...made.metadata, namespace, name } };
    }
    if (stored === undefined) return dry.for(resource).create(wanted as never, { signal });
    const { labels = {}, annotations = {} } = wanted.metadata;
    const merge = { metadata: { labels, annotations }, spec: appliedSpec(stored, wanted) };
    return dry.for(resource).patch({ namespace, name }, { merge }, { signal });
  };

  /** Whether the tags of a resource name another object that is there, as far as whoever plans may see it. */
  const isOthers = async (
    kind: AnyKind,
    object: Immutable<Managed>,
    tags: Tags,
    signal: AbortSignal,
  ): Promise<boolean> => {
    const owner = ownerOf(tags);
    if (owner === undefined || isOwn(tags, object)) return false;
    const find = client.for(kind.resource).find(owner.ref, { signal });
    const found = await find.catch((error: unknown) => {
      if (!isRefusal(error)) throw error;
      return undefined;
    });
    return found?.metadata.uid === owner.uid;
  };

  /** Namespaces among the objects that are not there yet. */
  const namespacesToCome = async (
    objects: readonly KubeObject[],
    signal: AbortSignal,
  ): Promise<ReadonlySet<string>> => {
    const coming = new Set<string>();
    for (const { metadata } of objects.filter((one) => isOf(core.Namespace, one))) {
      const { name = "" } = metadata;
      if ((await client.for(core.Namespace).find({ name }, { signal })) === undefined) coming.add(name);
    }
    return coming;
  };

  const forecast = async (
    { key, kind, object, foreseen }: Foreseeing,
    what: "apply" | "delete",
    together: ReadonlySet<string>,
    { sessionOf, providers, awaited, stuck }: Prospect,
    signal: AbortSignal,
  ): Promise<Forecast> => {
    const { namespace = "", name = "", deletionTimestamp } = object.metadata;
    const named = { kind: kind.resource.kind, namespace, name };
    const blocked = (note: string): Forecast => ({
      ...named,
      action: "Blocked",
      id: knownId(object.status ?? {}) ?? kind.nameOf(object.spec),
      changes: [],
      notes: [note],
      approval: undefined,
    });
    const deleting = what === "delete" || deletionTimestamp !== undefined;
    const released = deleting ? forecastRelease(kind, object) : undefined;
    if (released !== undefined) return { ...named, ...released };
    const way = await sessionOf(object, providers, signal);
    if ("trouble" in way) return blocked(way.trouble);
    const ground = { ...way.session, signal };
    try {
      if (deleting) {
        const told = forecastDelete(kind, object, way.session, await look(kind, object, ground, []));
        const users = told.action === "Delete" ? await liveUsersOf(client, kinds, kind, object, together, signal) : [];
        const waits = users.map((user) => `It waits until ${user} is gone, which refers to it.`);
        return { ...named, ...told, notes: [...told.notes, ...waits] };
      }
      if ("missing" in foreseen) return blocked(`It would wait. ${foreseen.missing.message}`);
      const endless = endlessWait(key, awaited, stuck);
      if (endless !== undefined) return blocked(endless);
      const { declared } = wishOf(kind, object, foreseen.given);
      const found = await look(kind, object, ground, declared);
      if (found === "ambiguous")
        return blocked("More than one resource has the tags that management.adopt.byTags names.");
      const ownerLives = typeof found === "object" && (await isOthers(kind, object, kind.tagsOf(found.seen), signal));
      return { ...named, ...forecastApply(kind, object, foreseen.given, way.session, found, ownerLives) };
    } catch (error) {
      if (!(error instanceof AwsCallError)) throw error;
      return blocked(classOf(error).message);
    }
  };

  return {
    async plan(given, what, signal) {
      const objects = lastOfEach(given);
      const coming = await namespacesToCome(objects, signal);
      const refused: Forecast[] = objects.filter((each) => isUnknown(each, kinds)).map(unknownOf);
      const accepted = <T extends ApiObject>(
        resource: Resource<T>,
        wanted: KubeObject,
      ): Promise<Immutable<T> | undefined> =>
        applied(resource, wanted, coming, signal).catch((error: unknown) => {
          if (!isRefusal(error)) throw error;
          refused.push(refusalOf(wanted, error));
          return undefined;
        });
      const providers = new Map<string, Immutable<AWSProvider>>();
      for (const each of what === "delete" ? [] : objects.filter((one) => isOf(AWSProvider, one))) {
        const provider = await accepted(AWSProvider, each);
        if (provider !== undefined) providers.set(keyOf(provider), provider);
      }
      const subjects: Subject[] = [];
      for (const each of objects) {
        const kind = kinds.find(({ resource }) => isOf(resource, each));
        if (kind === undefined) continue;
        const { namespace = "", name = "" } = each.metadata;
        const object =
          what === "delete"
            ? await client.for(kind.resource).find({ namespace, name }, { signal })
            : await accepted(kind.resource, each);
        if (object !== undefined) subjects.push(subjectOf(kind, object));
      }
      const seeing = what === "delete" ? client : withSecretsToCome(client, objects, versions);
      const reader = liveReader(seeing, signal);
      const together = new Set(subjects.map(({ key }) => key));
      const ordered: Foreseeing[] = [];
      for (const each of inOrderOfNeed(subjects)) {
        const foreseen = await foreseeGiven(reader, versions, kinds, each.kind, each.object, together);
        ordered.push({ ...each, foreseen });
      }
      const awaits = new Map(ordered.map(({ key, foreseen }) => [key, "awaits" in foreseen ? foreseen.awaits : []]));
      const stuck = new Set<string>();
      const prospect: Prospect = {
        sessionOf: planSessions({ ...options, client: seeing }),
        providers,
        awaited: (key) => awaits.get(key) ?? [],
        stuck,
      };
      const forecasts = refused;
      for (const each of what === "delete" ? ordered.reverse() : ordered) {
        const told = await forecast(each, what, together, prospect, signal);
        if (told.action === "Blocked") stuck.add(each.key);
        forecasts.push(told);
      }
      return forecasts;
    },
  };
}

/** Whether the API server has answered, and will not have the object: by its rules, or since the caller may not. */
function isRefusal(error: unknown): error is StatusError {
  return error instanceof StatusError && [400, 403, 404, 409, 413, 422].includes(error.code);
}

/** Of an object that is there more than once the last one counts, as when files are applied. */
function lastOfEach(objects: readonly KubeObject[]): readonly KubeObject[] {
  const id = (object: KubeObject): string => `${object.apiVersion} ${object.kind} ${keyOf(object)}`;
  return [...new Map(objects.map((object) => [id(object), object])).values()];
}

/** Whether an object is of the group of AWS resources, and of a kind or version that there is not. */
function isUnknown(object: KubeObject, kinds: readonly AnyKind[]): boolean {
  if (!object.apiVersion.startsWith(`${AWSProvider.group}/`)) return false;
  return !isOf(AWSProvider, object) && !kinds.some(({ resource }) => isOf(resource, object));
}

function unknownOf({ apiVersion, kind, metadata }: KubeObject): Forecast {
  const { namespace = "", name = "" } = metadata;
  const notes = [`There is no kind ${kind} in ${apiVersion}.`];
  return { kind, namespace, name, action: "Blocked", id: undefined, changes: [], notes, approval: undefined };
}

function refusalOf({ kind, metadata }: KubeObject, { message }: StatusError): Forecast {
  const { namespace = "", name = "" } = metadata;
  const notes = [`The API server refuses it: ${message}`];
  return { kind, namespace, name, action: "Blocked", id: undefined, changes: [], notes, approval: undefined };
}

function isOf({ group, version, kind }: Resource, object: Pick<KubeObject, "apiVersion" | "kind">): boolean {
  return object.kind === kind && object.apiVersion === (group === "" ? version : `${group}/${version}`);
}
