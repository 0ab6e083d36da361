import { s } from "@gatewright/kube/define";
import type { Rule } from "@gatewright/kube/define";

const LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
/** RE2 text for a DNS name in lower case. */
export const SUBDOMAIN = String.raw`${LABEL}(\.${LABEL})*`;
/** RE2 text for a hostname with a wildcard in front if any. */
export const HOSTNAME = String.raw`^(\*\.)?${SUBDOMAIN}$`;

const GROUP = `^$|^${SUBDOMAIN}$`;
const KIND = "^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$";
/** RE2 text for what follows the domain of a name such as `example.com/thing`. */
export const PATH_OF_DOMAIN = String.raw`\/[A-Za-z0-9\/\-._~%!$&'()*+,;=:]+`;

const groupRules = {
  description: "API group of the object; empty for the core group.",
  maxLength: 253,
  pattern: GROUP,
};
const kindRules = { description: "Kind of the object.", minLength: 1, maxLength: 63, pattern: KIND };

export const group = s.string(groupRules);
export const kind = s.string(kindRules);

/** A group that may be left out. */
export const groupOr = <const D extends string>(fallback: D) =>
  s.string<string, D>({ ...groupRules, default: fallback });

/** A kind that may be left out. */
export const kindOr = <const D extends string>(fallback: D) => s.string<string, D>({ ...kindRules, default: fallback });

export const objectName = s.string({ description: "Name of the object.", minLength: 1, maxLength: 253 });

export const namespaceName = s.string({
  description: "Namespace of the object.",
  minLength: 1,
  maxLength: 63,
  pattern: `^${LABEL}$`,
});

export const sectionName = (description: string) =>
  s.string({ description, minLength: 1, maxLength: 253, pattern: `^${SUBDOMAIN}$` });

/** A hostname, which may begin with `*.`. */
export const hostname = (description: string) =>
  s.string({ description, minLength: 1, maxLength: 253, pattern: HOSTNAME });

/** A hostname without wildcard. */
export const preciseHostname = (description: string) =>
  s.string({ description, minLength: 1, maxLength: 253, pattern: `^${SUBDOMAIN}$` });

export const portNumber = (description: string) =>
  s.integer({ description, format: "int32", minimum: 1, maximum: 65_535 });

/** Which controller: a domain and a path. */
export const controllerName = (options: { readonly description: string; readonly rules?: readonly Rule[] }) =>
  s.string({ minLength: 1, maxLength: 253, pattern: `^${SUBDOMAIN}${PATH_OF_DOMAIN}$`, ...options });
