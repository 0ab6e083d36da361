import { IAMRole } from "@gatewright/resources";
import type { AwsKind } from "../../engine/aws-kind.ts";
import { changeRole, createRole, removeRole, tagRole } from "./calls.ts";
import { ROLE_FIELDS } from "./fields.ts";
import { readRole } from "./read.ts";
import type { Role } from "./role.ts";

/** Roles of IAM. The name is the id, in all regions of an account. */
export const iamRole: AwsKind<IAMRole, Role> = {
  resource: IAMRole,
  finalizer: "iamrole.aws-infra-operator.runner.codes/finalizer",
  service: "iam",
  // The tagging API does not know roles.
  tagType: undefined,
  holdsData: false,
  // One to many calls, at rates that AWS does not publish.
  driftMs: 60 * 60_000,
  // IAM is one for the world: what is written in one place is known in others a while later.
  lagMs: 15_000,
  settleMs: 15_000,
  nameOf: ({ roleName }) => roleName,
  idOf: (arn) => arn.slice(arn.lastIndexOf("/") + 1),
  fields: ROLE_FIELDS,
  outputsInStatus: { arn: "roleArn", id: "roleId", instanceProfileArn: "instanceProfileArn" },
  read: readRole,
  create: createRole,
  change: changeRole,
  tag: tagRole,
  remove: removeRole,
  idIn: ({ name }) => name,
  tagsOf: ({ tags }) => tags,
  stateOf: () => ({ is: "ready" }),
  statusOf: ({ arn, id, profile }) => ({
    roleArn: arn,
    roleId: id,
    ...(profile && { instanceProfileArn: profile.arn }),
  }),
  outputsOf: ({ arn, id, name, profile }) => ({
    arn,
    id,
    name,
    ...(profile && { instanceProfileArn: profile.arn, instanceProfileName: name }),
  }),
};
