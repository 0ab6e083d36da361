import type { Identity } from "../../pipeline/call.ts";

/** Somebody who has proven nothing. */
export const ANONYMOUS: Identity = {
  method: "anonymous",
  subject: "anonymous",
  roles: [],
  groups: [],
  scopes: [],
  permissions: [],
  claims: new Map(),
};
