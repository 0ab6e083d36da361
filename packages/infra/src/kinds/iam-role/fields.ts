import { isObject } from "@gatewright/kube";
import type { Immutable, Json } from "@gatewright/kube";
import type { IAMRole } from "@gatewright/resources";
import type { Field } from "../../engine/field.ts";
import { samePolicy } from "../same-policy.ts";
import { isOwnProfile } from "./role.ts";
import type { InlinePolicy, Role } from "./role.ts";

type Spec = Immutable<IAMRole["spec"]>;
type RoleField = Field<Spec, Role>;

/** All policies that are to be part of the role, by name. Both ways of saying so count. */
const inlinePolicies: RoleField = {
  path: "inlinePolicies",
  change: "in-place",
  want: ({ inlinePolicy, inlinePolicies: more }) =>
    inlinePolicy === undefined && more === undefined
      ? undefined
      : [...(inlinePolicy ? [inlinePolicy] : []), ...(more ?? [])].toSorted(byName).map((each) => ({ ...each })),
  have: ({ inline }) => inline.map((each) => ({ ...each })),
  same: (want, have) => {
    const [ours, theirs] = [inlineIn(want), inlineIn(have)];
    return (
      ours.length === theirs.length &&
      ours.every((policy, i) => {
        const other = theirs[i];
        return other?.policyName === policy.policyName && samePolicy(policy.policyDocument, other.policyDocument);
      })
    );
  },
  unset: [],
};

/** One without the role in it was left behind halfway. One of others is none of this field's business. */
const instanceProfile: RoleField = {
  path: "instanceProfile",
  change: "in-place",
  want: (spec) => spec.instanceProfile,
  have: (role) => {
    const { profile, name } = role;
    if (profile === undefined) return false;
    return profile.roles.includes(name) ? true : isOwnProfile(role, profile) ? "WithoutRole" : false;
  },
  same: (want, have, role) =>
    want === have || (want === false && role.profile !== undefined && !isOwnProfile(role, role.profile)),
  unset: false,
};

/** The fields of a role. What is reset goes to what AWS gives a new role. */
export const ROLE_FIELDS: readonly RoleField[] = [
  { path: "roleName", change: "replace", want: ({ roleName }) => roleName, have: ({ name }) => name },
  { path: "path", change: "replace", want: (spec) => spec.path, have: ({ path }) => path },
  {
    path: "description",
    change: "in-place",
    want: (spec) => spec.description,
    have: ({ description }) => description,
    unset: "",
  },
  {
    path: "assumeRolePolicyDocument",
    change: "in-place",
    want: (spec) => spec.assumeRolePolicyDocument,
    have: ({ trust }) => trust,
    same: (want, have) => typeof have === "string" && samePolicy(String(want), have),
  },
  {
    path: "managedPolicyArns",
    change: "in-place",
    want: ({ managedPolicyArns: arns }) => arns && [...arns].toSorted(),
    have: ({ attached }) => [...attached],
    unset: [],
  },
  inlinePolicies,
  {
    path: "maxSessionDuration",
    change: "in-place",
    want: (spec) => spec.maxSessionDuration,
    have: ({ maxSession }) => maxSession,
    unset: 3600,
  },
  {
    path: "permissionsBoundary",
    change: "in-place",
    want: (spec) => spec.permissionsBoundary,
    have: ({ boundary }) => boundary,
    unset: null,
  },
  instanceProfile,
];

/** Inline policies in the value of the field. */
export function inlineIn(value: Json | undefined): readonly InlinePolicy[] {
  return (Array.isArray(value) ? value : []).flatMap((each) =>
    isObject(each) ? [{ policyName: String(each["policyName"]), policyDocument: String(each["policyDocument"]) }] : [],
  );
}

/** In the order of names, bytewise. */
export function byName(one: Immutable<InlinePolicy>, other: Immutable<InlinePolicy>): number {
  return one.policyName < other.policyName ? -1 : 1;
}
