import { badRequest, isDNS1123Subdomain, isHTTPPath, quote } from "@gatewright/kube";
import type { StatusError } from "@gatewright/kube";
import type { AccessAttributes, Authorizer } from "./authorizer.ts";
import { accessForbidden } from "./forbidden.ts";
import { parseServiceAccountUsername, serviceAccountGroups } from "./service-account-name.ts";
import { anonymous, AUTHENTICATED, MASTERS, UNAUTHENTICATED } from "./user.ts";
import type { UserInfo } from "./user.ts";

/** The headers of a request, as far as impersonation reads them. */
export interface ImpersonationHeaders {
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Values of a header that may be repeated, one by one. */
  headerValues(name: string): readonly string[];
}

interface Wanted {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

const EXTRA = "impersonate-extra-";
const AUTHENTICATION = "authentication.k8s.io";

/**
 * Whom a request acts as: `attributes.user`, or whoever its Impersonate-* headers name, if that user may act as them.
 * Throws 400 for headers that name no user, 403 for those who may not.
 */
export function impersonate(
  request: ImpersonationHeaders,
  attributes: AccessAttributes,
  authorizer: Authorizer,
): UserInfo {
  const wanted = wantedUser(request);
  if (!wanted) return attributes.user;
  let refused: StatusError | undefined;
  for (const mode of MODES) {
    if (!mode.applies(wanted, attributes.user)) continue;
    const objection = check(mode, wanted, attributes, authorizer);
    if (objection === undefined) return resultOf(mode, wanted);
    refused ??= objection;
  }
  throw refused ?? accessForbidden(attributes, "all impersonation modes failed");
}

function wantedUser(request: ImpersonationHeaders): Wanted | undefined {
  const username = request.headers["impersonate-user"] ?? "";
  const uid = request.headers["impersonate-uid"] ?? "";
  const groups = request.headerValues("impersonate-group");
  const extra = new Map<string, readonly string[]>();
  for (const name of Object.keys(request.headers)) {
    if (!name.startsWith(EXTRA)) continue;
    const key = unescaped(name.slice(EXTRA.length));
    extra.set(key, [...(extra.get(key) ?? []), ...request.headerValues(name)]);
  }
  if (username !== "") return { username, uid, groups, extra };
  if (uid === "" && groups.length === 0 && extra.size === 0) return undefined;
  throw badRequest(`requested ${goSyntax(uid, groups, extra)} without impersonating a user name`);
}

function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key; // Malformed escapes are taken as they are.
  }
}

/** The wanted user as Go prints a struct: what clients of kube-apiserver get to see. */
function goSyntax(uid: string, groups: readonly string[], extra: Wanted["extra"]): string {
  const list = (values: readonly string[]): string => `[]string{${values.map(quote).join(", ")}}`;
  const entries = [...extra].map(([key, values]) => `${quote(key)}:${list(values)}`).sort();
  const shownGroups = groups.length === 0 ? "[]string(nil)" : list(groups);
  const shownExtra = extra.size === 0 ? "map[string][]string(nil)" : `map[string][]string{${entries.join(", ")}}`;
  return `&user.DefaultInfo{Name:"", UID:${quote(uid)}, Groups:${shownGroups}, Extra:${shownExtra}}`;
}

/**
 * A way in which somebody may be allowed to act as another. All but the last are constrained: they also ask whether the
 * request itself may be made in this way, and never reach `system:masters`.
 */
interface Mode {
  readonly verb: string;
  /** The prefix of the verb that the request itself needs. */
  readonly on?: string;
  applies(wanted: Wanted, requester: UserInfo): boolean;
}

const nameOnly = (wanted: Wanted): boolean =>
  wanted.uid === "" && wanted.groups.length === 0 && wanted.extra.size === 0;

function nodeName(username: string): string | undefined {
  const name = username.startsWith("system:node:") ? username.slice("system:node:".length) : "";
  return name === "" || isDNS1123Subdomain(name).length > 0 ? undefined : name;
}

const constrained = (name: string, applies: Mode["applies"]): Mode => ({
  verb: `impersonate:${name}`,
  on: `impersonate-on:${name}:`,
  applies,
});

