export { allowedBy } from "./allowed-by.ts";
export { claimName } from "./claim-name.ts";
export { covers, isWithin, labelsOf, overlaps, wildcardOver } from "./labels.ts";
export { normaliseHostname } from "./normalise-hostname.ts";
export type { NormalisedHostname } from "./normalise-hostname.ts";
