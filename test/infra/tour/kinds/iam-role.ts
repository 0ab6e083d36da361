import { IAMRole } from "@gatewright/resources";
import type { Json } from "@gatewright/kube";
import { tagsIn, within } from "../cli.ts";
import type { Cli } from "../cli.ts";
import type { KindTour } from "../kind-tour.ts";
import { managed } from "../managed.ts";

const trust = (Service: string) => ({
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Principal: { Service }, Action: "sts:AssumeRole" }],
});
const READING = { Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "s3:GetObject", Resource: "*" }] };
const BOUNDARY = "arn:aws:iam::aws:policy/ReadOnlyAccess";
const on = (cli: Cli, command: string, role: string, ...rest: (string | object)[]) =>
  cli.askUnless(/^NoSuchEntity$/, `iam ${command} --role-name ${role}`, ...rest);

export const iamRoleTour: KindTour = {
  title: "IAMRole",
  resource: managed(IAMRole),
  find: async (cli, role) => ((await on(cli, "get-role", role)) === undefined ? undefined : role),
  looks: {
    async role(cli, role) {
      const told = within(await on(cli, "get-role", role), "Role") as Readonly<Record<string, Json>>;
      const { Tags: _, RoleLastUsed: __, ...rest } = told;
      return rest;
    },
    attached: async (cli, role) => within(await on(cli, "list-attached-role-policies", role), "AttachedPolicies"),
    inline: async (cli, role) => within(await on(cli, "list-role-policies", role), "PolicyNames"),
    reading: async (cli, role) =>
      within(await on(cli, "get-role-policy", role, "--policy-name", "reading"), "PolicyDocument"),
    profiles: async (cli, role) => {
      const told = await on(cli, "list-instance-profiles-for-role", role);
      return (within(told, "InstanceProfiles") as readonly Json[]).map((each) => within(each, "InstanceProfileName")!);
    },
  },
  tags: async (cli, role) => tagsIn(within(await on(cli, "list-role-tags", role), "Tags")),
  open: async (cli) => {
    const made = await cli.ask("iam create-policy --policy-name tour-queues --policy-document", READING);
    const arn = within(made, "Policy", "Arn") as string;
    return {
      spec: (roleName) => ({
        roleName,
        assumeRolePolicyDocument: JSON.stringify(trust("ec2.amazonaws.com")),
        description: "made for the tour",
      }),
      made: {
        role: {
          Path: "/",
          Description: "made for the tour",
          MaxSessionDuration: 3600,
          AssumeRolePolicyDocument: trust("ec2.amazonaws.com"),
        },
      },
      replacement: { put: { path: "/apps/" }, sees: { role: { Path: "/apps/" } } },
      changes: [
        { field: "description", put: { description: "other" }, sees: { role: { Description: "other" } } },
        {
          field: "assumeRolePolicyDocument",
          put: { assumeRolePolicyDocument: JSON.stringify(trust("lambda.amazonaws.com")) },
          sees: { role: { AssumeRolePolicyDocument: trust("lambda.amazonaws.com") } },
        },
        {
          field: "managedPolicyArns",
          put: { managedPolicyArns: [arn] },
          sees: { attached: [{ PolicyName: "tour-queues", PolicyArn: arn }] },
        },
        {
          field: "inlinePolicies",
          put: { inlinePolicies: [{ policyName: "reading", policyDocument: JSON.stringify(READING) }] },
          sees: { inline: ["reading"], reading: READING },
        },
        {
          field: "maxSessionDuration",
          put: { maxSessionDuration: 7200 },
          sees: { role: { MaxSessionDuration: 7200 } },
        },
        {
          field: "permissionsBoundary",
          put: { permissionsBoundary: BOUNDARY },
          sees: { role: { PermissionsBoundary: { PermissionsBoundaryArn: BOUNDARY } } },
        },
        {
          field: "instanceProfile",
          put: { instanceProfile: true },
          sees: { profiles: ["tour-iamrole-main"] },
        },
      ],
    };
  },
  drift: {
    by: (cli, role) => on(cli, "update-role", role, "--description", "mine"),
    sees: { role: { Description: "mine" } },
  },
  makeByHand: (cli, role) =>
    on(
      cli,
      "create-role",
      role,
      "--tags",
      "Key=team,Value=old",
      "--assume-role-policy-document",
      trust("sqs.amazonaws.com"),
    ),
  isReplaceable: true,
};
