import { StatusError, isObject, notFound } from "@gatewright/kube";
import type { GroupResource, Json, KubeObject } from "@gatewright/kube";
import type { Authorizer } from "../../auth/authorizer.ts";
import type { Cluster } from "../../cluster.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../admission.ts";
import { admissionNamespace, isNamespace } from "../matching/admission-namespace.ts";
import { CompiledByVersion } from "../matching/compiled-by-version.ts";
import { isExemptFromPolicies } from "../matching/exempt.ts";
import { matchRequest, readMatchCriteria } from "../matching/match-criteria.ts";
import type { Invocation, MatchCriteria } from "../matching/match-criteria.ts";
import { refusal } from "../refusal.ts";
import { requestFacts } from "../webhooks/admission-request.ts";
import { inVersion } from "../webhooks/applicable-webhooks.ts";
import { PolicyConfigurationError, collectParams } from "./collect-params.ts";
import { evaluatePolicy } from "./evaluate-policy.ts";
import type { Objection } from "./evaluate-policy.ts";
import { readPolicy } from "./policy.ts";
import type { Policy } from "./policy.ts";

const GROUP = "admissionregistration.k8s.io";
const POLICIES: GroupResource = { group: GROUP, resource: "validatingadmissionpolicies" };
const BINDINGS: GroupResource = { group: GROUP, resource: "validatingadmissionpolicybindings" };
const CODES: ReadonlyMap<string, number> = new Map([
  ["Unauthorized", 401],
  ["Forbidden", 403],
  ["RequestEntityTooLarge", 413],
  ["Invalid", 422],
]);
const NAMESPACES: GroupResource = { group: "", resource: "namespaces" };

interface Binding {
  readonly name: string;
  readonly policyName: string;
  readonly criteria: MatchCriteria | undefined;
  readonly paramRef: Json | undefined;
  readonly actions: ReadonlySet<Json>;
}

interface Denial extends Objection {
  readonly policy: string;
  readonly binding: string | undefined;
}

export interface PolicyDeps {
  readonly cluster: Cluster;
  readonly authorizer: Authorizer;
}

/** Holds requests to the ValidatingAdmissionPolicies that are bound to them. Of several denials the first is told. */
export function validatingPolicies({ cluster, authorizer }: PolicyDeps): AdmissionPlugin {
  const policies = new CompiledByVersion(readPolicy);
  const bindings = new CompiledByVersion(readBinding);

  async function judge(
    policy: Policy,
    binding: Binding,
    invocation: Invocation,
    attributes: AdmissionAttributes,
  ): Promise<Denial[]> {
    if (binding.criteria && !matchRequest(binding.criteria, attributes, cluster)) return [];
    const namespace = admissionNamespace(attributes);
    const params = await collectParams(cluster, policy.paramKind, binding.paramRef, namespace);
    const objects = await inVersion(attributes, invocation, cluster);
    const request = requestFacts(attributes, invocation);
    const namespaceObject = namespaceOf(attributes, cluster);
    const denials: Denial[] = [];
    for (const given of params) {
      const input = { ...objects, request, attributes, authorizer, params: given, namespaceObject };
      for (const objection of evaluatePolicy(policy, input)) {
        const { message } = objection;
        if (binding.actions.has("Warn") && !objection.always) {
          const by = `ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}'`;
          attributes.warn(`Validation failed for ${by}: ${message}`);
        }
        if (binding.actions.has("Deny") || objection.always) {
          denials.push({ ...objection, policy: policy.name, binding: binding.name });
        }
      }
    }
    return denials;
  }

  async function denialsBy(
    policy: Policy,
    bound: readonly Binding[],
    attributes: AdmissionAttributes,
  ): Promise<Denial[]> {
    const denials: Denial[] = [];
    const tolerate = (error: unknown, binding: string | undefined): void => {
      const told = configurationMessage(error, binding);
      if (told === undefined) throw error;
      if (!policy.ignoreFailures) denials.push({ policy: policy.name, binding, message: told, reason: "Invalid" });
    };
    let invocation: Invocation | undefined;
    try {
      invocation = matchRequest(policy.criteria, attributes, cluster);
    } catch (error) {
      tolerate(error, undefined);
    }
    if (!invocation) return denials;
    for (const binding of bound) {
      try {
        denials.push(...(await judge(policy, binding, invocation, attributes)));
      } catch (error) {
        tolerate(error, error instanceof PolicyConfigurationError && error.of === "policy" ? undefined : binding.name);
      }
    }
    return denials;
  }

  return {
    name: "ValidatingAdmissionPolicy",
    async validate(attributes) {
      if (isExemptFromPolicies(attributes)) return;
      const byPolicy = new Map<string, Binding[]>();
      for (const object of cluster.list(BINDINGS)) {
        const binding = bindings.get(object);
        byPolicy.set(binding.policyName, [...(byPolicy.get(binding.policyName) ?? []), binding]);
      }
      const denials: Denial[] = [];
      for (const [name, bound] of byPolicy) {
        const object = cluster.get(POLICIES, "", name);
        if (object) denials.push(...(await denialsBy(policies.get(object), bound, attributes)));
      }
      if (denials[0]) throw denied(attributes, denials[0]);
    },
  };
}

function readBinding(object: KubeObject): Binding {
  const spec = isObject(object.spec) ? object.spec : {};
  return {
    name: object.metadata.name ?? "",
    policyName: String(spec.policyName ?? ""),
    criteria: isObject(spec.matchResources) ? readMatchCriteria(spec.matchResources, "resourceRules") : undefined,
    paramRef: spec.paramRef,
    actions: new Set(Array.isArray(spec.validationActions) ? spec.validationActions : []),
  };
}

function namespaceOf(attributes: AdmissionAttributes, cluster: Cluster): KubeObject | undefined {
  const { namespace } = attributes;
  if (namespace === "" || isNamespace(attributes)) return undefined;
  const found = cluster.get(NAMESPACES, "", namespace);
  if (!found) throw notFound(NAMESPACES, namespace);
  return found;
}

/** The text of an error that follows the failure policy; undefined for one that ends the request by itself. */
function configurationMessage(error: unknown, binding: string | undefined): string | undefined {
  if (error instanceof PolicyConfigurationError) return error.message;
  if (error instanceof StatusError && error.code === 500) {
    return `failed to configure ${binding === undefined ? "policy" : "binding"}: ${error.message}`;
  }
  return undefined;
}

function denied(attributes: AdmissionAttributes, { policy, binding, message, reason }: Denial): StatusError {
  const by = `ValidatingAdmissionPolicy '${policy}'${binding === undefined ? "" : ` with binding '${binding}'`}`;
  const text = `${by} denied request: ${message}`;
  const forbidden = refusal(attributes, text, [{ message: text }]);
  return new StatusError({
    code: CODES.get(reason) ?? 422,
    reason,
    message: forbidden.message,
    ...(forbidden.details && { details: forbidden.details }),
  });
}
