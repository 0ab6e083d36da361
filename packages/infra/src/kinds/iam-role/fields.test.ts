import {
  GetInstanceProfileCommand,
  GetRoleCommand,
  GetRolePolicyCommand,
  IAMClient,
  ListAttachedRolePoliciesCommand,
  ListRolePoliciesCommand,
  NoSuchEntityException,
} from "@aws-sdk/client-iam";
import type { Json } from "@gatewright/kube";
import { IAMRole } from "@gatewright/resources";
import { anyKind } from "../../engine/aws-kind.ts";
import { fieldsRoundTrip } from "../testing/fields-round-trip.ts";
import type { KindStage } from "../testing/kind-stage.ts";
import { kindWorld } from "../testing/kind-world.ts";
import { iamRole } from "./index.ts";

const trust = (Principal: Json) =>
  JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Principal, Action: "sts:AssumeRole" }] });
const permissions = (Action: Json) =>
  JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Action, Resource: "*" }] });
const policy = (name: string): string => `arn:aws:iam::aws:policy/${name}`;
const inline = (policyName: string, action: Json) => ({ policyName, policyDocument: permissions(action) });

fieldsRoundTrip({
  kind: anyKind(iamRole),
  definition: IAMRole,
  open: () => kindWorld({ listening: true }),
  base: (number) => ({
    roleName: `sample-${number}`,
    assumeRolePolicyDocument: trust({ Service: "ec2.amazonaws.com" }),
  }),
  samples: {
    description: [{ description: "one" }, { description: "two" }, { description: "" }],
    assumeRolePolicyDocument: [{ Service: ["lambda.amazonaws.com"] }, { AWS: "111111111111" }, "*"].map((each) => ({
      assumeRolePolicyDocument: trust(each),
    })),
    managedPolicyArns: [
      { managedPolicyArns: [policy("ReadOnlyAccess")] },
      { managedPolicyArns: [policy("SecurityAudit"), policy("PowerUserAccess")] },
      { managedPolicyArns: Array.from({ length: 10 }, (_, i) => policy(`Some${i}`)) },
      { managedPolicyArns: [] },
    ],
    inlinePolicies: [
      { inlinePolicy: inline("read", "s3:GetObject") },
      { inlinePolicies: [inline("write", ["s3:PutObject", "s3:GetObject"]), inline("read", "s3:ListBucket")] },
      { inlinePolicy: inline("one", "sqs:*"), inlinePolicies: [inline("read", "s3:GetObject")] },
    ],
    maxSessionDuration: [{ maxSessionDuration: 7200 }, { maxSessionDuration: 43_200 }, { maxSessionDuration: 3600 }],
    permissionsBoundary: ["ReadOnlyAccess", "PowerUserAccess", "SecurityAudit"].map((name) => ({
      permissionsBoundary: policy(name),
    })),
    instanceProfile: [{ instanceProfile: true }, { instanceProfile: false }],
  },
  walks: 5,
  look,
});

const clients = new WeakMap<KindStage, IAMClient>();

/** All that AWS tells of a role, but for what is its own. */
async function look(stage: KindStage, RoleName: string): Promise<unknown> {
  const iam = clients.get(stage) ?? new IAMClient(stage.sdk());
  clients.set(stage, iam);
  const { Role: role } = await iam.send(new GetRoleCommand({ RoleName }));
  const { RoleId: _, CreateDate: __, Tags: tags = [], ...rest } = role ?? {};
  const { AttachedPolicies: attached = [] } = await iam.send(new ListAttachedRolePoliciesCommand({ RoleName }));
  const { PolicyNames: names = [] } = await iam.send(new ListRolePoliciesCommand({ RoleName }));
  const documents = names.map(async (PolicyName) => {
    const { PolicyDocument: document } = await iam.send(new GetRolePolicyCommand({ RoleName, PolicyName }));
    return [PolicyName, document];
  });
  return {
    ...rest,
    tags: tags.map(({ Key: key, Value: value }) => `${key}=${value}`).toSorted(),
    attached: attached.map(({ PolicyArn: arn = "" }) => arn).toSorted(),
    inline: await Promise.all(documents),
    profile: await iam.send(new GetInstanceProfileCommand({ InstanceProfileName: RoleName })).then(
      ({ InstanceProfile: profile }) => [profile?.Roles?.map((each) => each.RoleName), profile?.Tags],
      (error: unknown) => {
        if (!(error instanceof NoSuchEntityException)) throw error;
        return undefined;
      },
    ),
  };
}
