import type { PolicyRule } from "@gatewright/kube";

/** One thing that a role allows, or that was asked for: `namespace group/resource[/subresource] verb`. `*`: in all namespaces. */
export type Right = string;

/** A role, as it is applied. */
export interface RoleRules {
  readonly metadata: { readonly namespace?: string };
  readonly rules: readonly PolicyRule[];
}

/** All that roles allow, one by one. */
export function rightsOf(roles: readonly RoleRules[]): ReadonlySet<Right> {
  return new Set(
    roles.flatMap(({ metadata: { namespace = "*" }, rules }) =>
      rules.flatMap(({ apiGroups = [], resources = [], verbs }) =>
        apiGroups.flatMap((group) =>
          resources.flatMap((resource) => verbs.map((verb) => `${namespace} ${group}/${resource} ${verb}`)),
        ),
      ),
    ),
  );
}

/** A line of the API server's audit log, as far as it is looked at. */
interface AuditEvent {
  readonly user: { readonly username: string };
  readonly verb: string;
  readonly requestURI: string;
  readonly objectRef?: {
    readonly apiGroup?: string;
    readonly resource?: string;
    readonly subresource?: string;
    readonly namespace?: string;
  };
  readonly responseStatus?: { readonly code?: number };
  readonly annotations?: Readonly<Record<string, string>>;
}

/** What somebody asked for, by the audit log. */
export interface Asked {
  /** What was asked for and given, both where it was asked and as if it had been everywhere. */
  readonly used: ReadonlySet<Right>;
  readonly denied: readonly string[];
  /** Writes, by who they are to: `verb resource namespace/name`. */
  readonly calls: number;
}

/** Reads what `username` asked for. */
export function askedBy(username: string, log: string): Asked {
  const events = log
    .split("\n")
    .filter((line) => line.includes(username))
    .map((line) => JSON.parse(line) as AuditEvent)
    .filter(({ user }) => user.username === username);
  const used = new Set<Right>();
  for (const { verb, objectRef, responseStatus } of events) {
    if (objectRef?.resource === undefined) continue;
    const { apiGroup = "", resource, subresource, namespace } = objectRef;
    const what = `${apiGroup}/${subresource === undefined ? resource : `${resource}/${subresource}`}`;
    // Who applies what was not there needs the right to create it, too; the server asks itself, which it does not write down.
    const verbs = verb === "patch" && responseStatus?.code === 201 ? [verb, "create"] : [verb];
    for (const each of verbs)
      for (const place of new Set(["*", namespace ?? "*"])) used.add(`${place} ${what} ${each}`);
  }
  const denied = events
    .filter(
      ({ annotations, responseStatus }) =>
        annotations?.["authorization.k8s.io/decision"] === "forbid" || responseStatus?.code === 403,
    )
    .map(({ verb, requestURI }) => `${verb} ${requestURI}`);
  return { used, denied, calls: events.length };
}
