import { hash } from "node:crypto";
import { deepEqual, keyOf, refOf } from "@gatewright/kube";
import type { ApiObject, Immutable, ObjectRef, Resource } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import {
  confirmPresent,
  controllerOf,
  isAlreadyExists,
  isForbidden,
  isInvalid,
  isMissing,
  ownerReference,
  watching,
} from "@gatewright/runtime";
import type { Access, CacheReader, IndexFunction, ReconcileContext, Watch } from "@gatewright/runtime";
import type { Managed } from "../engine/aws-kind.ts";
import { REASONS } from "../reasons.ts";
import type { Reason } from "../reasons.ts";
import { outputData } from "./output-data.ts";

/** Outputs are as the spec says, or what is in the way. */
export type OutputsResult = "written" | { readonly reason: Reason; readonly message: string };

/** What a controller of a kind needs to write outputs. */
export interface Outputs {
  /** For the controller's own kind. */
  readonly indexes: Readonly<Record<string, IndexFunction<Managed>>>;
  /**
   * Wakes an object when what it wrote is changed or deleted, also by others, and when what stands in its way goes: a Secret, or a
   * ConfigMap that another object wrote. Other ConfigMaps are not watched.
   */
  readonly watches: readonly Watch[];
  readonly access: readonly Access[];
  /**
   * Sees to it that the Secret or ConfigMap that `writeOutputsTo` names has the outputs, and that no other one of this object is left.
   * Makes no call when all is as it was left. Never touches what is not the object's own. Rejects with `ObjectGoneError` when the
   * object is gone.
   */
  write(
    context: Pick<ReconcileContext<Managed>, "cached" | "client" | "signal">,
    object: Immutable<Managed>,
    outputs: Readonly<Record<string, string>>,
  ): Promise<OutputsResult>;
}

type Written = core.Secret | core.ConfigMap;
type Context = Parameters<Outputs["write"]>[0];

/** On what was written: `true`. */
const LABEL = "aws-infra-operator.runner.codes/outputs";
const BY_OWNER = "aws-outputs-owner";
/** Secrets as references watch them, so that they are watched once; of ConfigMaps none but ours. */
const SCOPES = { Secret: { metadataOnly: true }, ConfigMap: { metadataOnly: true, labelSelector: `${LABEL}=true` } };
const RESOURCES: readonly Resource<Written>[] = [core.Secret, core.ConfigMap];
const NONE: ReadonlySet<string> = new Set();
/** What is in memory of what was written: more than there are objects. */
const MOST = 100_000;

/** The same function for all controllers, which share the cache. */
const byOwner: IndexFunction<ApiObject> = (object) =>
  object.metadata.labels?.[LABEL] === "true" ? [controllerOf(object)?.uid ?? ""] : [];

const BY_TARGET = "aws-outputs-target";

/** Where an object wants its outputs. The same function for all controllers, too. */
const byTarget: IndexFunction<Managed> = ({ metadata: { namespace = "" }, spec: { writeOutputsTo: to } }) =>
  to === undefined ? [] : [idOf(to.kind, { namespace, name: to.name })];

/** The outputs of the objects of a kind. Make one for each controller. `secret`: outputs that only go to Secrets. */
export function createOutputs(owner: Resource, secret: ReadonlySet<string> = NONE): Outputs {
  /** Known since the first run: before that nothing was in anybody's way. */
  let objects: CacheReader<Managed> | undefined;
  const wanting = (target: string): readonly ObjectRef[] =>
    objects?.byIndex(BY_TARGET, target).map((object) => refOf(keyOf(object))) ?? [];
  /** What the server made of the last write, by kind and key: the caches have no content to compare. */
  const left = new Map<string, { readonly version: string; readonly desired: string }>();
  const remember = (id: string, written: Immutable<ApiObject>, desired: string): void => {
    left.delete(id);
    left.set(id, { version: versionOf(written), desired });
    if (left.size > MOST) for (const oldest of left.keys()) return void left.delete(oldest);
  };

  const put = async (context: Context, object: Immutable<Managed>, data: Readonly<Record<string, string>>) => {
    const { cached, client, signal } = context;
    const { kind, name } = object.spec.writeOutputsTo ?? { kind: "Secret", name: "" };
    const resource = resourceOf(kind);
    const ref: ObjectRef = { namespace: object.metadata.namespace ?? "", name };
    const id = idOf(kind, ref);
    const desired = hash("sha256", JSON.stringify([object.metadata.uid, data]), "base64");
    const known = cached(resource).get(ref);
    if (known !== undefined && left.get(id)?.desired === desired && left.get(id)?.version === versionOf(known)) return;
    const calls = client.for(resource);
    const found = await calls.find(ref, { signal });
    if (found === undefined) {
      await confirmPresent(client, owner, object, { signal });
      const ownerReferences = [ownerReference(object, owner)];
      const made = { metadata: { ...ref, labels: { [LABEL]: "true" }, ownerReferences }, ...contentOf(kind, data) };
      remember(id, await calls.create(made, { signal }), desired);
      return;
    }
    if (!isOwn(found, object)) throw new TakenError(kind, ref, found);
    const labels = { ...found.metadata.labels, [LABEL]: "true" };
    const content = contentOf(kind, data);
    const { binaryData, ...rest } = found as Immutable<core.ConfigMap>;
    const same =
      binaryData === undefined && found.metadata.labels?.[LABEL] === "true" && deepEqual(rest.data ?? {}, content.data);
    // Over the very version that was read: what somebody made of the name meanwhile is not written over.
    const wanted = { ...rest, metadata: { ...rest.metadata, labels }, ...content };
    remember(id, same ? found : await calls.update(wanted, { signal }), desired);
  };

  return {
    indexes: { [BY_TARGET]: byTarget },
    watches: RESOURCES.map((resource) =>
      watching(resource as Resource, {
        scope: SCOPES[resource.kind as keyof typeof SCOPES],
        indexes: { [BY_OWNER]: byOwner },
        map: (object) => [...ownersOf(object, owner), ...wanting(idOf(resource.kind, refOf(keyOf(object))))],
      }),
    ),
    access: RESOURCES.map((resource) => ({ resource, verbs: ["get", "create", "update", "delete"] })),
    async write(context, object, outputs) {
      objects = context.cached(owner as Resource<Managed>);
      const target = object.spec.writeOutputsTo;
      const rendered = target === undefined ? { data: {} } : outputData(target, outputs, secret);
      // What has no problem goes first: a name that changes must not leave its users without any.
      if ("problem" in rendered) return { reason: REASONS.OutputsInvalid, message: rendered.problem };
      try {
        if (target !== undefined) await put(context, object, rendered.data);
      } catch (error) {
        return problemOf(error, object);
      }
      await prune(context, object);
      return "written";
    },
  };
}

