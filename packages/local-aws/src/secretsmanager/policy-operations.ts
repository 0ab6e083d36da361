import type { Operations } from "@gatewright/aws-wire/types/secretsmanager";
import { AwsError } from "../aws-error.ts";
import { policyStatements } from "../policies/policy-statements.ts";
import { isNamedWell, principalsOf } from "../policies/principals.ts";
import type { Handlers } from "../service.ts";
import type { SecretStore } from "./store.ts";

/** Policies on secrets. They are kept and judged, not enforced. */
export function policyOperations(store: SecretStore): Handlers<Operations> {
  return {
    PutResourcePolicy: async ({ SecretId, ResourcePolicy, BlockPublicPolicy }, context) => {
      const secret = store.living(context, SecretId);
      if (isPublic(ResourcePolicy) && BlockPublicPolicy === true) {
        throw new AwsError("PublicPolicyException", "The resource policy grants broad access to the secret.");
      }
      await store.put({ ...secret, policy: ResourcePolicy });
      return { ARN: secret.arn, Name: secret.name };
    },
    GetResourcePolicy: ({ SecretId }, context) => {
      const { arn, name, policy } = store.living(context, SecretId);
      return { ARN: arn, Name: name, ...(policy !== undefined && { ResourcePolicy: policy }) };
    },
    DeleteResourcePolicy: async ({ SecretId }, context) => {
      const secret = store.living(context, SecretId);
      await store.put({ ...secret, policy: undefined });
      return { ARN: secret.arn, Name: secret.name };
    },
  };
}

/** Whether a policy lets anybody in; refuses what is no policy on a secret. */
function isPublic(text: string): boolean {
  const malformed = (why: string): AwsError => new AwsError("MalformedPolicyDocumentException", why);
  const statements = policyStatements(text);
  if (typeof statements === "string") throw malformed(statements);
  return statements
    .map((statement) => {
      const principals = principalsOf(statement);
      if (principals === undefined || principals.length === 0 || !principals.every(isNamedWell)) {
        throw malformed("This resource policy contains an unsupported principal.");
      }
      if (!statement.has("Resource") && !statement.has("NotResource")) {
        throw malformed("Policy statement must contain resources.");
      }
      const anybody = statement.has("NotPrincipal") || principals.some(({ name }) => name === "*");
      return statement.get("Effect") === "Allow" && anybody && !statement.has("Condition");
    })
    .includes(true);
}
