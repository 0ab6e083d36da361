import type { Operations } from "@gatewright/aws-wire/types/iam";
import type { Caller } from "../caller.ts";
import { serviceCalls } from "../service-calls.ts";

const REPEATABLE = [
  "AddRoleToInstanceProfile",
  "AttachRolePolicy",
  "DeleteInstanceProfile",
  "DeleteRole",
  "DeleteRolePermissionsBoundary",
  "DeleteRolePolicy",
  "DetachRolePolicy",
  "GetInstanceProfile",
  "GetRole",
  "GetRolePolicy",
  "ListAttachedRolePolicies",
  "ListInstanceProfilesForRole",
  "ListRolePolicies",
  "ListRoleTags",
  "ListRoles",
  "PutRolePermissionsBoundary",
  "PutRolePolicy",
  "RemoveRoleFromInstanceProfile",
  "TagRole",
  "UntagRole",
  "UpdateAssumeRolePolicy",
  "UpdateRole",
] as const;
const ONCE = ["CreateInstanceProfile", "CreateRole"] as const;

/** Identity and Access Management: each operation as a function. */
export function iamCalls(call: Caller) {
  type Name = (typeof REPEATABLE)[number] | (typeof ONCE)[number];
  return serviceCalls<Operations, Name>(call, "iam", { repeatable: REPEATABLE, once: ONCE });
}

/** {@inheritDoc iamCalls} */
export type IamCalls = ReturnType<typeof iamCalls>;
