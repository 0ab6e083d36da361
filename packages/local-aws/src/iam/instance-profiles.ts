import type { Operations } from "@gatewright/aws-wire/types/iam";
import type { Handlers } from "../service.ts";
import type { Ground } from "./ground.ts";
import { newIdentity } from "./names.ts";
import { page } from "./page.ts";
import { alreadyExists, deleteConflict, noEntity, overQuota } from "./refusals.ts";
import { profileTold } from "./role-shape.ts";
import { withTags } from "./tags.ts";

const MOST_PROFILES = 1_000;

/** Instance profiles: how a role gets to an instance. */
export function instanceProfiles({ world, store, late }: Ground): Handlers<Operations> {
  return {
    CreateInstanceProfile: async ({ InstanceProfileName: name, Path: path, Tags = [] }, context) => {
      const { account } = context;
      const identity = newIdentity(world.random, context, "instance-profile", { name, path });
      const tags = withTags([], Tags);
      if (store.holder(store.profiles, account, name) !== undefined) {
        throw alreadyExists(`Instance Profile ${name} already exists.`);
      }
      if (store.all(store.profiles, account).length >= MOST_PROFILES) {
        throw overQuota("InstanceProfilesPerAccount", MOST_PROFILES);
      }
      const profile = { ...identity, createdAt: world.clock.now(), roles: [], tags };
      await store.put(store.profiles, profile);
      return { InstanceProfile: profileTold(store, profile) };
    },
    GetInstanceProfile: late(({ InstanceProfileName }, { account }) => ({
      InstanceProfile: profileTold(store, store.profile(account, InstanceProfileName)),
    })),
    DeleteInstanceProfile: async ({ InstanceProfileName }, { account }) => {
      const profile = store.profile(account, InstanceProfileName);
      if (profile.roles.length > 0) {
        throw deleteConflict("Cannot delete entity, must remove roles from instance profile first.");
      }
      await store.delete(store.profiles, profile);
      return {};
    },
    AddRoleToInstanceProfile: async ({ InstanceProfileName, RoleName }, { account }) => {
      const profile = store.profile(account, InstanceProfileName);
      const { name } = store.role(account, RoleName);
      if (profile.roles.length > 0) throw overQuota("InstanceSessionsPerInstanceProfile", 1);
      await store.put(store.profiles, { ...profile, roles: [name] });
      return {};
    },
    RemoveRoleFromInstanceProfile: async ({ InstanceProfileName, RoleName }, { account }) => {
      const profile = store.profile(account, InstanceProfileName);
      if (!profile.roles.includes(RoleName)) {
        throw noEntity(`The role with name ${RoleName} is not in instance profile ${profile.name}.`);
      }
      await store.put(store.profiles, { ...profile, roles: [] });
      return {};
    },
    ListInstanceProfilesForRole: late(({ RoleName, ...paging }, { account }) => {
      const { name } = store.role(account, RoleName);
      const all = store.all(store.profiles, account).filter(({ roles }) => roles.includes(name));
      const { items, more } = page(all, (profile) => profile.name, paging);
      // Lists do not tell tags.
      return { InstanceProfiles: items.map((profile) => profileTold(store, { ...profile, tags: [] })), ...more };
    }),
  };
}
