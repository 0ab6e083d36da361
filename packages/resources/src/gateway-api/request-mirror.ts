import { atMostOneOf, s } from "@gatewright/kube/define";
import { backendFields, serviceNeedsPort } from "./backend-reference.ts";

const fraction = s.object(
  {
    numerator: s.integer({ description: "How many.", format: "int32", minimum: 0 }),
    denominator: s.integer({ description: "Out of how many.", format: "int32", minimum: 1, default: 100 }),
  },
  {
    description: "Share of the requests that is copied.",
    rules: [{ rule: "self.numerator <= self.denominator", message: "a fraction is at most one" }],
  },
);

/** Copies of requests to another backend, whose answers nobody reads. */
export const requestMirror = s.object(
  {
    backendRef: s.object(backendFields, { description: "Where copies go.", rules: [serviceNeedsPort] }),
    percent: s
      .integer({ description: "Share of the requests that is copied.", format: "int32", minimum: 0, maximum: 100 })
      .optional(),
    fraction: fraction.optional(),
  },
  {
    description: "Copies requests to another backend. Default: all of them.",
    rules: [atMostOneOf("percent", "fraction")],
  },
);
