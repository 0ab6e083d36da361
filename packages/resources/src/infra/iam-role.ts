import { defineResource, immutable, s } from "@gatewright/kube/define";
import type { ObjectOf } from "@gatewright/kube/define";
import { INFRA_GROUP } from "./infra-group.ts";
import { deletionPolicy, managedSpec } from "./managed-spec.ts";
import { managedColumns, managedStatus } from "./managed-status.ts";

const document = (description: string, maxLength: number) =>
  s.string({
    description: `${description} A JSON document. Compared by meaning, not by spelling.`,
    minLength: 2,
    maxLength,
    pattern: "^\\s*\\{",
  });
const policyArn = (description: string) =>
  s.string({ description, maxLength: 2048, pattern: "^arn:[a-z-]+:iam::(aws|[0-9]{12}):policy/.+$" });
const inlinePolicy = {
  policyName: s.string({
    description: "Name of the policy, in the role.",
    minLength: 1,
    maxLength: 128,
    pattern: "^[A-Za-z0-9_+=,.@-]+$",
  }),
  policyDocument: document("What it allows.", 16_384),
};

/** A role of IAM. */
export const IAMRole = defineResource({
  ...INFRA_GROUP,
  kind: "IAMRole",
  shortNames: ["iamrole"],
  categories: ["aws"],
  scope: "Namespaced",
  description: "A role of AWS IAM, with its policies. Roles are the same in every region of an account.",
  spec: s.object(
    {
      ...managedSpec,
      roleName: s.string({
        description: "Name of the role. Unique in the account, whatever its case.",
        minLength: 1,
        maxLength: 64,
        pattern: "^[A-Za-z0-9_+=,.@-]+$",
        rules: [immutable("is immutable: a role of another name is another role")],
      }),
      path: s
        .string({
          description: "Path before the name in the ARN. Changing it is a replacement. AWS: /.",
          maxLength: 512,
          pattern: "^/([!-~]+/)?$",
        })
        .optional(),
      description: s
        .string({
          description: "What it is for.",
          maxLength: 1000,
          pattern: "^[\\t\\n\\r\\x20-\\x7E\\xA1-\\xFF]*$",
        })
        .optional(),
      assumeRolePolicyDocument: document("Who may take on the role.", 16_384),
      managedPolicyArns: s
        .array(policyArn("ARN of a policy."), {
          description: "Policies that are attached, these and no others. AWS takes 10, or up to 25 by quota.",
          maxItems: 25,
          listType: "set",
        })
        .optional(),
      inlinePolicy: s
        .object(inlinePolicy, { description: "A policy that is part of the role. For more of them: inlinePolicies." })
        .optional(),
      inlinePolicies: s
        .array(s.object(inlinePolicy), {
          description: "Policies that are part of the role, these and no others.",
          maxItems: 20,
          listType: "map",
          listMapKeys: ["policyName"],
        })
        .optional(),
      maxSessionDuration: s
        .integer({
          description: "Longest session, in seconds. AWS: 3600.",
          format: "int32",
          minimum: 3600,
          maximum: 43_200,
        })
        .optional(),
      permissionsBoundary: policyArn("ARN of the policy beyond which nothing is allowed.").optional(),
      instanceProfile: s
        .boolean({
          description: "Whether there is an instance profile of the same name, by which EC2 instances get the role.",
        })
        .optional(),
      deletionPolicy: deletionPolicy(["Delete", "Retain", "Orphan"], "Delete", " Delete: it goes, with its policies."),
    },
    {
      rules: [
        {
          rule: "!has(self.inlinePolicy) || !has(self.inlinePolicies) || self.inlinePolicies.all(each, each.policyName != self.inlinePolicy.policyName)",
          message: "inlinePolicy and inlinePolicies must not have the same policyName",
          fieldPath: ".inlinePolicy",
        },
        {
          rule: "!has(self.management) || !has(self.management.adopt) || !has(self.management.adopt.byTags)",
          message: "AWS has no search for roles by tags: use management.adopt.byName",
          fieldPath: ".management",
        },
      ],
    },
  ),
  status: s.object({
    ...managedStatus,
    roleArn: s.string({ description: "ARN of the role.", maxLength: 2048 }).optional(),
    roleId: s
      .string({ description: "Id of the role: one of the same name later has another.", maxLength: 128 })
      .optional(),
    instanceProfileArn: s.string({ description: "ARN of its instance profile.", maxLength: 2048 }).optional(),
  }),
  columns: [{ name: "Role", type: "string", path: ".spec.roleName" }, ...managedColumns],
  example: {
    apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
    kind: "IAMRole",
    metadata: { name: "web", namespace: "default" },
    spec: {
      providerRef: { name: "aws" },
      roleName: "shop-web",
      assumeRolePolicyDocument:
        '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"ec2.amazonaws.com"},"Action":"sts:AssumeRole"}]}',
      managedPolicyArns: ["arn:aws:iam::aws:policy/AmazonSSMManagedInstanceCore"],
      inlinePolicies: [
        {
          policyName: "invoices",
          policyDocument:
            '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:GetObject","Resource":"arn:aws:s3:::shop-invoices/*"}]}',
        },
      ],
      instanceProfile: true,
    },
  },
});

/** {@inheritDoc IAMRole} */
export type IAMRole = ObjectOf<typeof IAMRole>;
