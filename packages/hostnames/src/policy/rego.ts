import { GRANT_NAME } from "./policy-settings.ts";

/** Who asks. Audits of what is there have no user: they find nothing that only the operator may have written. */
const WRITERS = `
by_others {
  input.review.userInfo.username
  not is_writer
}

is_writer {
  input.review.userInfo.username == input.parameters.writers.users[_]
}

is_writer {
  input.review.userInfo.groups[_] == input.parameters.writers.groups[_]
}`;

/** Routes and listeners use hostnames that are granted to their namespace, and those of the edge namespace are the operator's. */
export const HOSTNAMES_REGO = `package gatewrighthostnames

thing := input.review.object

kind := input.review.kind.kind

namespace := input.review.namespace

edge := input.parameters.edgeNamespace

is_update {
  input.review.operation == "UPDATE"
}

# Who only writes labels or finalizers decides no hostname.
spec_changes {
  not is_update
}

spec_changes {
  thing.spec != input.review.oldObject.spec
}

parents[parent] {
  parent := thing.spec.parentRefs[_]
}

parents[parent] {
  parent := thing.spec.parentRef
}

of_gateway_api(parent) {
  groups := {"gateway.networking.k8s.io", "gateway.networking.x-k8s.io"}
  groups[object.get(parent, "group", "gateway.networking.k8s.io")]
}

in_scope {
  parents[parent]
  of_gateway_api(parent)
  object.get(parent, "namespace", namespace) == edge
}

in_scope {
  input.parameters.scope == "all"
  parents[parent]
  of_gateway_api(parent)
}

in_scope {
  input.parameters.scope == "all"
  kind == "Gateway"
}

hostnames[hostname] {
  hostname := lower(thing.spec.hostnames[_])
}

hostnames[hostname] {
  hostname := lower(thing.spec.listeners[_].hostname)
}

unnamed {
  kind != "Gateway"
  listener := thing.spec.listeners[_]
  object.get(listener, "hostname", "") == ""
}

unnamed {
  kind != "Gateway"
  not thing.spec.listeners
  count(hostnames) == 0
}

granted[hostname] {
  hostname := data.inventory.namespace[namespace]["gateway.opendi.com/v1alpha1"].HostnameGrant.${GRANT_NAME}.spec.hostnames[_]
}

covered(hostname) {
  granted[hostname]
}

covered(hostname) {
  not startswith(hostname, "*")
  dot := indexof(hostname, ".")
  dot > 0
  granted[concat("", ["*", substring(hostname, dot, -1)])]
}

violation[{"msg": msg}] {
  namespace != edge
  spec_changes
  in_scope
  unnamed
  msg := sprintf("name the hostnames: without any every name would be taken. Write those of HostnameGrant ${GRANT_NAME} in namespace %v", [namespace])
}

violation[{"msg": msg}] {
  namespace != edge
  spec_changes
  in_scope
  hostnames[hostname]
  not covered(hostname)
  msg := sprintf("hostname %v is not granted to namespace %v: create a GatewayHostnameRequest for it in this namespace and try again when it is Claimed, or ask the platform team for a HostnameGrant in namespace %v", [hostname, namespace, edge])
}

violation[{"msg": msg}] {
  namespace == edge
  spec_changes
  by_others
  msg := sprintf("Gateways, ListenerSets and routes of namespace %v are the operator's: make routes in your own namespace, with a parentRef to the Gateway that the status of your GatewayHostnameRequest names", [edge])
}
${WRITERS}
`;

/** DomainClaims, and the grants that hostnames are checked against, are the operator's. */
export const OPERATOR_REGO = `package gatewrightoperatoronly

violation[{"msg": msg}] {
  input.review.kind.kind == "DomainClaim"
  by_others
  msg := "DomainClaims are written by the operator alone: create, change or delete the GatewayHostnameRequest that owns the hostname"
}

violation[{"msg": msg}] {
  input.review.kind.kind == "HostnameGrant"
  input.review.name == "${GRANT_NAME}"
  by_others
  msg := "HostnameGrant ${GRANT_NAME} is written by the operator alone: create a GatewayHostnameRequest, or ask the platform team for a HostnameGrant of another name in the edge namespace"
}
${WRITERS}
`;
