import { forbidden, quote } from "@gatewright/kube";
import type { StatusError } from "@gatewright/kube";
import type { AccessAttributes } from "./authorizer.ts";

/** Angle brackets and ampersands never come back in a message, lest a browser takes it for HTML. */
function sanitized(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function refusal({ user, verb, resource, path }: AccessAttributes): string {
  const who = `User ${quote(user.username)} cannot ${verb}`;
  if (!resource) return `${who} path ${quote(path ?? "")}`;
  const what = resource.subresource === "" ? resource.resource : `${resource.resource}/${resource.subresource}`;
  const where = resource.namespace === "" ? "at the cluster scope" : `in the namespace ${quote(resource.namespace)}`;
  return `${who} resource ${quote(what)} in API group ${quote(resource.group)} ${where}`;
}

/** The 403 for a request that authorization did not let through; `reason` is the authorizer's, where it has one. */
export function accessForbidden(attributes: AccessAttributes, reason = ""): StatusError {
  const { group = "", resource = "", name = "" } = attributes.resource ?? {};
  const why = sanitized(refusal(attributes));
  return forbidden({ group, resource }, name, reason === "" ? why : `${why}: ${reason}`);
}
