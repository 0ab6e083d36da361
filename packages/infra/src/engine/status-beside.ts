import type { Immutable } from "@gatewright/kube";
import { managedStatus } from "@gatewright/resources";
import type { Managed } from "./aws-kind.ts";
import type { Observation } from "./observation.ts";
import type { ManagedWorld } from "./world.ts";

const SHARED: ReadonlySet<string> = new Set(Object.keys(managedStatus));

/** What a kind tells of its own in the status: by what was read, or as it was while that is not known. */
export function statusBeside({ kind, book }: ManagedWorld, { object, resource, session }: Observation): object {
  if (resource.is === "absent" || resource.is === "unnamed") return {};
  const seen = book.page(object).reading?.seen;
  if (resource.is === "present" && seen !== undefined && "session" in session) {
    const told = Object.entries(kind.statusOf(seen.value, session.session));
    return Object.fromEntries(told.filter(([key, value]) => value !== undefined && !SHARED.has(key)));
  }
  return kept(object);
}

function kept({ status }: Immutable<Managed>): object {
  return Object.fromEntries(Object.entries(status ?? {}).filter(([key]) => !SHARED.has(key)));
}
