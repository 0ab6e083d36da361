import { AwsCallError } from "@gatewright/aws";
import type { Immutable } from "@gatewright/kube";
import type { IAMRole } from "@gatewright/resources";
import type { AwsKind, Change, Creation, Obstacle } from "../../engine/aws-kind.ts";
import { OWNER_TAGS } from "../../engine/owner-tags.ts";
import type { Ground } from "../../engine/session.ts";
import { samePolicy } from "../same-policy.ts";
import { inlineIn } from "./fields.ts";
import { attachedTo, inlineNames, profilesWith, readProfile, unlessAbsent } from "./read.ts";
import { isOwnProfile } from "./role.ts";
import type { InlinePolicy, Role } from "./role.ts";

/** What IAM lets be attached unless a quota was raised. */
const USUAL_ATTACHED = 10;
/** Of all policies that are part of a role together, white space aside. No quota raises it. */
const LARGEST_INLINE = 10_240;

/** Makes it; policies and profile follow as changes. One of this name that is there already is whoever's it is: its tags say so. */
export async function createRole({ aws, signal }: Ground, { object, tags }: Creation<IAMRole>): Promise<string> {
  const { spec } = object;
  try {
    await aws.iam.createRole(
      {
        RoleName: spec.roleName,
        AssumeRolePolicyDocument: spec.assumeRolePolicyDocument,
        ...(spec.path !== undefined && { Path: spec.path }),
        ...(spec.description !== undefined && { Description: spec.description }),
        ...(spec.maxSessionDuration !== undefined && { MaxSessionDuration: spec.maxSessionDuration }),
        ...(spec.permissionsBoundary !== undefined && { PermissionsBoundary: spec.permissionsBoundary }),
        Tags: tagList(tags),
      },
      { signal },
    );
  } catch (error) {
    if (!(error instanceof AwsCallError && error.code === "EntityAlreadyExists")) throw error;
  }
  return spec.roleName;
}

/** Writes what differs. A boundary comes before what it bounds, and goes after it. */
export async function changeRole(ground: Ground, seen: Role, { fields }: Change<IAMRole>): Promise<void> {
  const { aws, signal } = ground;
  const RoleName = seen.name;
  const trust = fields.get("assumeRolePolicyDocument");
  if (trust !== undefined) {
    await aws.iam.updateAssumeRolePolicy({ RoleName, PolicyDocument: String(trust) }, { signal });
  }
  if (fields.has("description") || fields.has("maxSessionDuration")) {
    // What is left out of the call is reset by it; what is not to be written stays as it is.
    const Description = String(fields.get("description") ?? seen.description);
    const MaxSessionDuration = Number(fields.get("maxSessionDuration") ?? seen.maxSession);
    await aws.iam.updateRole({ RoleName, Description, MaxSessionDuration }, { signal });
  }
  const boundary = fields.get("permissionsBoundary");
  if (boundary !== undefined) {
    await aws.iam.putRolePermissionsBoundary({ RoleName, PermissionsBoundary: String(boundary) }, { signal });
  }
  const arns = fields.get("managedPolicyArns");
  if (Array.isArray(arns)) await attach(ground, seen, arns.map(String));
  if (fields.has("inlinePolicies")) await putInline(ground, seen, inlineIn(fields.get("inlinePolicies")));
  if (fields.has("permissionsBoundary") && boundary === undefined) {
    await unlessAbsent(() => aws.iam.deleteRolePermissionsBoundary({ RoleName }, { signal }));
  }
  if (fields.get("instanceProfile") === true) await makeProfile(ground, seen);
  else if (fields.has("instanceProfile")) await dropProfile(ground, seen, RoleName);
}

/** Tags that differ in case alone are one to IAM: so what goes is taken away before anything is set. */
export const tagRole: AwsKind<IAMRole, Role>["tag"] = async ({ aws, signal }, { name: RoleName }, { set, remove }) => {
  if (remove.length > 0) await aws.iam.untagRole({ RoleName, TagKeys: [...remove] }, { signal });
  if (Object.keys(set).length > 0) await aws.iam.tagRole({ RoleName, Tags: tagList(set) }, { signal });
};

