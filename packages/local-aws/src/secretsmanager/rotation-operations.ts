import { uuid } from "@gatewright/ports";
import type { Operations } from "@gatewright/aws-wire/types/secretsmanager";
import type { Handlers } from "../service.ts";
import type { AwsWorld } from "../world.ts";
import { invalidParameter, invalidRequest } from "./refusals.ts";
import { checkRules } from "./rotation-rules.ts";
import type { SecretStore } from "./store.ts";
import { checkToken } from "./value.ts";
import { CURRENT, versionAt } from "./versions.ts";

/** Rotation as it is set. There are no functions here that could rotate: the value stays as it is. */
export function rotationOperations(world: AwsWorld, store: SecretStore): Handlers<Operations> {
  return {
    RotateSecret: async (input, context) => {
      checkToken(input);
      const secret = store.living(context, input.SecretId);
      const lambda = input.RotationLambdaARN ?? secret.rotation?.lambda ?? "";
      if (lambda === "") throw invalidRequest("No Lambda rotation function ARN is associated with this secret.");
      if (!/^arn:aws[a-z-]*:lambda:[a-z0-9-]+:\d{12}:function:[\w-]+(:[\w$-]+)?$/.test(lambda)) {
        throw invalidParameter("Invalid Lambda ARN.");
      }
      if (input.RotationRules) checkRules(input.RotationRules);
      const rules = input.RotationRules ?? secret.rotation?.rules;
      if (rules === undefined) throw invalidRequest("RotationRules must be given to turn rotation on.");
      await store.put({ ...secret, rotation: { enabled: true, lambda, rules }, changedAt: world.clock.now() });
      const VersionId = input.ClientRequestToken ?? uuid(world.random);
      return { ARN: secret.arn, Name: secret.name, VersionId };
    },
    CancelRotateSecret: async ({ SecretId }, context) => {
      const secret = store.living(context, SecretId);
      const { rotation } = secret;
      if (rotation === undefined) throw invalidRequest("You can't cancel rotation of a secret that has none.");
      await store.put({ ...secret, rotation: { ...rotation, enabled: false }, changedAt: world.clock.now() });
      return { ARN: secret.arn, Name: secret.name, VersionId: versionAt(secret.versions, CURRENT)?.id };
    },
  };
}
