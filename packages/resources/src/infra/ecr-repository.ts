import { defineResource, immutable, s } from "@gatewright/kube/define";
import type { ObjectOf } from "@gatewright/kube/define";
import { INFRA_GROUP } from "./infra-group.ts";
import { deletionPolicy, managedSpec } from "./managed-spec.ts";
import { managedColumns, managedStatus } from "./managed-status.ts";

const PART = "[a-z0-9]+((\\.|_|__|-+)[a-z0-9]+)*";
const EXCEPTING = "(has(self.imageTagMutability) && self.imageTagMutability.endsWith('_WITH_EXCLUSION'))";

/** A repository of ECR. */
export const ECRRepository = defineResource({
  ...INFRA_GROUP,
  kind: "ECRRepository",
  shortNames: ["ecr"],
  categories: ["aws"],
  scope: "Namespaced",
  description: "A repository of container images in Amazon ECR.",
  spec: s.object(
    {
      ...managedSpec,
      repositoryName: s.string({
        description: "Name of the repository, with slashes where it is below others.",
        minLength: 2,
        maxLength: 256,
        pattern: `^${PART}(/${PART})*$`,
        rules: [immutable("is immutable: a repository of another name is another repository")],
      }),
      imageTagMutability: s
        .string({
          description: "Whether a tag may move to another image. With exclusion: the other way for some. AWS: MUTABLE.",
          enum: ["MUTABLE", "IMMUTABLE", "IMMUTABLE_WITH_EXCLUSION", "MUTABLE_WITH_EXCLUSION"],
        })
        .optional(),
      imageTagMutabilityExclusionFilters: s
        .array(s.string({ maxLength: 128, pattern: "^[0-9a-zA-Z._*-]+$" }), {
          description: "Tags that imageTagMutability does not hold for, such as latest or dev-*.",
          minItems: 1,
          maxItems: 5,
          listType: "set",
        })
        .optional(),
      scanOnPush: s
        .boolean({ description: "Whether images are scanned for weaknesses when they are pushed. AWS: no." })
        .optional(),
      encryptionConfiguration: s
        .object(
          {
            encryptionType: s.string({
              description: "With keys of ECR, or of KMS.",
              enum: ["AES256", "KMS", "KMS_DSSE"],
            }),
            kmsKey: s
              .string({ description: "KMS key: id, ARN or alias. AWS: aws/ecr.", minLength: 1, maxLength: 2048 })
              .optional(),
          },
          {
            description: "How images are encrypted. Changing it is a replacement, which loses them. AWS: AES256.",
            rules: [
              {
                rule: "!has(self.kmsKey) || self.encryptionType != 'AES256'",
                message: "kmsKey is for KMS and KMS_DSSE",
                fieldPath: ".kmsKey",
              },
            ],
          },
        )
        .optional(),
      lifecyclePolicy: s
        .object(
          {
            policyText: s.string({
              description: "The policy, a JSON document. Compared by meaning, not by spelling.",
              minLength: 100,
              maxLength: 30_720,
            }),
          },
          { description: "Which images go by themselves. AWS: none." },
        )
        .optional(),
      repositoryPolicy: s
        .object(
          {
            policyText: s.string({
              description: "The policy, a JSON document. Compared by meaning, not by spelling.",
              minLength: 2,
              maxLength: 10_240,
            }),
          },
          { description: "Who else may use the repository. AWS: nobody of other accounts." },
        )
        .optional(),
      forceDestroy: s
        .boolean({ description: "Whether a repository that has images is deleted, with them. Default: it stays." })
        .optional(),
      deletionPolicy: deletionPolicy(
        ["Delete", "Retain", "Orphan"],
        "Delete",
        " Delete: it goes, when it is empty or forceDestroy is set.",
      ),
    },
    {
      rules: [
        {
          rule: `has(self.imageTagMutabilityExclusionFilters) == ${EXCEPTING}`,
          message:
            "imageTagMutabilityExclusionFilters goes with IMMUTABLE_WITH_EXCLUSION and MUTABLE_WITH_EXCLUSION, and they with it",
          fieldPath: ".imageTagMutabilityExclusionFilters",
        },
      ],
    },
  ),
  status: s.object({
    ...managedStatus,
    repositoryArn: s.string({ description: "ARN of the repository.", maxLength: 2048 }).optional(),
    repositoryUri: s.string({ description: "What images are pushed to and pulled from.", maxLength: 2048 }).optional(),
    registryId: s.string({ description: "The registry: number of its account.", maxLength: 12 }).optional(),
  }),
  columns: [
    { name: "Repository", type: "string", path: ".spec.repositoryName" },
    { name: "URI", type: "string", path: ".status.repositoryUri", priority: 1 },
    ...managedColumns,
  ],
  example: {
    apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
    kind: "ECRRepository",
    metadata: { name: "web", namespace: "default" },
    spec: {
      providerRef: { name: "aws" },
      repositoryName: "shop/web",
      imageTagMutability: "IMMUTABLE_WITH_EXCLUSION",
      imageTagMutabilityExclusionFilters: ["latest"],
      scanOnPush: true,
      lifecyclePolicy: {
        policyText:
          '{"rules":[{"rulePriority":1,"selection":{"tagStatus":"untagged","countType":"sinceImagePushed","countUnit":"days","countNumber":14},"action":{"type":"expire"}}]}',
      },
      writeOutputsTo: { kind: "ConfigMap", name: "web-images", data: { IMAGE: "${uri}" } },
    },
  },
});

/** {@inheritDoc ECRRepository} */
export type ECRRepository = ObjectOf<typeof ECRRepository>;
