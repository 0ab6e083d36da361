import { after, before, suite } from "node:test";
import { createApiServer } from "@gatewright/apiserver";
import type { ApiServer } from "@gatewright/apiserver";
import { apiextensions } from "@gatewright/kube/api";
import { crdOf } from "@gatewright/kube/define/manifests";
import { allResources, gatewayResources } from "@gatewright/resources";
import { createClient } from "@gatewright/runtime";
import { TLSRoute, actorsOf, setStage } from "./hijack-world.ts";
import type { Actors } from "./hijack-world.ts";
import { tellStories } from "./tell-stories.ts";

suite("hostnames of others, on the embedded API server", () => {
  let server: ApiServer;
  let actors: Actors;
  before(async () => {
    server = await createApiServer();
    const admin = createClient(server.transport());
    const definitions = admin.for(apiextensions.CustomResourceDefinition);
    for (const kind of [...allResources, ...gatewayResources]) await definitions.create(crdOf(kind));
    const { group, kind, plural, version } = TLSRoute;
    await definitions.create({
      metadata: { name: `${plural}.${group}`, annotations: { "api-approved.kubernetes.io": "unapproved, a test" } },
      spec: {
        group,
        names: { kind, plural },
        scope: "Namespaced",
        versions: [
          {
            name: version,
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
          },
        ],
      },
    });
    await server.idle();
    actors = actorsOf(admin);
    await setStage(actors);
  });
  after(() => server.close());

  tellStories(() => actors);
});
