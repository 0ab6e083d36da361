import {
  DescribeSecretCommand,
  GetResourcePolicyCommand,
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import type { Json, JsonObject } from "@gatewright/kube";
import { SecretsManagerSecret } from "@gatewright/resources";
import { anyKind } from "../../engine/aws-kind.ts";
import { fieldsRoundTrip } from "../testing/fields-round-trip.ts";
import type { KindStage } from "../testing/kind-stage.ts";
import { kindWorld } from "../testing/kind-world.ts";
import { secretsManagerSecret } from "./index.ts";

const lambda = (name: string): string => `arn:aws:lambda:eu-west-1:000000000000:function:${name}`;
const ROTATION = { rotationEnabled: true, rotationLambdaARN: lambda("one"), automaticallyAfterDays: 30 };
const policy = (Action: Json) => ({
  resourcePolicy: JSON.stringify({
    Version: "2012-10-17",
    Statement: [{ Effect: "Allow", Principal: { AWS: "111111111111" }, Action, Resource: "*" }],
  }),
});
const scheduled = (rotationScheduleExpression: string, more: JsonObject = {}): JsonObject => ({
  rotationEnabled: true,
  rotationLambdaARN: lambda("one"),
  rotationScheduleExpression,
  ...more,
});

fieldsRoundTrip({
  kind: anyKind(secretsManagerSecret),
  definition: SecretsManagerSecret,
  open: () => kindWorld({ listening: true }),
  base: (number) => ({ secretName: `sample/${number}` }),
  samples: {
    description: [{ description: "one" }, { description: "two" }, { description: "" }],
    kmsKeyId: [
      { kmsKeyId: "alias/one" },
      { kmsKeyId: "alias/two" },
      { kmsKeyId: "1234abcd" },
      { kmsKeyId: "alias/aws/secretsmanager" },
    ],
    rotationEnabled: [ROTATION, { rotationEnabled: false }],
    rotationLambdaARN: ["one", "two", "three"].map((name) => ({ ...ROTATION, rotationLambdaARN: lambda(name) })),
    automaticallyAfterDays: [1, 7, 1000].map((days) => ({ ...ROTATION, automaticallyAfterDays: days })),
    rotationScheduleExpression: [
      scheduled("rate(12 hours)"),
      scheduled("rate(10 days)"),
      scheduled("cron(0 8 1 * ? *)"),
    ],
    rotationDuration: ["1h", "3h", "12h"].map((rotationDuration) => scheduled("rate(10 days)", { rotationDuration })),
    resourcePolicy: [
      policy("secretsmanager:GetSecretValue"),
      policy(["secretsmanager:*"]),
      policy(["secretsmanager:DescribeSecret", "secretsmanager:GetSecretValue"]),
    ],
  },
  except: {
    secretStringRef: "stays when it leaves the spec: tested by itself",
    secretBinaryRef: "stays when it leaves the spec: tested by itself",
  },
  walks: 5,
  look,
  normal: withoutRest,
});

const clients = new WeakMap<KindStage, SecretsManagerClient>();

/** All that AWS tells of a secret, but for what is its own. */
async function look(stage: KindStage, SecretId: string): Promise<unknown> {
  const secrets = clients.get(stage) ?? new SecretsManagerClient(stage.sdk());
  clients.set(stage, secrets);
  const told = await secrets.send(new DescribeSecretCommand({ SecretId }));
  const { ResourcePolicy } = await secrets.send(new GetResourcePolicyCommand({ SecretId }));
  const value = await secrets.send(new GetSecretValueCommand({ SecretId })).then(
    ({ SecretString }) => SecretString,
    (error: unknown) => {
      if (!(error instanceof ResourceNotFoundException)) throw error;
      return undefined;
    },
  );
  return {
    description: told.Description,
    key: told.KmsKeyId,
    rotates: told.RotationEnabled ?? false,
    rotation: [told.RotationLambdaARN, told.RotationRules],
    tags: told.Tags?.map(({ Key, Value }) => `${Key}=${Value}`).toSorted(),
    policy: ResourcePolicy,
    value,
  };
}

/** AWS remembers how it rotated when it does no more. */
function withoutRest(state: unknown): unknown {
  const { rotation, ...rest } = state as { readonly rotation: unknown; readonly rotates: boolean };
  return rest.rotates ? { ...rest, rotation } : rest;
}
