import { formatTime } from "@gatewright/kube";
import { SecretsManagerSecret } from "@gatewright/resources";
import type { AwsKind } from "../../engine/aws-kind.ts";
import { changeSecret, createSecret, readSecret, removeSecret, tagSecret } from "./calls.ts";
import { SECRET_FIELDS, secretReferences } from "./fields.ts";
import type { SeenSecret } from "./secret.ts";

/** Secrets of Secrets Manager. The name is the id; the value is written and never read. */
export const secretsManagerSecret: AwsKind<SecretsManagerSecret, SeenSecret> = {
  resource: SecretsManagerSecret,
  finalizer: "secretsmanagersecret.aws-infra-operator.runner.codes/finalizer",
  service: "secretsmanager",
  tagType: "secretsmanager:secret",
  holdsData: true,
  driftMs: 15 * 60_000,
  // Names make creation safe to repeat.
  lagMs: 5_000,
  nameOf: ({ secretName }) => secretName,
  // The ARN ends in a hyphen and six letters that AWS adds.
  idOf: (arn) => arn.slice(arn.indexOf(":secret:") + ":secret:".length).replace(/-[A-Za-z0-9]{6}$/, ""),
  fields: SECRET_FIELDS,
  references: secretReferences,
  outputsInStatus: { arn: "arn", versionId: "versionId" },
  read: readSecret,
  create: createSecret,
  change: changeSecret,
  tag: tagSecret,
  remove: removeSecret,
  idIn: ({ name }) => name,
  tagsOf: ({ tags }) => tags,
  stateOf: () => ({ is: "ready" }),
  statusOf: ({ arn, current, rotation: { enabled, last, next } }) => ({
    arn,
    ...(current !== undefined && { versionId: current }),
    rotationEnabled: enabled,
    ...(last !== undefined && { lastRotatedDate: formatTime(last) }),
    ...(next !== undefined && { nextRotationDate: formatTime(next) }),
  }),
  outputsOf: ({ arn, name, current }) => ({ arn, name, ...(current !== undefined && { versionId: current }) }),
};
