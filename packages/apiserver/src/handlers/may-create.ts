import { accessForbidden } from "../auth/index.ts";
import type { ResourceCall } from "./resource-call.ts";

/** Throws 403 for a PUT or an apply of an object that is not there, by a user who may change such objects but not create them. */
export function checkMayCreate({ info, user, deps }: ResourceCall): void {
  const { group, version, resource, subresource, namespace, name } = info;
  const access = { user, verb: "create", resource: { group, version, resource, subresource, namespace, name } };
  const decision = deps.authorizer.authorize(access);
  if (!decision.allowed) throw accessForbidden(access, decision.reason);
}
