import { ageColumn, atMostOneOf, conditionColumn, defineResource, needs, s } from "@gatewright/kube/define";
import type { ObjectOf } from "@gatewright/kube/define";
import { INFRA_GROUP } from "./infra-group.ts";
import { namespaceName, namespaceOrAll, objectName } from "./managed-spec.ts";

const secretName = objectName("Name of the Secret.");
const namespace = namespaceName(
  "Its namespace, whose Secret must let this one in by an annotation. Default: the provider's own.",
).optional();
const key = s.string({ description: "Key in its data.", minLength: 1, maxLength: 253 });
const secretKey = (description: string) => s.object({ name: secretName, namespace, key }, { description }).optional();
const roleArn = (description: string) =>
  s
    .string({ description, maxLength: 2048, pattern: "^arn:[a-z-]+:iam::[0-9]{12}:role/[A-Za-z0-9+=,.@_/-]+$" })
    .optional();

/** An account and a region of AWS, and who acts there. */
export const AWSProvider = defineResource({
  ...INFRA_GROUP,
  kind: "AWSProvider",
  shortNames: ["awsp"],
  categories: ["aws"],
  scope: "Namespaced",
  description: "An AWS account and region that resources are made in, and the identity that makes them.",
  spec: s.object(
    {
      region: s.string({
        description: "Region, such as eu-west-1.",
        maxLength: 32,
        pattern: "^[a-z]{2,}(-[a-z0-9]+)+$",
      }),
      accountID: s
        .string({
          description:
            "The only account that it may lead to. With credentials of another it is not ready. Default: any.",
          pattern: "^[0-9]{12}$",
        })
        .optional(),
      endpoint: s
        .string({
          description: "One URL for all services, for what is not AWS itself.",
          maxLength: 2048,
          pattern: "^https?://",
        })
        .optional(),
      roleARN: roleArn(
        "Role that is assumed with the operator's service account token (IRSA), or as the operator where there is none.",
      ),
      credentialsSecret: s
        .object(
          { name: secretName, namespace },
          {
            description:
              "Secret with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, for temporary keys, AWS_SESSION_TOKEN. New content takes effect at once.",
          },
        )
        .optional(),
      accessKeyIDRef: secretKey("Where the access key id is. Older than credentialsSecret."),
      secretAccessKeyRef: secretKey("Where the secret access key is. Older than credentialsSecret."),
      sessionTokenRef: secretKey("Where the session token of temporary keys is."),
      assumeRoleARN: roleArn("Role that is assumed with the credentials, in this or another account."),
      externalID: s
        .string({
          description: "What the role's trust policy asks for.",
          minLength: 2,
          maxLength: 1224,
          pattern: "^[A-Za-z0-9+=,.@:/_-]*$",
        })
        .optional(),
      defaultTags: s
        .map(s.string({ maxLength: 256 }), {
          description: "Tags of every resource of the provider. A resource's own win.",
          maxProperties: 20,
          rules: [
            {
              rule: "self.all(key, key.size() >= 1 && key.size() <= 128 && !key.lowerAscii().startsWith('aws:'))",
              message: "a tag's key has 1 to 128 characters and does not begin with aws:",
            },
          ],
        })
        .optional(),
      allowedNamespaces: s
        .array(namespaceOrAll, {
          description: "Other namespaces whose resources may use the provider; * for all. Default: none.",
          maxItems: 1000,
          listType: "set",
        })
        .optional(),
    },
    {
      rules: [
        atMostOneOf("roleARN", "credentialsSecret", "accessKeyIDRef"),
        needs("accessKeyIDRef", "secretAccessKeyRef"),
        needs("secretAccessKeyRef", "accessKeyIDRef"),
        needs("sessionTokenRef", "accessKeyIDRef"),
        needs("externalID", "assumeRoleARN"),
      ],
    },
  ),
  status: s.object({
    observedGeneration: s.integer({ description: "The generation that was checked.", format: "int64" }).optional(),
    ready: s.boolean({ description: "Whether AWS took the credentials." }).optional(),
    lastAuthenticationTime: s.time({ description: "When AWS last said who we are, and that was news." }).optional(),
    accountID: s.string({ description: "The account.", maxLength: 12 }).optional(),
    callerIdentity: s.string({ description: "ARN of who we are there.", maxLength: 2048 }).optional(),
    credentialsVersion: s
      .string({ description: "Which version of the Secrets was checked.", maxLength: 1024 })
      .optional(),
    usedBy: s
      .array(s.string({ maxLength: 512 }), {
        description: "While it is being deleted: objects that still use it, some of them.",
        maxItems: 20,
        listType: "atomic",
      })
      .optional(),
    conditions: s.conditions(),
  }),
  columns: [
    { name: "Region", type: "string", path: ".spec.region" },
    conditionColumn("Ready"),
    { name: "Account", type: "string", path: ".status.accountID" },
    { name: "Identity", type: "string", path: ".status.callerIdentity", priority: 1 },
    ageColumn,
  ],
  example: {
    apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
    kind: "AWSProvider",
    metadata: { name: "aws", namespace: "default" },
    spec: {
      region: "eu-west-1",
      assumeRoleARN: "arn:aws:iam::123456789012:role/shop-infra",
      externalID: "shop",
      defaultTags: { team: "shop" },
    },
  },
});

/** {@inheritDoc AWSProvider} */
export type AWSProvider = ObjectOf<typeof AWSProvider>;
