export { allowedBy } from "./allowed-by.ts";
export { claimName } from "./claim-name.ts";
export { covers, isWithin, overlaps, wildcardOver } from "./labels.ts";
export { normaliseHostname } from "./normalise-hostname.ts";
