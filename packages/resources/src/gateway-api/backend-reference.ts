import { s } from "@gatewright/kube/define";
import type { Rule } from "@gatewright/kube/define";
import { groupOr, kindOr, namespaceName, objectName, portNumber } from "./name-fields.ts";

/** The fields that name where requests go: a Service unless said otherwise. */
export const backendFields = {
  group: groupOr(""),
  kind: kindOr("Service"),
  name: objectName,
  namespace: namespaceName.optional(),
  port: portNumber("Port of the Service. Other kinds may do without.").optional(),
};

/** {@inheritDoc backendFields} */
export const backendWeight = s.integer({
  description: "Share of the requests, in proportion to the sum of all weights.",
  format: "int32",
  minimum: 0,
  maximum: 1_000_000,
  default: 1,
});

export const serviceNeedsPort: Rule = {
  rule: "size(self.group) > 0 || self.kind != 'Service' || has(self.port)",
  message: "a Service is named with a port",
};
