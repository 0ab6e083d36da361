import type { Operations } from "@gatewright/aws-wire/types/iam";
import { AwsError } from "../aws-error.ts";
import type { Handlers } from "../service.ts";
import type { Ground } from "./ground.ts";
import { policyExists, policyName, policyPath } from "./managed-policies.ts";
import { page } from "./page.ts";
import { checkPermissions, encoded, policySize } from "./policy-rules.ts";
import { invalidValue, noEntity, overQuota } from "./refusals.ts";

const MOST_ATTACHED = 10;
/** Of all inline policies of a role together. */
const LARGEST_INLINE = 10_240;

/** What roles may do: policies that are part of them, and such as are attached to them. */
export function rolePolicies({ store, late }: Ground): Handlers<Operations> {
  return {
    PutRolePolicy: async ({ RoleName, PolicyName, PolicyDocument }, { account }) => {
      const role = store.role(account, RoleName);
      if (!/^[\w+=,.@-]+$/.test(PolicyName)) {
        throw invalidValue(
          "The specified value for policyName is invalid. It must contain only alphanumeric characters and/or the following: +=,.@_-",
        );
      }
      checkPermissions(PolicyDocument);
      const inline = new Map(role.inline).set(PolicyName, PolicyDocument);
      if ([...inline.values()].reduce((sum, text) => sum + policySize(text), 0) > LARGEST_INLINE) {
        throw new AwsError(
          "LimitExceeded",
          `Maximum policy size of ${LARGEST_INLINE} bytes exceeded for role ${role.name}`,
          { status: 409 },
        );
      }
      await store.put(store.roles, { ...role, inline: [...inline] });
      return {};
    },
    GetRolePolicy: late(({ RoleName, PolicyName }, { account }) => {
      const document = new Map(store.role(account, RoleName).inline).get(PolicyName);
      if (document === undefined) throw noInline(PolicyName);
      return { RoleName, PolicyName, PolicyDocument: encoded(document) };
    }),
    DeleteRolePolicy: async ({ RoleName, PolicyName }, { account }) => {
      const role = store.role(account, RoleName);
      const inline = role.inline.filter(([name]) => name !== PolicyName);
      if (inline.length === role.inline.length) throw noInline(PolicyName);
      await store.put(store.roles, { ...role, inline });
      return {};
    },
    ListRolePolicies: late(({ RoleName, ...paging }, { account }) => {
      const names = store.role(account, RoleName).inline.map(([name]) => name);
      const { items, more } = page(names, (name) => name, paging);
      return { PolicyNames: items, ...more };
    }),

    AttachRolePolicy: async ({ RoleName, PolicyArn }, { account }) => {
      const role = store.role(account, RoleName);
      if (!policyExists(store, PolicyArn)) {
        throw noEntity(`Policy ${PolicyArn} does not exist or is not attachable.`);
      }
      if (role.attached.includes(PolicyArn)) return {};
      if (role.attached.length >= MOST_ATTACHED) throw overQuota("PoliciesPerRole", MOST_ATTACHED);
      await store.put(store.roles, { ...role, attached: [...role.attached, PolicyArn] });
      return {};
    },
    DetachRolePolicy: async ({ RoleName, PolicyArn }, { account }) => {
      const role = store.role(account, RoleName);
      const attached = role.attached.filter((arn) => arn !== PolicyArn);
      if (attached.length === role.attached.length) throw noEntity(`Policy ${PolicyArn} was not found.`);
      await store.put(store.roles, { ...role, attached });
      return {};
    },
    ListAttachedRolePolicies: late(({ RoleName, PathPrefix = "/", ...paging }, { account }) => {
      const { attached } = store.role(account, RoleName);
      const chosen = attached.filter((arn) => policyPath(arn).startsWith(PathPrefix));
      const { items, more } = page(chosen, (arn) => arn, paging);
      return { AttachedPolicies: items.map((arn) => ({ PolicyName: policyName(arn), PolicyArn: arn })), ...more };
    }),
  };
}

function noInline(name: string): AwsError {
  return noEntity(`The role policy with name ${name} cannot be found.`);
}
