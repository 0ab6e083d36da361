import type { Operations } from "@gatewright/aws-wire/types/secretsmanager";
import type { TaggedResources } from "../neighbours.ts";
import { service } from "../service.ts";
import type { Service } from "../service.ts";
import type { AwsWorld } from "../world.ts";
import { policyOperations } from "./policy-operations.ts";
import { randomPassword } from "./random-password.ts";
import { rotationOperations } from "./rotation-operations.ts";
import { secretOperations } from "./secret-operations.ts";
import { SecretStore } from "./store.ts";
import { taggedSecrets, tagOperations } from "./tag-operations.ts";
import { valueOperations } from "./value-operations.ts";

/** Secrets Manager: secrets with versions and labels, that can be had back for a while after they were deleted. */
export function createSecretsManager(world: AwsWorld): { readonly service: Service; readonly tagged: TaggedResources } {
  const store = new SecretStore(world);
  return {
    service: service<Operations>("secretsmanager", {
      ...secretOperations(world, store),
      ...valueOperations(world, store),
      ...rotationOperations(world, store),
      ...policyOperations(store),
      ...tagOperations(store),
      GetRandomPassword: (input) => ({ RandomPassword: randomPassword(world.random, input) }),
    }),
    tagged: taggedSecrets(store),
  };
}
