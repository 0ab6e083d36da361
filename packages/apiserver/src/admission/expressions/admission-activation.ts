import { getPath } from "@gatewright/kube";
import type { JsonObject, KubeObject } from "@gatewright/kube";
import { authorizerValue, dynType, fromJson, resourceCheckValue } from "@gatewright/kube/cel";
import type { Activation, CelValue } from "@gatewright/kube/cel";
import type { Authorizer } from "../../auth/authorizer.ts";
import type { AdmissionAttributes } from "../admission.ts";
import { namespaceType, requestType } from "./admission-types.ts";
import { askAuthorizer, requestQuestion } from "./ask-authorizer.ts";

/** What expressions are evaluated on. */
export interface AdmissionInput {
  readonly object: KubeObject | undefined;
  readonly oldObject: KubeObject | undefined;
  readonly request: JsonObject;
  readonly attributes: AdmissionAttributes;
  readonly authorizer: Authorizer;
  readonly params?: KubeObject | undefined;
  readonly namespaceObject?: KubeObject | undefined;
  readonly variables?: CelValue;
}

/** Gives expressions their variables, each converted when it is first asked for. */
export function admissionActivation(input: AdmissionInput): Activation {
  const known = new Map<string, CelValue | undefined>();
  return (name) => {
    if (known.has(name)) return known.get(name);
    const value = resolve(name, input);
    known.set(name, value);
    return value;
  };
}

function resolve(name: string, input: AdmissionInput): CelValue | undefined {
  switch (name) {
    case "object":
      return json(input.object);
    case "oldObject":
      return json(input.oldObject);
    case "params":
      return json(input.params);
    case "request":
      return fromJson(input.request, requestType);
    case "namespaceObject":
      return input.namespaceObject ? fromJson(visiblePart(input.namespaceObject), namespaceType) : null;
    case "variables":
      return input.variables;
    case "authorizer":
      return authorizerValue(askAuthorizer(input.authorizer, input.attributes));
    case "authorizer.requestResource":
      return resourceCheckValue(askAuthorizer(input.authorizer, input.attributes), requestQuestion(input.attributes));
    default:
      return undefined;
  }
}

function json(object: KubeObject | undefined): CelValue {
  return object === undefined ? null : fromJson(object, dynType);
}

const METADATA = [
  "name",
  "generateName",
  "namespace",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "labels",
  "annotations",
  "finalizers",
];

function visiblePart(namespace: KubeObject): JsonObject {
  const metadata: JsonObject = {};
  for (const field of METADATA) {
    const value = getPath(namespace, "metadata", field);
    if (value !== undefined) metadata[field] = value;
  }
  return { metadata, spec: namespace.spec ?? {}, status: namespace.status ?? {} };
}
