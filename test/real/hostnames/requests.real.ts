import { after, before } from "node:test";
import { apiextensions } from "@gatewright/kube/api";
import { crdOf } from "@gatewright/kube/define/manifests";
import { GatewayHostnameRequest } from "@gatewright/resources";
import { createClient, loadTransport } from "@gatewright/runtime";
import type { Client } from "@gatewright/runtime";
import { tryRequests } from "../../hostnames/try-requests.ts";
import { suite } from "../../tools/suite.ts";
import { eventually } from "../eventually.ts";
import { realKube } from "../kube.ts";

const kube = realKube();

suite("requests for hostnames, on a real API server", "missing" in kube ? kube.missing : false, () => {
  if ("missing" in kube) return;
  let client: Client;
  let close = (): void => {};

  before(async () => {
    const { transport } = await loadTransport({ kubeconfig: kube.kubeconfig });
    close = () => transport.close();
    client = createClient(transport);
    // Other suites may have brought it: it stays.
    await client.for(apiextensions.CustomResourceDefinition).apply(crdOf(GatewayHostnameRequest));
    const served = (): Promise<boolean> =>
      client
        .for(GatewayHostnameRequest)
        .list()
        .then(
          () => true,
          () => false,
        );
    await eventually("the kind is served", served, (is) => is);
  });
  after(() => close());

  tryRequests(() => client);
});
