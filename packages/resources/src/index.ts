export { allResources } from "./all-resources.ts";
export { DomainClaim } from "./domain-claim.ts";
