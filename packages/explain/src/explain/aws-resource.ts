import { isObject } from "@gatewright/kube";
import type { Immutable, Json, Resource } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import { AWSProvider, SNSTopic, SQSQueue } from "@gatewright/resources";
import type { ManagedSpec, ManagedStatus } from "@gatewright/resources";
import type { NextStep } from "../answer.ts";
import type { Cause } from "../chain.ts";
import type { Known } from "../known.ts";
import { link, unreadLink } from "../link.ts";
import { subjectOf, subjectOfObject } from "../subject.ts";
import { objectLink } from "./object-link.ts";
import type { Conditioned } from "./object-link.ts";

/** An object that stands for an AWS resource. */
export type AwsObject = Conditioned & {
  readonly spec: Immutable<Pick<ManagedSpec, "providerRef">>;
  readonly status?: Immutable<ManagedStatus>;
};

const WORDS = ["infra", "found"] as const;

/** Fields that name other objects, and their kinds. */
const REFERENCES: ReadonlyMap<string, Resource> = new Map<string, Resource>([
  ["queueRef", SQSQueue],
  ["deadLetterQueueRef", SQSQueue],
  ["topicRef", SNSTopic],
]);

/** An AWS resource: what AWS said last, who acts there, and what it refers to. */
export function awsResourceLink(known: Known, object: AwsObject, above: readonly string[] = []): Cause {
  const { namespace = "" } = object.metadata;
  const { providerRef } = object.spec;
  const provider = providerLink(known, { namespace: providerRef.namespace ?? namespace, name: providerRef.name });
  const path = [...above, titleOf(object.kind, object.metadata.name ?? "")];
  const references = path.length > 4 ? [] : referenceLinks(known, namespace, object.spec, path);
  return objectLink(object, { words: WORDS, now: known.now, also: planSteps(object), on: [provider, ...references] });
}

function providerLink(known: Known, ref: { readonly namespace: string; readonly name: string }): Cause {
  const [title, subject] = [`AWSProvider ${ref.name}`, subjectOf(AWSProvider, ref)];
  const seen = known.get(AWSProvider, ref);
  if (seen.state === "present") return asUsed(explainProvider(known, seen.object));
  if (seen.state === "unknown") return unreadLink(title, seen.problem, subject);
  const message = `There is no AWSProvider ${ref.name} in namespace ${ref.namespace}.`;
  return link({ title, subject, state: "broken", reason: "NotFound", message });
}

/** An AWSProvider, and the Secret of its keys: whether it is there, never what is in it. */
export function explainProvider(known: Known, provider: Immutable<AWSProvider>): Cause {
  const { namespace = "" } = provider.metadata;
  const named = provider.spec.credentialsSecret ?? provider.spec.accessKeyIDRef;
  const isReady = provider.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True");
  const secrets =
    named === undefined || isReady === true
      ? []
      : secretLinks(known, provider, named.namespace ?? namespace, named.name);
  return objectLink(provider, { words: WORDS, now: known.now, on: secrets });
}

function secretLinks(
  known: Known,
  provider: Immutable<AWSProvider>,
  namespace: string,
  name: string,
): readonly Cause[] {
  const seen = known.get(core.Secret, { namespace, name });
  const [title, subject] = [`Secret ${name}`, subjectOf(core.Secret, { namespace, name })];
  if (seen.state !== "absent") return [];
  const message = `There is no Secret ${name} in namespace ${namespace}.`;
  const command = `kubectl create secret generic -n ${namespace} ${name} --from-literal=AWS_ACCESS_KEY_ID=... --from-literal=AWS_SECRET_ACCESS_KEY=...`;
  return [
    link({
      title,
      subject,
      state: "broken",
      reason: "NotFound",
      message,
      next: [{ text: "Make the Secret.", command }, ...leavingSteps(provider)],
    }),
  ];
}

/** A namespace that is being deleted has lost its Secrets first, and nothing can be made in it: keys have to come from elsewhere. */
function leavingSteps({ metadata: { namespace = "", name = "", deletionTimestamp } }: Immutable<AWSProvider>) {
  if (deletionTimestamp === undefined) return [];
  const text =
    `Or, if namespace ${namespace} is being deleted and none can be made in it: let the provider use one of another ` +
    `namespace, whose annotation aws-infra-operator.runner.codes/allowed-namespaces has ${namespace}.`;
  const spec = '{"spec":{"credentialsSecret":{"name":"...","namespace":"..."}}}';
  return [{ text, command: `kubectl patch -n ${namespace} awsprovider/${name} --type merge -p '${spec}'` }];
}

function referenceLinks(known: Known, namespace: string, spec: Json, path: readonly string[]): readonly Cause[] {
  if (Array.isArray(spec)) return spec.flatMap((each) => referenceLinks(known, namespace, each, path));
  if (!isObject(spec)) return [];
  return Object.entries(spec).flatMap(([field, value]) => {
    const resource = REFERENCES.get(field);
    if (resource === undefined) return referenceLinks(known, namespace, value, path);
    const name = isObject(value) && typeof value["name"] === "string" ? value["name"] : undefined;
    return name === undefined ? [] : referenceLink(known, resource, { namespace, name }, path);
  });
}

function referenceLink(
  known: Known,
  resource: Resource,
  ref: { namespace: string; name: string },
  path: readonly string[],
): readonly Cause[] {
  const [title, subject] = [titleOf(resource.kind, ref.name), subjectOf(resource, ref)];
  const seen = known.get(resource, ref);
  if (path.includes(title)) return circleLinks(title, path, seen.state === "present" ? seen.object : undefined);
  if (seen.state === "present") return [asUsed(awsResourceLink(known, seen.object as AwsObject, path))];
  if (seen.state === "unknown") return [unreadLink(title, seen.problem, subject)];
  const message = `There is no ${resource.kind} ${ref.name} in namespace ${ref.namespace}.`;
  return [link({ title, subject, state: "broken", reason: "NotFound", message })];
}

/** A reference that leads back to where it came from. Once all of them are there, that is nobody's trouble. */
function circleLinks(title: string, path: readonly string[], object: Conditioned | undefined): readonly Cause[] {
  const waits = object?.status?.conditions?.some(({ reason }) => reason === "WaitingForReference");
  if (waits !== true) return [];
  const [, ...others] = [...path.slice(path.indexOf(title)), title];
  const message = `${title} waits for ${others.join(", which waits for ")}: none is made before the other.`;
  return [link({ title, state: "broken", reason: "Circle", message })];
}

function titleOf(kind: string, name: string): string {
  return `${kind} ${name}`;
}

/** To those who use it, what is to be deleted and waits for them is there still. */
function asUsed(cause: Cause): Cause {
  return cause.reason === "InUse" ? { ...cause, state: "warning" } : cause;
}

/** What waits for a person's word. */
function planSteps(object: AwsObject): readonly NextStep[] {
  const { plan } = object.status ?? {};
  if (plan === undefined) return [];
  const { kind, namespace = "", name } = { ...subjectOfObject(object) };
  const changes = plan.changes.map(({ field, have = "", want = "" }) => `${field}: ${have} -> ${want}`);
  const what = changes.length === 0 ? plan.action : `${plan.action}: ${changes.join("; ")}`;
  return [
    {
      text: `Or approve the plan (${what}).`,
      command: `kubectl annotate -n ${namespace} ${kind.toLowerCase()}/${name} --overwrite aws-infra-operator.runner.codes/approve=${plan.hash}`,
    },
  ];
}
