export { deployments } from "./deployments/controller.ts";
export { jobs } from "./jobs/controller.ts";
export { replicaSets } from "./replica-sets/controller.ts";