const MODES: readonly Mode[] = [
  constrained("associated-node", (wanted, requester) => {
    const node = nodeName(wanted.username);
    const own = requester.extra?.["authentication.kubernetes.io/node-name"];
    const isAccount = parseServiceAccountUsername(requester.username) !== undefined;
    return nameOnly(wanted) && node !== undefined && isAccount && own?.length === 1 && own[0] === node;
  }),
  constrained("arbitrary-node", (wanted) => nameOnly(wanted) && nodeName(wanted.username) !== undefined),
  constrained("serviceaccount", (wanted) => {
    return nameOnly(wanted) && parseServiceAccountUsername(wanted.username) !== undefined;
  }),
  constrained("user-info", ({ username }) => {
    return nodeName(username) === undefined && parseServiceAccountUsername(username) === undefined;
  }),
  { verb: "impersonate", applies: () => true },
];

/** Why the mode does not let the requester act as wanted, or undefined when it does. */
function check(
  mode: Mode,
  wanted: Wanted,
  attributes: AccessAttributes,
  authorizer: Authorizer,
): StatusError | undefined {
  if (mode.on !== undefined) {
    const asked = { ...attributes, verb: `${mode.on}${attributes.verb}` };
    const { allowed, reason } = authorizer.authorize(asked);
    if (!allowed) return accessForbidden(asked, reason);
    const senseless = constraintViolation(mode, wanted, attributes.user);
    if (senseless) return senseless;
  }
  for (const asked of checksFor(mode, wanted, attributes.user)) {
    const { allowed, reason } = authorizer.authorize(asked);
    if (!allowed) return accessForbidden(asked, reason);
  }
  return undefined;
}

function access(
  user: UserInfo,
  verb: string,
  group: string,
  resource: string,
  name: string,
  namespace = "",
  subresource = "",
) {
  return { user, verb, resource: { group, version: "v1", resource, subresource, namespace, name } };
}

function* checksFor(mode: Mode, wanted: Wanted, user: UserInfo): IterableIterator<AccessAttributes> {
  const group = mode.on === undefined ? "" : AUTHENTICATION;
  const account = parseServiceAccountUsername(wanted.username);
  const node = mode.on === undefined ? undefined : nodeName(wanted.username);
  if (account) yield access(user, mode.verb, group, "serviceaccounts", account.name, account.namespace);
  // A service account on a node is checked for acting as "its" node, whichever that is.
  else if (node !== undefined) yield access(user, mode.verb, group, "nodes", mode === MODES[0] ? "*" : node);
  else yield access(user, mode.verb, group, "users", wanted.username);
  if (wanted.uid !== "") yield access(user, mode.verb, AUTHENTICATION, "uids", wanted.uid);
  for (const name of wanted.groups) yield access(user, mode.verb, group, "groups", name);
  for (const [key, values] of wanted.extra) {
    for (const value of values) yield access(user, mode.verb, AUTHENTICATION, "userextras", value, "", key);
  }
}

function constraintViolation(mode: Mode, { groups, extra }: Wanted, user: UserInfo): StatusError | undefined {
  const refuse = (resource: string, name: string, why: string): StatusError =>
    accessForbidden(access(user, mode.verb, AUTHENTICATION, resource, name), why);
  if (groups.includes("")) return refuse("groups", "", "impersonating the empty string group is not allowed");
  if (groups.includes(MASTERS)) {
    return refuse("groups", MASTERS, "impersonating the system:masters group is not allowed");
  }
  for (const [key, values] of extra) {
    const slash = key.indexOf("/");
    const prefixed = isDNS1123Subdomain(key.slice(0, Math.max(slash, 0))).length === 0;
    if (!prefixed || isHTTPPath(key.slice(slash + 1)).length > 0) {
      return refuse("userextras", "", "impersonating an invalid key in extra is not allowed");
    }
    if (values.includes(""))
      return refuse("userextras", "", "impersonating the empty string value in extra is not allowed");
  }
  return undefined;
}

function resultOf(mode: Mode, { username, uid, groups, extra }: Wanted): UserInfo {
  const account = parseServiceAccountUsername(username);
  let all = [...groups];
  if (account && groups.length === 0) all = serviceAccountGroups(account.namespace);
  if (mode.on !== undefined && nodeName(username) !== undefined) all = ["system:nodes"];
  if (username === anonymous.username) {
    if (!all.includes(UNAUTHENTICATED)) all.push(UNAUTHENTICATED);
  } else if (!all.includes(UNAUTHENTICATED) && !all.includes(AUTHENTICATED)) {
    all.push(AUTHENTICATED);
  }
  return {
    username,
    ...(uid !== "" && { uid }),
    groups: all,
    ...(extra.size > 0 && { extra: Object.fromEntries(extra) }),
  };
}