/** There is an object of that name, and it is somebody else's. */
class TakenError extends Error {
  constructor(kind: string, ref: ObjectRef, found: Immutable<ApiObject>) {
    const other = controllerOf(found);
    const whose = other === undefined ? "was not made by this object" : `belongs to ${other.kind} ${other.name}`;
    super(`${kind} ${ref.name} exists already and ${whose}: delete it, or choose another name in writeOutputsTo.`);
    this.name = "TakenError";
  }
}

/** What the owner of the object can do something about is told to them; the rest is an error of the run. */
function problemOf(error: unknown, { spec }: Immutable<Managed>): OutputsResult {
  if (error instanceof TakenError) return { reason: REASONS.OutputsTaken, message: error.message };
  const { kind, name } = spec.writeOutputsTo ?? { kind: "Secret", name: "" };
  if (isAlreadyExists(error)) {
    return { reason: REASONS.OutputsTaken, message: `${kind} ${name} was made by somebody else meanwhile.` };
  }
  if (!(error instanceof Error) || !(isInvalid(error) || isForbidden(error))) throw error;
  return { reason: REASONS.OutputsInvalid, message: `The API server refuses ${kind} ${name}: ${error.message}` };
}

/** Deletes what this object wrote elsewhere before, as it was seen. */
async function prune({ cached, client, signal }: Context, { metadata, spec }: Immutable<Managed>): Promise<void> {
  for (const resource of RESOURCES) {
    for (const each of cached(resource).byIndex(BY_OWNER, metadata.uid ?? "")) {
      const { uid = "", resourceVersion = "", name = "", namespace = "", deletionTimestamp } = each.metadata;
      if (resource.kind === spec.writeOutputsTo?.kind && name === spec.writeOutputsTo.name) continue;
      if (deletionTimestamp !== undefined) continue;
      const ref = { namespace, name };
      try {
        await client.for(resource).delete(ref, { preconditions: { uid, resourceVersion }, signal });
      } catch (error) {
        if (!isMissing(error, resource, ref)) throw error;
      }
    }
  }
}

/** What a Secret or ConfigMap is known by here: `Secret shop/orders`. */
function idOf(kind: string, ref: ObjectRef): string {
  return `${kind} ${keyOf(ref)}`;
}

function resourceOf(kind: string): Resource<Written> {
  return kind === "Secret" ? core.Secret : core.ConfigMap;
}

function isOwn(found: Immutable<ApiObject>, object: Immutable<Managed>): boolean {
  return controllerOf(found)?.uid === object.metadata.uid;
}

function versionOf({ metadata }: Immutable<ApiObject>): string {
  return `${metadata.uid}/${metadata.resourceVersion}`;
}

/** By name: when an object of that name was made anew, what the old one left behind stands in its way until it is gone. */
function ownersOf(object: Immutable<ApiObject>, owner: Resource): readonly ObjectRef[] {
  const reference = controllerOf(object);
  const [group = ""] = reference?.apiVersion.split("/") ?? [];
  if (reference === undefined || reference.kind !== owner.kind || group !== owner.group) return [];
  return [{ namespace: object.metadata.namespace ?? "", name: reference.name }];
}

/** All of it: what others put there goes. */
function contentOf(kind: string, data: Readonly<Record<string, string>>) {
  if (kind !== "Secret") return { data };
  const encoded = Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString("base64")] as const);
  return { type: "Opaque", data: Object.fromEntries(encoded) };
}
