import { s } from "@gatewright/kube/define";
import type { Rule } from "@gatewright/kube/define";
import { SUBDOMAIN } from "./name-fields.ts";
import { localReference } from "./object-references.ts";

const KEY = String.raw`^(${SUBDOMAIN}/)?([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]$`;

const keyRules: readonly Rule[] = [
  {
    rule: `self.all(key, key.matches(r"${KEY}"))`,
    message: "a key is a name of at most 63 characters, after a domain and a slash if any",
  },
  {
    rule: "self.all(key, key.split('/')[0].size() < 253)",
    message: "the domain of a key is shorter than 253 characters",
  },
];

const LABEL_VALUE = "^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$";

/** What is passed on to the load balancers that are made for a Gateway. */
export const gatewayInfrastructure = s
  .object(
    {
      labels: s
        .map(s.string({ minLength: 0, maxLength: 63, pattern: LABEL_VALUE }), {
          description: "Labels for what is made.",
          maxProperties: 8,
          rules: keyRules,
        })
        .optional(),
      annotations: s
        .map(s.string({ minLength: 0, maxLength: 4096 }), {
          description: "Annotations for what is made.",
          maxProperties: 16,
          rules: keyRules,
        })
        .optional(),
      parametersRef: localReference("Further settings, in an object of the implementation.").optional(),
    },
    { description: "Settings of what is made for the Gateway." },
  )
  .optional();
