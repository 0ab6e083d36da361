import assert from "node:assert/strict";
import { SecretsManagerSecret } from "@gatewright/resources";
import { core } from "@gatewright/kube/api";
import type { Json, JsonObject } from "@gatewright/kube";
import { tagsIn, within } from "../cli.ts";
import type { Cli } from "../cli.ts";
import type { FieldStop, KindTour } from "../kind-tour.ts";
import { managed } from "../managed.ts";

const on = (cli: Cli, command: string, secret: string, ...rest: (string | object)[]) =>
  cli.askUnless(/^ResourceNotFoundException$/, `secretsmanager ${command} --secret-id ${secret}`, ...rest);
const LAMBDA = "arn:aws:lambda:eu-west-1:000000000000:function:rotate";
const ROTATION = { rotationEnabled: true, rotationLambdaARN: LAMBDA, automaticallyAfterDays: 30 };
const { automaticallyAfterDays: _, ...SCHEDULED } = { ...ROTATION, rotationScheduleExpression: "rate(10 days)" };
const rotated = (field: string, put: JsonObject, secret: JsonObject): FieldStop => ({ field, put, sees: { secret } });
const policy = (Action: string) => ({
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Principal: { AWS: "arn:aws:iam::111111111111:root" }, Action, Resource: "*" }],
});
const [READING, ALL] = [policy("secretsmanager:GetSecretValue"), policy("secretsmanager:*")];

export const secretsManagerSecretTour: KindTour = {
  title: "SecretsManagerSecret",
  resource: managed(SecretsManagerSecret),
  async find(cli, name) {
    const told = await on(cli, "describe-secret", name);
    // One that waits for its end is no more than a memory.
    return told === undefined || within(told, "DeletedDate") !== undefined ? undefined : name;
  },
  looks: {
    async secret(cli, name) {
      const told = (await on(cli, "describe-secret", name)) as Readonly<Record<string, Json>>;
      const { RotationEnabled = false, Description = "", RotationLambdaARN, RotationRules, ...rest } = told;
      const past = [
        "Tags",
        "VersionIdsToStages",
        "LastChangedDate",
        "LastAccessedDate",
        "LastRotatedDate",
        "NextRotationDate",
      ];
      return {
        ...Object.fromEntries(Object.entries(rest).filter(([key]) => !past.includes(key))),
        RotationEnabled,
        Description,
        // AWS remembers how it rotated when it does no more.
        ...(RotationEnabled === true && { RotationLambdaARN, RotationRules }),
      };
    },
    async value(cli, name) {
      const told = await on(cli, "get-secret-value", name);
      return { text: within(told, "SecretString") ?? null, bytes: within(told, "SecretBinary") ?? null };
    },
    policy: async (cli, name) => within(await on(cli, "get-resource-policy", name), "ResourcePolicy"),
  },
  tags: async (cli, name) => tagsIn(within(await on(cli, "describe-secret", name), "Tags")),
  async open(_cli, { user, namespace }) {
    const stringData = { first: "one", second: "two" };
    await user.for(core.Secret).apply({ metadata: { namespace, name: "tour-values" }, stringData });
    const from = (key: string) => ({ name: "tour-values", key });
    return {
      // Another description and key to go back to: moto does not take them away.
      spec: (secretName) => ({
        secretName,
        description: "first",
        kmsKeyId: "alias/first",
        secretStringRef: from("first"),
        resourcePolicy: JSON.stringify(READING),
      }),
      made: { secret: { Description: "first", KmsKeyId: "alias/first" }, policy: READING, value: { text: "one" } },
      changes: [
        { field: "description", put: { description: "other" }, sees: { secret: { Description: "other" } } },
        { field: "kmsKeyId", put: { kmsKeyId: "alias/shop" }, sees: { secret: { KmsKeyId: "alias/shop" } } },
        { field: "secretStringRef", put: { secretStringRef: from("second") }, sees: { value: { text: "two" } } },
        {
          field: "secretBinaryRef",
          put: { secretStringRef: null, secretBinaryRef: from("second") },
          sees: { value: { bytes: "dHdv" } },
        },
        { field: "resourcePolicy", put: { resourcePolicy: JSON.stringify(ALL) }, sees: { policy: ALL } },
        rotated("rotationEnabled", ROTATION, { RotationEnabled: true }),
        rotated("rotationLambdaARN", ROTATION, { RotationLambdaARN: LAMBDA }),
        rotated("automaticallyAfterDays", ROTATION, { RotationRules: { AutomaticallyAfterDays: 30 } }),
        rotated("rotationScheduleExpression", SCHEDULED, { RotationRules: { ScheduleExpression: "rate(10 days)" } }),
        rotated("rotationDuration", { ...SCHEDULED, rotationDuration: "3h" }, { RotationRules: { Duration: "3h" } }),
      ],
    };
  },
  drift: {
    by: (cli, name) => on(cli, "delete-resource-policy", name),
    sees: { policy: null },
  },
  makeByHand: (cli, name) =>
    cli.ask(`secretsmanager create-secret --secret-string old --tags Key=team,Value=old --name ${name}`),
  async leaves(cli, name) {
    assert.ok(within(await on(cli, "describe-secret", name), "DeletedDate"), "it can be had back");
    await on(cli, "restore-secret", name);
    const value = await on(cli, "get-secret-value", name);
    assert.ok(within(value, "SecretString") ?? within(value, "SecretBinary"), "its value is there");
  },
};
