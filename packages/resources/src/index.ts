export { allResources } from "./all-resources.ts";
export { Application } from "./application.ts";
export { DomainClaim } from "./domain-claim.ts";
