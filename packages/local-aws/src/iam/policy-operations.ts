import type { Operations } from "@gatewright/aws-wire/types/iam";
import { partitionOf } from "../partition.ts";
import type { Handlers } from "../service.ts";
import type { Ground } from "./ground.ts";
import { policiesOfAws, policyPath, policyTold } from "./managed-policies.ts";
import { newIdentity } from "./names.ts";
import { page } from "./page.ts";
import { checkPermissions, policySize } from "./policy-rules.ts";
import { alreadyExists, deleteConflict, noEntity, overQuota } from "./refusals.ts";
import { withTags } from "./tags.ts";

const LARGEST = 6_144;
const MOST_POLICIES = 1_500;

/** Managed policies: the account's own, and those of AWS itself, which are there from the start. */
export function policyOperations({ world, store, late }: Ground): Handlers<Operations> {
  return {
    CreatePolicy: async (input, context) => {
      const { account } = context;
      const identity = newIdentity(world.random, context, "policy", { name: input.PolicyName, path: input.Path });
      checkPermissions(input.PolicyDocument);
      if (policySize(input.PolicyDocument) > LARGEST) throw overQuota("PolicySize", LARGEST);
      if (store.holder(store.policies, account, input.PolicyName) !== undefined) {
        throw alreadyExists(`A policy called ${input.PolicyName} already exists. Duplicate names are not allowed.`);
      }
      if (store.all(store.policies, account).length >= MOST_POLICIES) {
        throw overQuota("PoliciesPerAccount", MOST_POLICIES);
      }
      await store.put(store.policies, {
        ...identity,
        createdAt: world.clock.now(),
        document: input.PolicyDocument,
        description: input.Description || undefined,
        tags: withTags([], input.Tags ?? []),
      });
      return { Policy: policyTold(store, account, identity.arn) };
    },
    GetPolicy: late(({ PolicyArn }, { account }) => {
      const Policy = policyTold(store, account, PolicyArn);
      if (Policy === undefined) throw noEntity(`Policy ${PolicyArn} was not found.`);
      return { Policy };
    }),
    DeletePolicy: async ({ PolicyArn }, { account }) => {
      const policy = store.policy(PolicyArn);
      if (policy?.account !== account) throw noEntity(`Policy ${PolicyArn} was not found.`);
      const used = store
        .all(store.roles, account)
        .some(({ attached, boundary }) => attached.includes(PolicyArn) || boundary === PolicyArn);
      if (used) throw deleteConflict("Cannot delete a policy attached to entities.");
      await store.delete(store.policies, policy);
      return {};
    },
    ListPolicies: late((input, { account, region }) => {
      const { Scope = "All", OnlyAttached, PathPrefix = "/", PolicyUsageFilter, ...paging } = input;
      const own = Scope === "AWS" ? [] : store.all(store.policies, account).map(({ arn }) => arn);
      const given = Scope === "Local" ? [] : policiesOfAws(partitionOf(region));
      const all = [...own, ...given]
        .filter((arn) => policyPath(arn).startsWith(PathPrefix))
        .flatMap((arn) => policyTold(store, account, arn) ?? [])
        .filter(({ AttachmentCount = 0, PermissionsBoundaryUsageCount = 0 }) => {
          const used = PolicyUsageFilter === "PermissionsBoundary" ? PermissionsBoundaryUsageCount : AttachmentCount;
          return (OnlyAttached !== true && PolicyUsageFilter === undefined) || used > 0;
        });
      const { items, more } = page(all, ({ Arn = "" }) => Arn, paging);
      // Lists tell less than each by itself.
      return { Policies: items.map((told) => ({ ...told, Description: undefined, Tags: undefined })), ...more };
    }),
  };
}
