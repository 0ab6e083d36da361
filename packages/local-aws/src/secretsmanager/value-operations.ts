import type { APIErrorType, Operations, SecretValueEntry } from "@gatewright/aws-wire/types/secretsmanager";
import { AwsError } from "../aws-error.ts";
import { keyedPage } from "../keyed-page.ts";
import type { Handlers } from "../service.ts";
import type { AwsWorld } from "../world.ts";
import { batchOf } from "./batch.ts";
import type { Place, SecretRecord, VersionRecord } from "./records.ts";
import { badToken, invalidParameter, invalidRequest, noValue } from "./refusals.ts";
import type { SecretStore } from "./store.ts";
import { addVersion, checkToken, givenValue } from "./value.ts";
import { CURRENT, versionAt, withStage } from "./versions.ts";

const DAY = 86_400_000;
const USUAL_PAGE = 100;

/** What secrets say, version by version. */
export function valueOperations(world: AwsWorld, store: SecretStore): Handlers<Operations> {
  const { clock } = world;
  return {
    GetSecretValue: ({ SecretId, VersionId, VersionStage }, context) =>
      read(context, SecretId, VersionId, VersionStage),

    BatchGetSecretValue: async (input, context) => {
      const { ids, next } = batchOf(store, context, input);
      const SecretValues: SecretValueEntry[] = [];
      const Errors: APIErrorType[] = [];
      for (const SecretId of ids) {
        try {
          SecretValues.push(await read(context, SecretId));
        } catch (error) {
          if (!(error instanceof AwsError)) throw error;
          Errors.push({ SecretId, ErrorCode: error.code, Message: error.message });
        }
      }
      return { SecretValues, Errors, NextToken: next };
    },

    PutSecretValue: async (input, context) => {
      checkToken(input);
      const before = store.living(context, input.SecretId);
      const value = givenValue(input);
      if (value === undefined) throw invalidRequest("You must provide either SecretString or SecretBinary.");
      const stages = input.VersionStages ?? [CURRENT];
      const { secret, version, isNew } = addVersion(world, before, value, { token: input.ClientRequestToken, stages });
      if (isNew) await store.put({ ...secret, changedAt: clock.now() });
      return { ARN: secret.arn, Name: secret.name, VersionId: version.id, VersionStages: version.stages };
    },

    UpdateSecretVersionStage: async (input, context) => {
      const { SecretId, VersionStage: stage, RemoveFromVersionId: from, MoveToVersionId: to } = input;
      const secret = store.living(context, SecretId);
      const holder = versionAt(secret.versions, stage)?.id;
      for (const id of [from, to]) {
        if (id !== undefined && !secret.versions.some((version) => version.id === id)) {
          throw noValue(`VersionId: ${id}`);
        }
      }
      if (to === undefined && stage === CURRENT) {
        throw invalidParameter(
          "You can only move staging label AWSCURRENT to a different secret version. It can't be completely removed.",
        );
      }
      if (holder !== undefined && holder !== to && holder !== from) {
        throw invalidParameter(
          `The parameter RemoveFromVersionId must be given and be ${holder}, the version that staging label ${stage} is attached to.`,
        );
      }
      if (from !== undefined && holder !== from) {
        throw invalidParameter(`Staging label ${stage} is not attached to version ${from}.`);
      }
      await store.put({ ...secret, versions: withStage(secret.versions, stage, to), changedAt: clock.now() });
      return { ARN: secret.arn, Name: secret.name };
    },

    ListSecretVersionIds: ({ SecretId, MaxResults, NextToken, IncludeDeprecated }, context) => {
      const secret = store.known(context, SecretId);
      const all = secret.versions
        .filter(({ stages }) => IncludeDeprecated === true || stages.length > 0)
        .toSorted((one, other) => (one.id < other.id ? -1 : 1));
      const page = keyedPage(all, ({ id }) => id, { size: MaxResults ?? USUAL_PAGE, token: NextToken });
      if (page === undefined) throw badToken();
      return {
        ARN: secret.arn,
        Name: secret.name,
        Versions: page.items.map(({ id, stages, createdAt, accessedAt }) => ({
          VersionId: id,
          ...(stages.length > 0 && { VersionStages: stages }),
          CreatedDate: createdAt,
          ...(accessedAt !== undefined && { LastAccessedDate: accessedAt }),
          KmsKeyIds: [secret.kmsKeyId ?? "DefaultEncryptionKey"],
        })),
        NextToken: page.next,
      };
    },
  };

  async function read(place: Place, id: string, versionId?: string, stage?: string): Promise<SecretValueEntry> {
    const secret = store.living(place, id);
    const version = wanted(secret, versionId, stage);
    await noteAccess(secret, version);
    return {
      ARN: secret.arn,
      Name: secret.name,
      VersionId: version.id,
      ...("text" in version.value
        ? { SecretString: version.value.text }
        : { SecretBinary: Buffer.from(version.value.base64, "base64") }),
      VersionStages: version.stages,
      CreatedDate: version.createdAt,
    };
  }

  /** The day of the last access is all that is kept of it, and so most reads write nothing. */
  async function noteAccess(secret: SecretRecord, { id }: VersionRecord): Promise<void> {
    const today = Math.floor(clock.now() / DAY) * DAY;
    const versions = secret.versions.map((each) => (each.id === id ? { ...each, accessedAt: today } : each));
    if (secret.accessedAt === today && secret.versions.find((each) => each.id === id)?.accessedAt === today) return;
    await store.put({ ...secret, accessedAt: today, versions });
  }
}

/** The version that a read asks for: of an id, of a label, of both when they agree, else the current one. */
function wanted({ versions }: SecretRecord, id: string | undefined, stage: string | undefined): VersionRecord {
  if (id === undefined) {
    const label = stage ?? CURRENT;
    const found = versionAt(versions, label);
    if (found === undefined) throw noValue(`staging label: ${label}`);
    return found;
  }
  const found = versions.find((version) => version.id === id);
  if (found === undefined) throw noValue(`VersionId: ${id}`);
  if (stage !== undefined && !found.stages.includes(stage)) {
    throw invalidRequest("You provided a VersionStage that is not associated to the provided VersionId.");
  }
  return found;
}
