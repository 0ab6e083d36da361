export { allowedBy } from "./allowed-by.ts";
export { claimName } from "./claim-name.ts";
export { covers, domainsAbove, isWithin, overlaps, wildcardOver, wildcardsReaching } from "./labels.ts";
export { normaliseHostname } from "./normalise-hostname.ts";
