import { deepEqual } from "@gatewright/kube";
import { remember } from "../decision.ts";
import { remembering } from "../memory.ts";
import type { Policy } from "./policy.ts";

/** What AWS never tells was written: it is remembered at once, since no read will ever show it. */
export const versionsWritten: Policy = ({ memory, answers }) => {
  if (answers.versions === undefined || memory.resource === undefined) return undefined;
  const before = memory.resource.versions ?? {};
  const versions = { ...before, ...answers.versions };
  if (deepEqual(versions, before)) return undefined;
  return remember(remembering(memory, { resource: { ...memory.resource, versions } }));
};
