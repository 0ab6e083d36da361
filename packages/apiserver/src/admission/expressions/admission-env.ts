import { authorizerType, dynType, resourceCheckType } from "@gatewright/kube/cel";
import type { CelEnv, CelType } from "@gatewright/kube/cel";
import { namespaceType, requestType } from "./admission-types.ts";

export interface EnvOptions {
  /** The policy has a paramKind. */
  readonly params: boolean;
  /** Messages may not ask about permissions. */
  readonly authorizer: boolean;
  /** Types of the policy's variables so far; the map may grow. */
  readonly variables?: ReadonlyMap<string, CelType>;
}

/** The variables that an expression of a webhook or policy may use. */
export function admissionEnv({ params, authorizer, variables }: EnvOptions): CelEnv {
  const declared = new Map<string, CelType>([
    ["object", dynType],
    ["oldObject", dynType],
    ["namespaceObject", namespaceType],
    ["request", requestType],
  ]);
  if (params) declared.set("params", dynType);
  if (authorizer) {
    declared.set("authorizer", authorizerType);
    declared.set("authorizer.requestResource", resourceCheckType);
  }
  if (variables) {
    declared.set("variables", { kind: "object", name: "kubernetes.variables", field: (name) => variables.get(name) });
  }
  return { variables: declared };
}
