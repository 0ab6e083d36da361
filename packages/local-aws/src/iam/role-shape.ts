import type { InstanceProfile, Role } from "@gatewright/aws-wire/types/iam";
import { encoded } from "./policy-rules.ts";
import type { ProfileRecord, RoleRecord } from "./records.ts";
import { noRole } from "./refusals.ts";
import type { IamStore } from "./store.ts";
import { tagList } from "./tags.ts";

/** A role as lists tell it: without tags and boundary. */
export function roleListed(role: RoleRecord): Role {
  return {
    Path: role.path,
    RoleName: role.name,
    RoleId: role.id,
    Arn: role.arn,
    CreateDate: role.createdAt,
    AssumeRolePolicyDocument: encoded(role.trust),
    ...(role.description !== undefined && { Description: role.description }),
    MaxSessionDuration: role.maxSessionSeconds,
  };
}

/** A role as it is told by itself. */
export function roleTold(role: RoleRecord): Role {
  return {
    ...roleListed(role),
    ...(role.boundary !== undefined && {
      PermissionsBoundary: { PermissionsBoundaryType: "Policy", PermissionsBoundaryArn: role.boundary },
    }),
    ...(role.tags.length > 0 && { Tags: tagList(role.tags) }),
    RoleLastUsed: {},
  };
}

export function profileTold(store: IamStore, profile: ProfileRecord): InstanceProfile {
  return {
    Path: profile.path,
    InstanceProfileName: profile.name,
    InstanceProfileId: profile.id,
    Arn: profile.arn,
    CreateDate: profile.createdAt,
    Roles: profile.roles.map((name) => {
      const role = store.holder(store.roles, profile.account, name);
      if (role === undefined) throw noRole(name);
      return roleListed(role);
    }),
    ...(profile.tags.length > 0 && { Tags: tagList(profile.tags) }),
  };
}
