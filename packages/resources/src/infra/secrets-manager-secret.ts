import { atMostOneOf, defineResource, immutable, s } from "@gatewright/kube/define";
import type { ObjectOf } from "@gatewright/kube/define";
import { INFRA_GROUP } from "./infra-group.ts";
import { deletionPolicy, managedSpec, objectName } from "./managed-spec.ts";
import { managedColumns, managedStatus } from "./managed-status.ts";

const secretKey = (description: string) =>
  s
    .object(
      {
        name: objectName("Name of the Secret."),
        key: s.string({ description: "Key in its data.", minLength: 1, maxLength: 253 }),
      },
      { description, mapType: "atomic" },
    )
    .optional();
const ROTATES = "(has(self.rotationEnabled) && self.rotationEnabled)";

/** A secret of Secrets Manager. */
export const SecretsManagerSecret = defineResource({
  ...INFRA_GROUP,
  kind: "SecretsManagerSecret",
  shortNames: ["awssecret"],
  categories: ["aws"],
  scope: "Namespaced",
  description:
    "A secret of AWS Secrets Manager. Its value is written when the Secret that it comes from changes, and never read.",
  spec: s.object(
    {
      ...managedSpec,
      secretName: s.string({
        description:
          "Name of the secret. One that was deleted holds its name for its recovery window: it is had back with management.adopt.byName.",
        minLength: 1,
        maxLength: 512,
        pattern: "^[A-Za-z0-9/_+=.@!-]+$",
        rules: [immutable("is immutable: a secret of another name is another secret")],
      }),
      description: s.string({ description: "What it is for.", maxLength: 2048 }).optional(),
      secretStringRef: secretKey(
        "The Secret, in the same namespace, whose text is the value. With rotationEnabled it counts at creation only.",
      ),
      secretBinaryRef: secretKey(
        "The Secret, in the same namespace, whose bytes are the value. With rotationEnabled it counts at creation only.",
      ),
      kmsKeyId: s
        .string({ description: "KMS key: id, ARN or alias. AWS: aws/secretsmanager.", minLength: 1, maxLength: 2048 })
        .optional(),
      rotationEnabled: s.boolean({ description: "Whether a Lambda function changes the value by itself." }).optional(),
      rotationLambdaARN: s
        .string({
          description: "ARN of that function. Secrets Manager must be allowed to invoke it.",
          maxLength: 2048,
          pattern: "^arn:[a-z-]+:lambda:",
        })
        .optional(),
      automaticallyAfterDays: s
        .integer({ description: "Days between rotations.", format: "int32", minimum: 1, maximum: 1000 })
        .optional(),
      rotationScheduleExpression: s
        .string({
          description: "When to rotate: rate(12 hours), cron(0 8 1 * ? *). Instead of automaticallyAfterDays.",
          maxLength: 256,
          pattern: "^(rate|cron)\\(.+\\)$",
        })
        .optional(),
      rotationDuration: s
        .string({
          description: "How long a rotation may take from its beginning, in hours: 3h.",
          maxLength: 3,
          pattern: "^[0-9]+h$",
        })
        .optional(),
      rotateImmediately: s
        .boolean({
          description: "Whether the value is rotated at once when rotation is turned on or changed. Default: false.",
        })
        .optional(),
      resourcePolicy: s
        .string({
          description:
            "Who else may use it, a JSON document. Compared by meaning, not by spelling. One that lets everybody in is refused.",
          minLength: 2,
          maxLength: 20_480,
        })
        .optional(),
      recoveryWindowInDays: s.integer({
        description:
          "For how long a deleted secret can be had back, and holds its name: 7 to 30 days; 0: it is gone at once.",
        format: "int32",
        minimum: 0,
        maximum: 30,
        default: 30,
        rules: [{ rule: "self == 0 || self >= 7", message: "must be 0, or 7 to 30" }],
      }),
      deletionPolicy: deletionPolicy(
        ["Delete", "Retain", "Orphan"],
        "Delete",
        " Delete: it goes, and can be had back for recoveryWindowInDays.",
      ),
    },
    {
      rules: [
        atMostOneOf("secretStringRef", "secretBinaryRef"),
        {
          rule: `!${ROTATES} || (has(self.rotationLambdaARN) && has(self.automaticallyAfterDays) != has(self.rotationScheduleExpression))`,
          message:
            "rotationEnabled needs rotationLambdaARN and either automaticallyAfterDays or rotationScheduleExpression",
          fieldPath: ".rotationEnabled",
        },
      ],
    },
  ),
  status: s.object({
    ...managedStatus,
    arn: s.string({ description: "ARN of the secret.", maxLength: 2048 }).optional(),
    versionId: s.string({ description: "Version of the value that is current.", maxLength: 64 }).optional(),
    rotationEnabled: s.boolean({ description: "Whether AWS rotates it." }).optional(),
    lastRotatedDate: s.time({ description: "When it was last rotated." }).optional(),
    nextRotationDate: s.time({ description: "When it will be rotated." }).optional(),
  }),
  columns: [
    { name: "Secret", type: "string", path: ".spec.secretName" },
    { name: "Rotation", type: "boolean", path: ".status.rotationEnabled", priority: 1 },
    ...managedColumns,
  ],
  example: {
    apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
    kind: "SecretsManagerSecret",
    metadata: { name: "payment-key", namespace: "default" },
    spec: {
      providerRef: { name: "aws" },
      secretName: "shop/payment-key",
      secretStringRef: { name: "payment", key: "api-key" },
      recoveryWindowInDays: 7,
      writeOutputsTo: { kind: "ConfigMap", name: "payment-key", data: { PAYMENT_KEY_ARN: "${arn}" } },
    },
  },
});

/** {@inheritDoc SecretsManagerSecret} */
export type SecretsManagerSecret = ObjectOf<typeof SecretsManagerSecret>;
