export { deployments } from "./deployments/controller.ts";
export { replicaSets } from "./replica-sets/controller.ts";
