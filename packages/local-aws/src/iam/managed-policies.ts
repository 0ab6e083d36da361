import type { Policy } from "@gatewright/aws-wire/types/iam";
import type { IamStore } from "./store.ts";
import { invalidInput } from "./refusals.ts";

/** Policies of AWS itself that lists tell of. There are many more: any that is named well can be attached. */
const TOLD =
  "AdministratorAccess PowerUserAccess ReadOnlyAccess SecurityAudit job-function/ViewOnlyAccess AmazonS3FullAccess " +
  "AmazonS3ReadOnlyAccess AmazonSQSFullAccess AmazonSQSReadOnlyAccess AmazonSNSFullAccess AmazonDynamoDBFullAccess " +
  "AmazonDynamoDBReadOnlyAccess AmazonRDSFullAccess AmazonEC2FullAccess AmazonEC2ReadOnlyAccess SecretsManagerReadWrite " +
  "AmazonEC2ContainerRegistryReadOnly AmazonEC2ContainerRegistryPowerUser AmazonEKSClusterPolicy AmazonEKSWorkerNodePolicy " +
  "AmazonEKS_CNI_Policy AmazonSSMManagedInstanceCore CloudWatchAgentServerPolicy CloudWatchLogsFullAccess " +
  "service-role/AWSLambdaBasicExecutionRole service-role/AmazonECSTaskExecutionRolePolicy";
const OF_AWS = /^arn:aws[a-z-]*:iam::aws:policy(\/(?:[\w+=,.@-]+\/)*)([\w+=,.@-]{1,128})$/;
/** When those of AWS are told to have been made. */
const MADE = Date.UTC(2015, 1, 6, 18, 39);

/** Names of policies of AWS itself, by the partition that an ARN begins with. */
export function policiesOfAws(partition: string): readonly string[] {
  return TOLD.split(" ").map((name) => `arn:${partition}:iam::aws:policy/${name}`);
}

/** Whether there is a policy of an ARN; refuses what is no ARN. */
export function policyExists(store: IamStore, arn: string): boolean {
  if (!/^arn:aws[a-z-]*:iam::(aws|\d{12}):policy\/./.test(arn)) throw invalidInput(`ARN ${arn} is not valid.`);
  return OF_AWS.test(arn) || store.policy(arn) !== undefined;
}

/** The name at the end of a policy's ARN. */
export function policyName(arn: string): string {
  return arn.slice(arn.lastIndexOf("/") + 1);
}

/** The path of a policy's ARN, `/` where it has none. */
export function policyPath(arn: string): string {
  return arn.slice(arn.indexOf(":policy/") + ":policy".length, arn.lastIndexOf("/") + 1);
}

/** A policy as it is told; undefined when there is none. */
export function policyTold(store: IamStore, account: string, arn: string): Policy | undefined {
  const roles = store.all(store.roles, account);
  const usage = {
    AttachmentCount: roles.filter(({ attached }) => attached.includes(arn)).length,
    PermissionsBoundaryUsageCount: roles.filter(({ boundary }) => boundary === arn).length,
    IsAttachable: true,
    DefaultVersionId: "v1",
  };
  const named = { PolicyName: policyName(arn), Path: policyPath(arn), Arn: arn };
  if (OF_AWS.test(arn)) return { ...named, ...usage, PolicyId: idOf(arn), CreateDate: MADE, UpdateDate: MADE };
  const own = store.policy(arn);
  return (
    own && {
      ...named,
      ...usage,
      PolicyId: own.id,
      CreateDate: own.createdAt,
      UpdateDate: own.createdAt,
      ...(own.description !== undefined && { Description: own.description }),
      Tags: own.tags.map(([Key, Value]) => ({ Key, Value })),
    }
  );
}

/** Always the same for a name. */
function idOf(arn: string): string {
  return `ANPA${Buffer.from(arn.slice(-17)).toString("hex").toUpperCase().slice(0, 17).padEnd(17, "A")}`;
}
