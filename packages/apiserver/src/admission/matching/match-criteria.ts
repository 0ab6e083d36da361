import { StatusError, internalError, notFound, selectorFromObject } from "@gatewright/kube";
import type { GroupVersionKind, GroupVersionResource, Json, JsonObject, LabelSelector } from "@gatewright/kube";
import type { Cluster } from "../../cluster.ts";
import type { AdmissionAttributes } from "../admission.ts";
import { admissionNamespace, isNamespace } from "./admission-namespace.ts";
import { readRules, ruleMatches } from "./rule.ts";
import type { Rule } from "./rule.ts";

/** What a webhook or policy says of the requests it is about. */
export interface MatchCriteria {
  /** An empty list matches nothing for webhooks; policies and bindings without rules match everything. */
  readonly rules: readonly Rule[];
  readonly excluded: readonly Rule[];
  readonly matchesWithoutRules: boolean;
  /** `Equivalent`: a rule for another version of the resource matches too. */
  readonly equivalent: boolean;
  readonly namespaceSelector: LabelSelector | StatusError;
  readonly objectSelector: LabelSelector | StatusError;
}

/** The form in which a matching webhook or policy wants to see the request. */
export interface Invocation {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
}

/** Reads the criteria of a webhook (`rules`) or of `matchConstraints` and `matchResources` (`resourceRules`). */
export function readMatchCriteria(config: JsonObject, rulesField: "rules" | "resourceRules"): MatchCriteria {
  return {
    rules: readRules(config[rulesField]),
    excluded: readRules(config.excludeResourceRules),
    matchesWithoutRules: rulesField === "resourceRules",
    equivalent: config.matchPolicy !== "Exact",
    namespaceSelector: readSelector(config.namespaceSelector),
    objectSelector: readSelector(config.objectSelector),
  };
}

function readSelector(value: Json | undefined): LabelSelector | StatusError {
  try {
    return selectorFromObject(value ?? {});
  } catch (error) {
    return internalError(error instanceof Error ? error.message : String(error));
  }
}

/**
 * Whether the request is one that the criteria are about, and in which form. Selectors come first; their errors count only
 * if the rules match.
 */
export function matchRequest(
  criteria: MatchCriteria,
  attributes: AdmissionAttributes,
  cluster: Pick<Cluster, "get" | "resources">,
): Invocation | undefined {
  const inNamespace = namespaceMatches(criteria, attributes, cluster);
  if (inNamespace === false) return undefined;
  const labelled = objectMatches(criteria, attributes);
  if (labelled === false) return undefined;
  if (invocationFor(criteria.excluded, criteria.equivalent, attributes, cluster)) return undefined;
  const invocation =
    criteria.matchesWithoutRules && criteria.rules.length === 0
      ? { resource: attributes.resource, kind: attributes.kind }
      : invocationFor(criteria.rules, criteria.equivalent, attributes, cluster);
  if (!invocation) return undefined;
  if (inNamespace !== true) throw inNamespace;
  if (labelled !== true) throw labelled;
  return invocation;
}

function namespaceMatches(
  { namespaceSelector }: MatchCriteria,
  attributes: AdmissionAttributes,
  cluster: Pick<Cluster, "get">,
): boolean | StatusError {
  const namespace = admissionNamespace(attributes);
  if (namespace === "" && !isNamespace(attributes)) return true;
  if (namespaceSelector instanceof StatusError) return namespaceSelector;
  if (namespaceSelector.empty) return true;
  const { operation, subresource, object } = attributes;
  if (isNamespace(attributes) && subresource === "" && (operation === "CREATE" || operation === "UPDATE")) {
    return namespaceSelector.matches(object?.metadata.labels);
  }
  const gr = { group: "", resource: "namespaces" };
  const found = cluster.get(gr, "", namespace);
  return found ? namespaceSelector.matches(found.metadata.labels) : notFound(gr, namespace);
}

function objectMatches(
  { objectSelector }: MatchCriteria,
  { object, oldObject }: AdmissionAttributes,
): boolean | StatusError {
  if (objectSelector instanceof StatusError) return objectSelector;
  if (objectSelector.empty) return true;
  return (
    (object !== undefined && objectSelector.matches(object.metadata?.labels)) ||
    (oldObject !== undefined && objectSelector.matches(oldObject.metadata?.labels))
  );
}

function invocationFor(
  rules: readonly Rule[],
  equivalent: boolean,
  attributes: AdmissionAttributes,
  cluster: Pick<Cluster, "resources">,
): Invocation | undefined {
  const { resource, kind } = attributes;
  if (rules.some((rule) => ruleMatches(rule, attributes, resource))) return { resource, kind };
  if (!equivalent || rules.length === 0) return undefined;
  const others = (cluster.resources.get(resource)?.versions ?? []).filter((v) => v.version !== resource.version);
  for (const rule of rules) {
    for (const { version } of others) {
      if (!ruleMatches(rule, attributes, { ...resource, version })) continue;
      const sameGroup = kind.group === resource.group;
      return { resource: { ...resource, version }, kind: sameGroup ? { ...kind, version } : kind };
    }
  }
  return undefined;
}
