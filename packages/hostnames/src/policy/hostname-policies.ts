import type { admissionregistration } from "@gatewright/kube/api";
import { HostnameGrant } from "@gatewright/resources";
import { HOSTNAMES, REFUSED, SPEC_CHANGES, UNNAMED, celText, inScope } from "./cel.ts";
import { HOSTNAME_RULES, namespaceIs } from "./matching.ts";
import { policy } from "./policy.ts";
import type { BoundPolicy } from "./policy.ts";
import { GRANTED_LABEL, GRANT_NAME } from "./policy-settings.ts";
import type { PolicySettings } from "./policy-settings.ts";

const REQUEST_IT = "create a GatewayHostnameRequest for it in this namespace and try again when it is Claimed";

/**
 * Routes and listeners use hostnames that are granted to their namespace, and no others.
 *
 * Two policies, since a binding whose parameter is missing refuses all that its rules select, match conditions or not: it may only be
 * asked in namespaces that have a grant. Which those are, a label on the namespace says. In all others what attaches to the pool is
 * refused without looking.
 */
export function hostnamePolicies(settings: PolicySettings): readonly BoundPolicy[] {
  const { edgeNamespace } = settings;
  const matchConditions: admissionregistration.MatchCondition[] = [
    { name: "spec-changes", expression: SPEC_CHANGES },
    { name: "in-scope", expression: inScope(settings) },
  ];
  const namespaces = (operator: "In" | "NotIn") => ({
    namespaceSelector: {
      matchExpressions: [
        { key: GRANTED_LABEL.key, operator, values: [GRANTED_LABEL.value] },
        namespaceIs("NotIn", edgeNamespace),
      ],
    },
  });
  const askPlatform = ` or ask the platform team for a HostnameGrant in namespace ${edgeNamespace}`;
  const resourceRules = [...HOSTNAME_RULES];
  const granted = policy({
    name: "granted-hostnames.gateway.opendi.com",
    spec: {
      paramKind: { apiVersion: `${HostnameGrant.group}/${HostnameGrant.version}`, kind: HostnameGrant.kind },
      matchConstraints: { resourceRules },
      matchConditions,
      variables: [
        { name: "hostnames", expression: HOSTNAMES },
        { name: "granted", expression: "params.spec.hostnames" },
        { name: "refused", expression: REFUSED },
      ],
      validations: [
        {
          expression: `!(${UNNAMED})`,
          reason: "Forbidden",
          message: "name the hostnames: without any it takes every name of the listener",
          messageExpression: `(has(object.spec.listeners) ? 'each listener needs a hostname' : 'spec.hostnames is needed') + ': without it every name would be taken. Write those of HostnameGrant ${GRANT_NAME} in namespace ' + request.namespace`,
        },
        {
          expression: "variables.refused.size() == 0",
          reason: "Forbidden",
          message: `a hostname is not granted to this namespace: ${REQUEST_IT},${askPlatform}`,
          messageExpression: `'hostname ' + variables.refused.join(', ') + ' is not granted to namespace ' + request.namespace + ${celText(`: ${REQUEST_IT},${askPlatform}`)}`,
        },
      ],
    },
    binding: {
      paramRef: { name: GRANT_NAME, parameterNotFoundAction: "Deny" },
      matchResources: namespaces("In"),
    },
  });
  const none = policy({
    name: "no-hostnames.gateway.opendi.com",
    spec: {
      matchConstraints: { resourceRules },
      matchConditions,
      variables: [{ name: "hostnames", expression: HOSTNAMES }],
      validations: [
        {
          // A Gateway is held to what its listeners name; all else takes any name unless it says which.
          expression: "object.kind == 'Gateway' && !variables.hostnames.exists(h, h != '')",
          reason: "Forbidden",
          message: `no hostname is granted to this namespace: ${REQUEST_IT},${askPlatform}`,
          messageExpression: `(variables.hostnames.exists(h, h != '') ? 'hostname ' + variables.hostnames.filter(h, h != '').join(', ') : 'a hostname') + ' is not granted to namespace ' + request.namespace + ${celText(`, which has none: ${REQUEST_IT},${askPlatform}`)}`,
        },
      ],
    },
    binding: { matchResources: namespaces("NotIn") },
  });
  return [granted, none];
}
