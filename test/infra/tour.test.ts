import { after, before, describe } from "node:test";
import { createApiServer } from "@gatewright/apiserver";
import { apiextensions, core } from "@gatewright/kube/api";
import { crdOf } from "@gatewright/kube/define/manifests";
import { startLocalCloud } from "@gatewright/local-aws";
import { systemClock, systemRandom } from "@gatewright/ports";
import { allResources, AWSProvider } from "@gatewright/resources";
import { createClient } from "@gatewright/runtime";
import { openAwsSession } from "../local-aws/tours/aws-session.ts";
import { awsClients } from "../tools/aws-clients.ts";
import { suite } from "../tools/suite.ts";
import { cliOf } from "./tour/cli.ts";
import { TOURS } from "./tour/kinds/index.ts";
import { startOperator } from "./tour/operator.ts";
import { runTour } from "./tour/run-tour.ts";
import type { TourWorld } from "./tour/tour-world.ts";

const clients = awsClients();
const NAMESPACE = "tour";

/** Every kind through its life on the embedded API server and the local AWS, with the `aws` command as the only judge. */
suite("the tour of AWS resources", "missing" in clients ? clients.missing : false, () => {
  if ("missing" in clients) return;
  let world: TourWorld;
  const started = new AsyncDisposableStack();

  before(async () => {
    const server = await createApiServer({ clock: systemClock, random: systemRandom });
    started.defer(() => server.close());
    const cloud = await startLocalCloud({
      clock: systemClock,
      random: systemRandom,
      pace: { durations: 0, lag: false },
      limits: "off",
      api: { port: 0 },
      dns: { port: 0 },
      onFault: (error, where) => console.error(where, error),
    });
    started.defer(() => cloud.close());
    const session = started.use(openAwsSession(clients, cloud.url));
    const user = createClient(server.transport(), { fieldManager: "user" });
    for (const definition of allResources.filter(({ group }) => group === AWSProvider.group)) {
      await user.for(apiextensions.CustomResourceDefinition).apply(crdOf(definition));
    }
    await server.idle();
    await user.for(core.Namespace).apply({ metadata: { name: NAMESPACE } });
    await user
      .for(AWSProvider)
      .apply({ metadata: { namespace: NAMESPACE, name: "aws" }, spec: { region: "eu-west-1" } });
    started.use(startOperator(server.transport(), cloud.url));
    world = { user, cli: cliOf(session.aws), namespace: NAMESPACE };
  });
  after(() => started.disposeAsync());

  // Most of the time they wait, so they wait together.
  describe("by kind", { concurrency: 4 }, () => {
    for (const tour of TOURS) runTour(tour, () => world);
  });
});
