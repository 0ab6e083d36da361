import type { Operations } from "@gatewright/aws-wire/types/iam";
import type { Handlers } from "../service.ts";
import type { Ground } from "./ground.ts";
import { policyExists } from "./managed-policies.ts";
import { newIdentity } from "./names.ts";
import { page } from "./page.ts";
import { checkedTrust, policySize } from "./policy-rules.ts";
import { alreadyExists, deleteConflict, noEntity, overQuota } from "./refusals.ts";
import { roleListed, roleTold } from "./role-shape.ts";
import { tagList, withTags, withoutTags } from "./tags.ts";

const USUAL_SESSION = 3_600;
const MOST_ROLES = 1_000;
const LARGEST_TRUST = 2_048;

/** Roles themselves. */
export function roleOperations({ world, store, late }: Ground): Handlers<Operations> {
  /** Only roles of the account itself are known to be there or not. */
  const trustOf = (text: string, own: string): string => {
    if (policySize(text) > LARGEST_TRUST) throw overQuota("ACLSizePerRole", LARGEST_TRUST);
    return checkedTrust(text, (arn) => {
      const [, account, name = ""] = /::(\d{12}):role\/(?:.*\/)?([^/]+)$/.exec(arn) ?? [];
      return account !== own || store.holder(store.roles, own, name)?.arn === arn;
    });
  };
  const boundaryOf = (arn: string): string => {
    if (!policyExists(store, arn)) throw noEntity(`Scope ARN: ${arn} does not exist or is not attachable.`);
    return arn;
  };
  return {
    CreateRole: async (input, context) => {
      const { RoleName: name, Path: path, PermissionsBoundary } = input;
      const identity = newIdentity(world.random, context, "role", { name, path });
      const trust = trustOf(input.AssumeRolePolicyDocument, context.account);
      const tags = withTags([], input.Tags ?? []);
      const boundary = PermissionsBoundary === undefined ? undefined : boundaryOf(PermissionsBoundary);
      if (store.holder(store.roles, context.account, name) !== undefined) {
        throw alreadyExists(`Role with name ${name} already exists.`);
      }
      if (store.all(store.roles, context.account).length >= MOST_ROLES) throw overQuota("RolesPerAccount", MOST_ROLES);
      const role = {
        ...identity,
        createdAt: world.clock.now(),
        trust,
        description: input.Description || undefined,
        maxSessionSeconds: input.MaxSessionDuration ?? USUAL_SESSION,
        boundary,
        tags,
        inline: [],
        attached: [],
      };
      await store.put(store.roles, role);
      const { RoleLastUsed: _, ...told } = roleTold(role);
      return { Role: told };
    },

    GetRole: late(({ RoleName }, { account }) => ({ Role: roleTold(store.role(account, RoleName)) })),

    ListRoles: late(({ PathPrefix = "/", ...paging }, { account }) => {
      const all = store.all(store.roles, account).filter(({ path }) => path.startsWith(PathPrefix));
      const { items, more } = page(all, ({ name }) => name, paging);
      return { Roles: items.map(roleListed), ...more };
    }),

    /** What is not said of the length of sessions is the usual again; a description stays. */
    UpdateRole: async ({ RoleName, Description, MaxSessionDuration = USUAL_SESSION }, { account }) => {
      const role = store.role(account, RoleName);
      const description = Description === undefined ? role.description : Description || undefined;
      await store.put(store.roles, { ...role, description, maxSessionSeconds: MaxSessionDuration });
      return {};
    },

    UpdateAssumeRolePolicy: async ({ RoleName, PolicyDocument }, { account }) => {
      const role = store.role(account, RoleName);
      await store.put(store.roles, { ...role, trust: trustOf(PolicyDocument, account) });
      return {};
    },

    DeleteRole: async ({ RoleName }, { account }) => {
      const role = store.role(account, RoleName);
      if (store.all(store.profiles, account).some(({ roles }) => roles.includes(role.name))) {
        throw deleteConflict("Cannot delete entity, must remove roles from instance profile first.");
      }
      if (role.attached.length > 0) throw deleteConflict("Cannot delete entity, must detach all policies first.");
      if (role.inline.length > 0) throw deleteConflict("Cannot delete entity, must delete policies first.");
      await store.delete(store.roles, role);
      return {};
    },

    PutRolePermissionsBoundary: async ({ RoleName, PermissionsBoundary }, { account }) => {
      const role = store.role(account, RoleName);
      await store.put(store.roles, { ...role, boundary: boundaryOf(PermissionsBoundary) });
      return {};
    },
    DeleteRolePermissionsBoundary: async ({ RoleName }, { account }) => {
      await store.put(store.roles, { ...store.role(account, RoleName), boundary: undefined });
      return {};
    },

    TagRole: async ({ RoleName, Tags }, { account }) => {
      const role = store.role(account, RoleName);
      await store.put(store.roles, { ...role, tags: withTags(role.tags, Tags) });
      return {};
    },
    UntagRole: async ({ RoleName, TagKeys }, { account }) => {
      const role = store.role(account, RoleName);
      await store.put(store.roles, { ...role, tags: withoutTags(role.tags, TagKeys) });
      return {};
    },
    ListRoleTags: late(({ RoleName, ...paging }, { account }) => {
      const { items, more } = page(tagList(store.role(account, RoleName).tags), ({ Key }) => Key, paging);
      return { Tags: items, ...more };
    }),
  };
}
