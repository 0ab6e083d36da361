import type { Scenario } from "@gatewright/runtime/simulation";
import { copierScenario } from "../../packages/runtime/src/simulation/testing/copier.ts";
import { mirrorScenario } from "../../packages/runtime/src/simulation/testing/mirror.ts";
import { shelverScenario } from "../../packages/runtime/src/simulation/testing/shelver.ts";
import { applicationsScenario } from "./applications.ts";
import { certifiedScenario } from "./certified.ts";
import { hostnameRequestsScenario } from "./hostname-requests.ts";
import { hostnamesScenario, sharedScenario } from "./hostnames.ts";
import { INFRA_SCENARIOS } from "./infra.ts";
import { routingScenario } from "./routing.ts";
import { servicesScenario } from "./services.ts";
import { meddledScenario, websiteScenario } from "./website.ts";
import { workloadsScenario } from "./workloads.ts";

/** The worlds of `npm run simulate`. The first one is simulated when none is named. */
export const SCENARIOS: readonly [Scenario, ...Scenario[]] = [
  websiteScenario,
  meddledScenario,
  copierScenario,
  mirrorScenario(),
  shelverScenario(),
  workloadsScenario,
  applicationsScenario,
  servicesScenario,
  certifiedScenario(),
  hostnamesScenario,
  sharedScenario,
  hostnameRequestsScenario,
  routingScenario,
  ...INFRA_SCENARIOS,
];
