import { badRequest, getPath } from "@gatewright/kube";
import type { JsonObject, PolicyRule } from "@gatewright/kube";
import type { RbacAuthorizer } from "../rbac/rbac-authorizer.ts";
import type { Review } from "./review-resource.ts";

/** What may I do here? `kubectl auth can-i --list`. */
export function selfSubjectRulesReview(authorizer: RbacAuthorizer): Review {
  return {
    group: "authorization.k8s.io",
    kind: "SelfSubjectRulesReview",
    answer(question, { user }) {
      const namespace = getPath(question, "spec", "namespace");
      if (typeof namespace !== "string" || namespace === "") throw badRequest("no namespace on request");
      const { rules, error } = authorizer.rulesFor(user, namespace);
      return {
        kind: question.kind,
        apiVersion: question.apiVersion,
        metadata: {},
        spec: {},
        status: {
          resourceRules: rules.filter((rule) => (rule.resources?.length ?? 0) > 0).map(resourceRule),
          nonResourceRules: rules.filter((rule) => (rule.nonResourceURLs?.length ?? 0) > 0).map(pathRule),
          incomplete: false,
          ...(error !== undefined && { evaluationError: error }),
        },
      };
    },
  };
}

function resourceRule({ verbs, apiGroups, resources, resourceNames }: PolicyRule): JsonObject {
  return {
    verbs,
    ...(apiGroups && { apiGroups }),
    ...(resources && { resources }),
    ...(resourceNames?.length && { resourceNames }),
  };
}

function pathRule({ verbs, nonResourceURLs = [] }: PolicyRule): JsonObject {
  return { verbs, nonResourceURLs };
}