/** Deletes it, with the policies in and on it and its own instance profile, which is what AWS asks for. */
export async function removeRole(
  ground: Ground,
  seen: Role,
  { spec }: Immutable<IAMRole>,
): Promise<Obstacle | undefined> {
  const { aws, signal } = ground;
  const RoleName = seen.name;
  const listed = async (list: typeof profilesWith): Promise<readonly string[]> =>
    (await unlessAbsent(() => list(ground, RoleName))) ?? [];
  const profiles = new Set([...(await listed(profilesWith)), ...(spec.instanceProfile === true ? [RoleName] : [])]);
  for (const name of profiles) {
    const profile = await readProfile(ground, name);
    if (profile === undefined || isOwnProfile(seen, profile) || !profile.roles.includes(RoleName)) continue;
    return {
      reason: "InUse",
      message: `${RoleName} is in the instance profile ${name}, which is not this object's: take it out of there, or set deletionPolicy Retain to keep it`,
    };
  }
  for (const name of profiles) await dropProfile(ground, seen, name);
  for (const PolicyArn of await listed(attachedTo)) {
    await unlessAbsent(() => aws.iam.detachRolePolicy({ RoleName, PolicyArn }, { signal }));
  }
  for (const PolicyName of await listed(inlineNames)) {
    await unlessAbsent(() => aws.iam.deleteRolePolicy({ RoleName, PolicyName }, { signal }));
  }
  await unlessAbsent(() => aws.iam.deleteRole({ RoleName }, { signal }));
  return undefined;
}

/** Attaches what is missing and detaches what is too much: in this order as long as there is room, so that nothing is missed. */
async function attach({ aws, signal }: Ground, seen: Role, wish: readonly string[]): Promise<void> {
  const RoleName = seen.name;
  const missing = wish.filter((arn) => !seen.attached.includes(arn));
  const attaching = async (): Promise<void> => {
    for (const PolicyArn of missing) await aws.iam.attachRolePolicy({ RoleName, PolicyArn }, { signal });
  };
  const roomy = seen.attached.length + missing.length <= USUAL_ATTACHED;
  if (roomy) await attaching();
  for (const PolicyArn of seen.attached.filter((arn) => !wish.includes(arn))) {
    await unlessAbsent(() => aws.iam.detachRolePolicy({ RoleName, PolicyArn }, { signal }));
  }
  if (!roomy) await attaching();
}

/**
 * Puts what is other and deletes what is too much: in this order as long as there is room for both, so that nothing is missed. Without
 * it room is made first, and what shrinks goes before what grows.
 */
async function putInline({ aws, signal }: Ground, seen: Role, wish: readonly InlinePolicy[]): Promise<void> {
  const RoleName = seen.name;
  const before = new Map(seen.inline.map((policy) => [policy.policyName, policy.policyDocument]));
  const others = wish.flatMap((policy) => {
    const document = before.get(policy.policyName);
    if (document !== undefined && samePolicy(policy.policyDocument, document)) return [];
    return [{ ...policy, growth: sizeOf(policy.policyDocument) - sizeOf(document ?? "") }];
  });
  const putting = async (policies: readonly InlinePolicy[]): Promise<void> => {
    for (const { policyName: PolicyName, policyDocument: PolicyDocument } of policies) {
      await aws.iam.putRolePolicy({ RoleName, PolicyName, PolicyDocument }, { signal });
    }
  };
  const most = [...before.values()].map(sizeOf).concat(others.map(({ growth }) => Math.max(growth, 0)));
  const roomy = most.reduce((sum, size) => sum + size, 0) <= LARGEST_INLINE;
  if (roomy) await putting(others);
  for (const PolicyName of before.keys()) {
    if (wish.some(({ policyName }) => policyName === PolicyName)) continue;
    await unlessAbsent(() => aws.iam.deleteRolePolicy({ RoleName, PolicyName }, { signal }));
  }
  if (!roomy) await putting(others.toSorted((one, other) => one.growth - other.growth));
}

/** How many characters of a document count. */
function sizeOf(document: string): number {
  return document.replaceAll(/\s/g, "").length;
}

/** One of the same name that others made is not used: the error says that it is there. */
async function makeProfile(ground: Ground, seen: Role): Promise<void> {
  const { aws, signal } = ground;
  const { name } = seen;
  const owner = Object.entries(seen.tags).filter(([key]) => OWNER_TAGS.has(key));
  try {
    const Tags = tagList(Object.fromEntries(owner));
    await aws.iam.createInstanceProfile({ InstanceProfileName: name, Tags }, { signal });
  } catch (error) {
    const there = await readProfile(ground, name);
    if (there === undefined || !isOwnProfile(seen, there)) throw error;
    if (there.roles.includes(name)) return;
  }
  await aws.iam.addRoleToInstanceProfile({ InstanceProfileName: name, RoleName: name }, { signal });
}

async function dropProfile(ground: Ground, seen: Role, InstanceProfileName: string): Promise<void> {
  const { aws, signal } = ground;
  const profile = await readProfile(ground, InstanceProfileName);
  if (profile === undefined || !isOwnProfile(seen, profile)) return;
  for (const RoleName of profile.roles) {
    await unlessAbsent(() => aws.iam.removeRoleFromInstanceProfile({ InstanceProfileName, RoleName }, { signal }));
  }
  await unlessAbsent(() => aws.iam.deleteInstanceProfile({ InstanceProfileName }, { signal }));
}

function tagList(tags: Readonly<Record<string, string>>) {
  return Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
}
