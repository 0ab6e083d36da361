import { after, before, suite } from "node:test";
import { createApiServer } from "@gatewright/apiserver";
import type { ApiServer } from "@gatewright/apiserver";
import { apiextensions } from "@gatewright/kube/api";
import { crdOf } from "@gatewright/kube/define/manifests";
import { GatewayHostnameRequest } from "@gatewright/resources";
import { createClient } from "@gatewright/runtime";
import type { Client } from "@gatewright/runtime";
import { tryRequests } from "./try-requests.ts";

suite("requests for hostnames, on the embedded API server", () => {
  let server: ApiServer;
  let client: Client;
  before(async () => {
    server = await createApiServer();
    client = createClient(server.transport());
    await client.for(apiextensions.CustomResourceDefinition).create(crdOf(GatewayHostnameRequest));
    await server.idle();
  });
  after(() => server.close());

  tryRequests(() => client);
});
