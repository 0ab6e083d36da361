import type { DescribeSecretResponse, SecretListEntry } from "@gatewright/aws-wire/types/secretsmanager";
import type { SecretRecord } from "./records.ts";
import { nextRotation } from "./rotation-rules.ts";
import { tagList } from "./tag-rules.ts";

/** What both the description of a secret and lists of secrets tell. Never what it says. */
function facts(secret: SecretRecord) {
  const { rotation, tags } = secret;
  return {
    ARN: secret.arn,
    Name: secret.name,
    ...(secret.description !== undefined && { Description: secret.description }),
    ...(secret.kmsKeyId !== undefined && { KmsKeyId: secret.kmsKeyId }),
    ...(rotation && {
      RotationEnabled: rotation.enabled,
      RotationLambdaARN: rotation.lambda,
      ...(rotation.rules && { RotationRules: rotation.rules }),
      ...(rotation.enabled && { NextRotationDate: nextRotation(secret) }),
    }),
    LastChangedDate: secret.changedAt,
    ...(secret.accessedAt !== undefined && { LastAccessedDate: secret.accessedAt }),
    ...(tags.length > 0 && { Tags: tagList(tags) }),
    CreatedDate: secret.createdAt,
  };
}

/** A secret as DescribeSecret tells it: of one that is marked for deletion, the moment from which it is gone. */
export function secretTold(secret: SecretRecord): DescribeSecretResponse {
  const stages = stagesOf(secret);
  return {
    ...facts(secret),
    ...(secret.deletion && { DeletedDate: secret.deletion.until }),
    ...(stages.length > 0 && { VersionIdsToStages: Object.fromEntries(stages) }),
  };
}

/** A secret as ListSecrets tells it: of one that is marked for deletion, since when. */
export function secretListed(secret: SecretRecord): SecretListEntry {
  const stages = stagesOf(secret);
  return {
    ...facts(secret),
    ...(secret.deletion && { DeletedDate: secret.deletion.at }),
    ...(stages.length > 0 && { SecretVersionsToStages: Object.fromEntries(stages) }),
  };
}

function stagesOf({ versions }: SecretRecord): readonly (readonly [string, readonly string[]])[] {
  return versions.filter(({ stages }) => stages.length > 0).map(({ id, stages }) => [id, stages]);
}
