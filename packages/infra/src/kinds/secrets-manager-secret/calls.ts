import { hash } from "node:crypto";
import { AwsCallError } from "@gatewright/aws";
import type { Immutable, Json } from "@gatewright/kube";
import type { SecretsManagerSecret } from "@gatewright/resources";
import type { AwsKind, Change, Creation } from "../../engine/aws-kind.ts";
import { isOwn } from "../../engine/owner-tags.ts";
import type { Ground } from "../../engine/session.ts";
import { CURRENT, WRITTEN } from "./secret.ts";
import type { SeenSecret } from "./secret.ts";
import { valueOf, versionOf } from "./value.ts";

const ROTATION = [
  "rotationEnabled",
  "rotationLambdaARN",
  "automaticallyAfterDays",
  "rotationScheduleExpression",
  "rotationDuration",
];

/** Reads a secret, and its policy where that is declared. One that is marked for deletion is absent: AWS refuses all use of it. */
export async function readSecret(
  ground: Ground,
  name: string,
  declared: ReadonlySet<string>,
): Promise<SeenSecret | "absent"> {
  const { aws, signal } = ground;
  try {
    const told = await aws.secretsmanager.describeSecret({ SecretId: name }, { signal });
    if (told.DeletedDate !== undefined) return "absent";
    const { ResourcePolicy: policy } = declared.has("resourcePolicy")
      ? await aws.secretsmanager.getResourcePolicy({ SecretId: name }, { signal })
      : {};
    const versions = Object.entries(told.VersionIdsToStages ?? {});
    const labelled = (label: string): string | undefined => versions.find(([, stages]) => stages.includes(label))?.[0];
    const rules = told.RotationRules ?? {};
    return {
      name,
      arn: told.ARN ?? "",
      description: told.Description ?? "",
      ...given("kmsKeyId", told.KmsKeyId),
      ...given("current", labelled(CURRENT)),
      ...given("written", labelled(WRITTEN)),
      rotation: {
        enabled: told.RotationEnabled ?? false,
        ...given("lambda", told.RotationLambdaARN),
        // AWS works days out of a schedule too: what was said is the schedule.
        ...given("days", rules.ScheduleExpression === undefined ? rules.AutomaticallyAfterDays : undefined),
        ...given("schedule", rules.ScheduleExpression),
        ...given("duration", rules.Duration),
        ...given("last", told.LastRotatedDate),
        ...given("next", told.NextRotationDate),
      },
      ...given("policy", policy),
      tags: Object.fromEntries((told.Tags ?? []).map(({ Key = "", Value = "" }) => [Key, Value])),
    };
  } catch (error) {
    if (isRefusal(error, "ResourceNotFoundException")) return "absent";
    throw error;
  }
}

/**
 * Makes it, with its value; the rest follows as changes. One of this name that is there already is whoever's it is: its tags say so.
 * One that was deleted and still holds the name is had back when it was this object's, or when the spec consents to adopt it.
 */
export async function createSecret(
  ground: Ground,
  { object, given: references, tags, token }: Creation<SecretsManagerSecret>,
): Promise<string> {
  const { aws, signal } = ground;
  const { spec } = object;
  const name = spec.secretName;
  const value = valueOf(spec, references);
  const version = versionOf(spec, references);
  try {
    await aws.secretsmanager.createSecret(
      {
        Name: name,
        ClientRequestToken: version ?? hash("sha256", token),
        ...value,
        ...(spec.description !== undefined && { Description: spec.description }),
        ...(spec.kmsKeyId !== undefined && { KmsKeyId: spec.kmsKeyId }),
        Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
      },
      { signal },
    );
    if (value !== undefined && version !== undefined) await label(ground, name, WRITTEN, version, undefined);
  } catch (error) {
    const restored =
      isRefusal(error, "InvalidRequestException", /scheduled for deletion/) && (await restore(ground, object));
    if (!restored && !isRefusal(error, "ResourceExistsException")) throw error;
  }
  return name;
}

/** Writes what differs. Rotation ends before a value is written, and begins after. */
export async function changeSecret(
  ground: Ground,
  seen: SeenSecret,
  change: Change<SecretsManagerSecret>,
): Promise<void> {
  const { aws, signal } = ground;
  const { object, given: references, fields } = change;
  const { spec } = object;
  const SecretId = seen.name;
  if (fields.get("rotationEnabled") === false) await aws.secretsmanager.cancelRotateSecret({ SecretId }, { signal });
  const [description, key] = [fields.get("description"), fields.get("kmsKeyId")];
  if (description !== undefined || key !== undefined) {
    await aws.secretsmanager.updateSecret(
      {
        SecretId,
        // Without a value it makes no version; AWS asks for it all the same.
        ClientRequestToken: tokenOf(object, "update", description ?? null, key ?? null),
        ...(description !== undefined && { Description: String(description) }),
        ...(key !== undefined && { KmsKeyId: String(key) }),
      },
      { signal },
    );
  }
  if (fields.has("secretStringRef") || fields.has("secretBinaryRef")) {
    const [value, version] = [valueOf(spec, references), versionOf(spec, references)];
    if (value !== undefined && version !== undefined) await writeValue(ground, seen, value, version);
  }
  if (fields.has("resourcePolicy")) {
    const policy = fields.get("resourcePolicy");
    await (policy === undefined
      ? aws.secretsmanager.deleteResourcePolicy({ SecretId }, { signal })
      : aws.secretsmanager.putResourcePolicy(
          { SecretId, ResourcePolicy: String(policy), BlockPublicPolicy: true },
          { signal },
        ));
  }
  const rotates = fields.has("rotationEnabled") ? fields.get("rotationEnabled") === true : seen.rotation.enabled;
  if (rotates && ROTATION.some((path) => fields.has(path))) await rotate(ground, seen, change);
}

