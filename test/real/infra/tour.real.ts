import { after, before, describe } from "node:test";
import { apiextensions, core } from "@gatewright/kube/api";
import { AWSProvider } from "@gatewright/resources";
import { createClient, loadTransport } from "@gatewright/runtime";
import { globSync } from "node:fs";
import { motoPart } from "../../../testbed/index.ts";
import { cliOf } from "../../infra/tour/cli.ts";
import { TOURS } from "../../infra/tour/kinds/index.ts";
import { startOperator } from "../../infra/tour/operator.ts";
import { runTour } from "../../infra/tour/run-tour.ts";
import type { TourWorld } from "../../infra/tour/tour-world.ts";
import { openAwsSession } from "../../local-aws/tours/aws-session.ts";
import { fetchAwsClients } from "../../tools/aws-clients.ts";
import { suite } from "../../tools/suite.ts";
import { eventually } from "../eventually.ts";
import { realKube } from "../kube.ts";
import { manifests, operatorTransport } from "../operator-account.ts";
import { realPart } from "../part.ts";
import { TOUR_GAPS } from "./tour-gaps.ts";

const clients = fetchAwsClients();
const kube = realKube();
// Tours name the account of a laptop.
process.env["MOTO_ACCOUNT_ID"] = "000000000000";
const moto = "missing" in clients || "missing" in kube ? { missing: "" } : await realPart(motoPart);
const missing = [clients, kube, moto].find((part): part is { readonly missing: string } => "missing" in part)?.missing;
const NAMESPACE = "infra-tour";

/** The tours of test/infra on what others made: the real API server under exactly the generated roles, and moto. */
suite("the tour of AWS resources on a real API server and another's AWS", missing ?? false, () => {
  if ("missing" in clients || "missing" in kube || "missing" in moto) return;
  let world: TourWorld;
  const started = new AsyncDisposableStack();

  before(async () => {
    started.use(moto);
    const endpoint = moto.facts["AWS_ENDPOINT_URL"] ?? "";
    const { transport } = await loadTransport({ kubeconfig: kube.kubeconfig });
    started.defer(() => transport.close());
    const user = createClient(transport, { fieldManager: "user" });
    for (const file of globSync(`config/crd/*.${AWSProvider.group}.yaml`, {
      cwd: new URL("../../../", import.meta.url),
    })) {
      for (const crd of manifests(file)) await user.for(apiextensions.CustomResourceDefinition).apply(crd as never);
    }
    await eventually(
      "our kinds are served",
      async () => {
        const { items } = await user.for(apiextensions.CustomResourceDefinition).list();
        return items.filter(({ spec }) => spec.group === AWSProvider.group);
      },
      (crds) =>
        crds.every(({ status }) =>
          status?.conditions?.some(({ type, status: is }) => type === "Established" && is === "True"),
        ),
    );
    await user.for(core.Namespace).apply({ metadata: { name: NAMESPACE } });
    await user
      .for(AWSProvider)
      .apply({ metadata: { namespace: NAMESPACE, name: "aws" }, spec: { region: "eu-west-1" } });
    const session = started.use(openAwsSession(clients, endpoint));
    const operator = await operatorTransport(user, kube);
    started.defer(() => operator.close());
    started.use(startOperator(operator, endpoint));
    world = { user, cli: cliOf(session.aws), namespace: NAMESPACE };
  });
  after(() => started.disposeAsync());

  // Most of the time they wait, so they wait together.
  describe("by kind", { concurrency: 4 }, () => {
    for (const tour of TOURS) runTour(tour, () => world, TOUR_GAPS[tour.title]);
  });
});
