import { s } from "@gatewright/kube/define";
import type { Rule } from "@gatewright/kube/define";

/** A version of TLS. */
export const tlsVersion = (description: string) => s.string({ description, enum: ["TLS12", "TLS13"] }).optional();

/** Of an object with both: the lowest version is not above the highest. */
export const TLS_VERSION_ORDER: Rule = {
  rule: "!(has(self.minVersion) && has(self.maxVersion) && self.minVersion == 'TLS13' && self.maxVersion == 'TLS12')",
  message: "minVersion is at most maxVersion",
};
