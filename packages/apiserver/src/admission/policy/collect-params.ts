import { isObject, selectorFromObject } from "@gatewright/kube";
import type { GroupVersionKind, Json, KubeObject } from "@gatewright/kube";
import type { Cluster } from "../../cluster.ts";
import { converted } from "../webhooks/applicable-webhooks.ts";

/** The binding or the policy cannot be used as it is configured. Follows the policy's failurePolicy. */
export class PolicyConfigurationError extends Error {
  readonly of: "policy" | "binding";

  constructor(of: "policy" | "binding", message: string) {
    super(`failed to configure ${of}: ${message}`);
    this.name = "PolicyConfigurationError";
    this.of = of;
  }
}

/**
 * The parameter objects that a binding names, one evaluation each; `[undefined]` where there are no parameters. Throws
 * {@link PolicyConfigurationError}.
 */
export async function collectParams(
  cluster: Cluster,
  paramKind: GroupVersionKind | undefined,
  paramRef: Json | undefined,
  namespace: string,
): Promise<(KubeObject | undefined)[]> {
  if (!paramKind) return [undefined];
  const { group, version, kind } = paramKind;
  const resource = cluster.resources.byKind(paramKind);
  if (!resource) {
    const shown = `${group === "" ? "" : group}/${version}, Kind=${kind}`;
    throw new PolicyConfigurationError("policy", `failed to find resource referenced by paramKind: '${shown}'`);
  }
  if (!isObject(paramRef)) return [undefined];
  const wrong = (message: string): PolicyConfigurationError => new PolicyConfigurationError("binding", message);
  const given = typeof paramRef.namespace === "string" ? paramRef.namespace : "";
  if (given !== "" && !resource.namespaced) {
    throw wrong("paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
  }
  const from = resource.namespaced ? given || namespace : "";
  if (resource.namespaced && from === "") {
    throw wrong("cannot use namespaced paramRef in policy binding that matches cluster-scoped resources");
  }
  const found: KubeObject[] = [];
  if (typeof paramRef.name === "string" && paramRef.name !== "") {
    if (isObject(paramRef.selector)) throw wrong("paramRef.name and paramRef.selector are mutually exclusive");
    const object = cluster.get(resource, from, paramRef.name);
    if (object) found.push(object);
  } else if (isObject(paramRef.selector)) {
    const selector = selectorFromObject(paramRef.selector);
    for (const object of cluster.list(resource, from)) if (selector.matches(object.metadata.labels)) found.push(object);
  } else {
    throw wrong("one of name or selector must be provided");
  }
  if (found.length === 0 && paramRef.parameterNotFoundAction === "Deny") {
    throw wrong("no params found for policy binding with `Deny` parameterNotFoundAction");
  }
  return Promise.all(found.map((object) => converted(object, resource, version, cluster)));
}
