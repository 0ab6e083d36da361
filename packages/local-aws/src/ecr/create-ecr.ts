import type { Operations } from "@gatewright/aws-wire/types/ecr";
import type { TaggedResources } from "../neighbours.ts";
import { service } from "../service.ts";
import type { Service } from "../service.ts";
import type { AwsWorld } from "../world.ts";
import { imageOperations } from "./image-operations.ts";
import { registryHost } from "./names.ts";
import { policyOperations } from "./policy-operations.ts";
import { repositoryOperations } from "./repository-operations.ts";
import { EcrStore } from "./store.ts";
import { taggedRepositories, tagOperations } from "./tags.ts";

const TOKEN_LIFE = 12 * 3_600_000;

/** ECR: repositories and what is set on them. Nothing can be pushed or pulled but manifests. */
export function createEcr(world: AwsWorld): { readonly service: Service; readonly tagged: TaggedResources } {
  const store = new EcrStore(world.state);
  return {
    service: service<Operations>("ecr", {
      ...repositoryOperations(world, store),
      ...policyOperations(world, store),
      ...imageOperations(world, store),
      ...tagOperations(store),
      GetAuthorizationToken: (_input, context) => {
        const password = Buffer.from(world.random.bytes(48)).toString("base64");
        return {
          authorizationData: [
            {
              authorizationToken: Buffer.from(`AWS:${password}`).toString("base64"),
              expiresAt: world.clock.now() + TOKEN_LIFE,
              proxyEndpoint: `https://${registryHost(context)}`,
            },
          ],
        };
      },
    }),
    tagged: taggedRepositories(store),
  };
}
