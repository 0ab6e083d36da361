import { AnswerBound, byMarker, everyPage, isAbsent } from "@gatewright/aws";
import type { Ground } from "../../engine/session.ts";
import { byName } from "./fields.ts";
import type { InlinePolicy, Profile, Role } from "./role.ts";

/** Reads a role, and besides what is declared: each of policies and profile costs calls of its own. */
export async function readRole(ground: Ground, name: string, declared: ReadonlySet<string>): Promise<Role | "absent"> {
  const told = await unlessAbsent(() => ground.aws.iam.getRole({ RoleName: name }, { signal: ground.signal }));
  if (told === undefined) return "absent";
  const { Role: role } = told;
  const boundary = role.PermissionsBoundary?.PermissionsBoundaryArn;
  const profile = declared.has("instanceProfile") ? await readProfile(ground, name) : undefined;
  return {
    name,
    arn: role.Arn,
    id: role.RoleId,
    path: role.Path,
    description: role.Description ?? "",
    trust: decoded(role.AssumeRolePolicyDocument ?? ""),
    maxSession: role.MaxSessionDuration ?? 3600,
    ...(boundary !== undefined && { boundary }),
    attached: declared.has("managedPolicyArns") ? await attachedTo(ground, name) : [],
    inline: declared.has("inlinePolicies") ? await inlineOf(ground, name) : [],
    ...(profile && { profile }),
    tags: tagsIn(role.Tags),
  };
}

/** ARNs of the policies that are attached to a role, sorted. IAM may end a page early, however few there are. */
export async function attachedTo({ aws, signal }: Ground, RoleName: string): Promise<readonly string[]> {
  const arns: string[] = [];
  for await (const page of everyPage(byMarker(aws.iam.listAttachedRolePolicies), { RoleName }, { signal })) {
    arns.push(...(page.AttachedPolicies ?? []).flatMap(({ PolicyArn }) => PolicyArn ?? []));
  }
  return arns.toSorted();
}

/** Names of the policies that are part of a role. */
export async function inlineNames({ aws, signal }: Ground, RoleName: string): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const page of everyPage(byMarker(aws.iam.listRolePolicies), { RoleName }, { signal })) {
    names.push(...page.PolicyNames);
  }
  return names;
}

/** Names of the instance profiles that a role is in. */
export async function profilesWith({ aws, signal }: Ground, RoleName: string): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const page of everyPage(byMarker(aws.iam.listInstanceProfilesForRole), { RoleName }, { signal })) {
    names.push(...page.InstanceProfiles.map(({ InstanceProfileName }) => InstanceProfileName));
  }
  return names;
}

/** The instance profile of a name; undefined when AWS says that there is none. */
export async function readProfile({ aws, signal }: Ground, name: string): Promise<Profile | undefined> {
  const told = await unlessAbsent(() => aws.iam.getInstanceProfile({ InstanceProfileName: name }, { signal }));
  if (told === undefined) return undefined;
  const { Arn, Roles, Tags } = told.InstanceProfile;
  return { arn: Arn, roles: Roles.map(({ RoleName }) => RoleName), tags: tagsIn(Tags) };
}

/** What a call gives; undefined when AWS says that something which it names is not there. */
export async function unlessAbsent<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

async function inlineOf(ground: Ground, RoleName: string): Promise<readonly InlinePolicy[]> {
  const policies: InlinePolicy[] = [];
  const bound = new AnswerBound();
  for (const policyName of await inlineNames(ground, RoleName)) {
    const { aws, signal } = ground;
    const told = await unlessAbsent(() => aws.iam.getRolePolicy({ RoleName, PolicyName: policyName }, { signal }));
    if (told === undefined) continue;
    bound.took(told);
    policies.push({ policyName, policyDocument: decoded(told.PolicyDocument) });
  }
  return policies.toSorted(byName);
}

/** IAM tells documents as they stand in addresses. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // What cannot be read so was not written so.
    return text;
  }
}

function tagsIn(tags: readonly { readonly Key: string; readonly Value: string }[] = []): Role["tags"] {
  return Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value]));
}
