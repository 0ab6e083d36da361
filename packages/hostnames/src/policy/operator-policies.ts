import { DomainClaim, HostnameGrant } from "@gatewright/resources";
import { SPEC_CHANGES, byOthers } from "./cel.ts";
import { HOSTNAME_RULES, namespaceIs } from "./matching.ts";
import { policy } from "./policy.ts";
import type { BoundPolicy } from "./policy.ts";
import { GRANT_NAME } from "./policy-settings.ts";
import type { PolicySettings } from "./policy-settings.ts";

/**
 * What the operator alone writes: Gateways, ListenerSets and routes of the edge namespace, DomainClaims with their status, and the
 * grants that hostnames are checked against. Who may write the status of requests is for RBAC to say: the generated roles let the
 * operator alone, and nothing is decided by it.
 */
export function operatorPolicies(settings: PolicySettings): readonly BoundPolicy[] {
  const { edgeNamespace } = settings;
  const others = { name: "by-others", expression: byOthers(settings) };
  const edge = policy({
    name: "edge-namespace.gateway.opendi.com",
    spec: {
      matchConstraints: {
        resourceRules: [...HOSTNAME_RULES],
        namespaceSelector: { matchExpressions: [namespaceIs("In", edgeNamespace)] },
      },
      matchConditions: [{ name: "spec-changes", expression: SPEC_CHANGES }, others],
      validations: [
        {
          expression: "false",
          reason: "Forbidden",
          message: `Gateways, ListenerSets and routes of namespace ${edgeNamespace} are the operator's: make routes in your own namespace, with a parentRef to the Gateway that the status of your GatewayHostnameRequest names`,
        },
      ],
    },
  });
  const operations = ["CREATE", "UPDATE", "DELETE"];
  const { group } = DomainClaim;
  const claims = policy({
    name: "domain-claims.gateway.opendi.com",
    spec: {
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: [group],
            apiVersions: ["*"],
            operations,
            resources: [DomainClaim.plural, `${DomainClaim.plural}/status`],
          },
        ],
      },
      matchConditions: [others],
      validations: [
        {
          expression: "false",
          reason: "Forbidden",
          message:
            "DomainClaims are written by the operator alone: create, change or delete the GatewayHostnameRequest that owns the hostname",
        },
      ],
    },
  });
  const grants = policy({
    name: "hostname-grants.gateway.opendi.com",
    spec: {
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: [group],
            apiVersions: ["*"],
            operations: ["CREATE", "UPDATE"],
            resources: [HostnameGrant.plural, `${HostnameGrant.plural}/status`],
          },
        ],
      },
      matchConditions: [{ name: "the-operators", expression: `object.metadata.name == '${GRANT_NAME}'` }, others],
      validations: [
        {
          expression: "false",
          reason: "Forbidden",
          message: `HostnameGrant ${GRANT_NAME} is written by the operator alone: create a GatewayHostnameRequest, or ask the platform team for a HostnameGrant of another name in namespace ${edgeNamespace}`,
        },
      ],
    },
  });
  return [edge, claims, grants];
}