/** What goes is taken away first: together they might be more than a secret can have. */
export const tagSecret: AwsKind<SecretsManagerSecret, SeenSecret>["tag"] = async (ground, seen, { set, remove }) => {
  const { aws, signal } = ground;
  const SecretId = seen.name;
  const Tags = Object.entries(set).map(([Key, Value]) => ({ Key, Value }));
  if (remove.length > 0) await aws.secretsmanager.untagResource({ SecretId, TagKeys: [...remove] }, { signal });
  if (Tags.length > 0) await aws.secretsmanager.tagResource({ SecretId, Tags }, { signal });
};

/** Marks it for deletion: it can be had back for as long as the spec says. */
export async function removeSecret(
  { aws, signal }: Ground,
  { name: SecretId }: SeenSecret,
  { spec }: Immutable<SecretsManagerSecret>,
): Promise<undefined> {
  const days = spec.recoveryWindowInDays;
  try {
    await aws.secretsmanager.deleteSecret(
      { SecretId, ...(days === 0 ? { ForceDeleteWithoutRecovery: true } : { RecoveryWindowInDays: days }) },
      { signal },
    );
  } catch (error) {
    const done = isRefusal(error, "ResourceNotFoundException") || isRefusal(error, "InvalidRequestException", /marked/);
    if (!done) throw error;
  }
}

/** A version that is there already stays as it is when it is written again, its labels too: they are moved to it. */
async function writeValue(
  ground: Ground,
  { name, current, written }: SeenSecret,
  value: NonNullable<ReturnType<typeof valueOf>>,
  version: string,
): Promise<void> {
  const { aws, signal } = ground;
  const { VersionStages: labels = [] } = await aws.secretsmanager.putSecretValue(
    { SecretId: name, ClientRequestToken: version, ...value, VersionStages: [CURRENT, WRITTEN] },
    { signal },
  );
  if (!labels.includes(CURRENT)) await label(ground, name, CURRENT, version, current);
  if (!labels.includes(WRITTEN)) await label(ground, name, WRITTEN, version, written);
}

async function label(
  { aws, signal }: Ground,
  SecretId: string,
  VersionStage: string,
  to: string,
  from: string | undefined,
): Promise<void> {
  const RemoveFromVersionId = from === to ? undefined : from;
  await aws.secretsmanager.updateSecretVersionStage(
    { SecretId, VersionStage, MoveToVersionId: to, ...(RemoveFromVersionId !== undefined && { RemoveFromVersionId }) },
    { signal },
  );
}

async function rotate({ aws, signal }: Ground, seen: SeenSecret, change: Change<SecretsManagerSecret>): Promise<void> {
  const { lambda, ...rules } = rotationIn(seen, change);
  await aws.secretsmanager.rotateSecret(
    {
      SecretId: seen.name,
      // It is the id of the version that a rotation makes: another one when this is not the first that is asked for.
      ClientRequestToken: tokenOf(change.object, "rotate", seen.current ?? null, seen.rotation.last ?? null),
      ...(lambda !== undefined && { RotationLambdaARN: String(lambda) }),
      RotationRules: {
        ...(rules.days !== undefined && { AutomaticallyAfterDays: Number(rules.days) }),
        ...(rules.schedule !== undefined && { ScheduleExpression: String(rules.schedule) }),
        ...(rules.duration !== undefined && { Duration: String(rules.duration) }),
      },
      RotateImmediately: change.object.spec.rotateImmediately === true,
    },
    { signal },
  );
}

/** How it shall rotate. Turned on, it is all that is wanted; what is not to be written stays as it is while it is on. */
function rotationIn({ rotation }: SeenSecret, { fields, wanted }: Change<SecretsManagerSecret>) {
  const on = rotation.enabled;
  const target = (path: string, has: Json | undefined): Json | undefined =>
    on ? (fields.has(path) ? fields.get(path) : has) : wanted.get(path);
  // Days and a schedule stand for each other: AWS takes one of them.
  const [days, schedule] = ["automaticallyAfterDays", "rotationScheduleExpression"] as const;
  return {
    lambda: target("rotationLambdaARN", rotation.lambda),
    days: target(days, fields.has(schedule) ? undefined : rotation.days),
    schedule: target(schedule, fields.has(days) ? undefined : rotation.schedule),
    duration: target("rotationDuration", rotation.duration),
  };
}

/** The same for the same of an object's generation, however often it is tried; 64 characters. */
function tokenOf({ metadata }: Immutable<SecretsManagerSecret>, ...what: readonly Json[]): string {
  return hash("sha256", JSON.stringify([metadata.uid, metadata.generation, ...what]));
}

async function restore({ aws, signal }: Ground, object: Immutable<SecretsManagerSecret>): Promise<boolean> {
  const SecretId = object.spec.secretName;
  const { Tags = [] } = await aws.secretsmanager.describeSecret({ SecretId }, { signal });
  const tags = Object.fromEntries(Tags.map(({ Key = "", Value = "" }) => [Key, Value]));
  if (!isOwn(tags, object) && object.spec.management?.adopt?.byName !== true) return false;
  await aws.secretsmanager.restoreSecret({ SecretId }, { signal });
  return true;
}

function isRefusal(error: unknown, code: string, words = /^/): boolean {
  return error instanceof AwsCallError && error.code === code && words.test(error.said);
}

function given<N extends string, V>(name: N, value: V | undefined): { readonly [Name in N]?: V } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [Name in N]?: V });
}
