import { pathElements, placeholder, prefixOf, quoted } from "@gatewright/gateway/rows";
import type { PathMatch } from "@gatewright/gateway/rows";
import type { HeaderMatcherSchema, RouteMatchSchema } from "@gatewright/gateway-wire/xds";
import type { Init } from "../packed.ts";

type RouteMatchInit = Init<typeof RouteMatchSchema>;
type HeaderMatcherInit = Init<typeof HeaderMatcherSchema>;

/** What Envoy takes as a prefix by elements. */
const PLAIN_PREFIX = /^[^?#]+[^?#/]$/u;

/** A path as Envoy compares it. */
export function pathSpecifier(path: PathMatch): NonNullable<RouteMatchInit["pathSpecifier"]> {
  if (path.type === "exact") return { case: "path", value: path.value };
  if (path.type === "regex") return { case: "safeRegex", value: { regex: path.value } };
  if (path.type === "template") return { case: "safeRegex", value: { regex: templatePattern(path) } };
  const prefix = prefixOf(path.value);
  if (prefix === "") return { case: "prefix", value: "/" };
  if (PLAIN_PREFIX.test(prefix)) return { case: "pathSeparatedPrefix", value: prefix };
  return { case: "safeRegex", value: { regex: `${quoted(prefix)}(?:/.*)?` } };
}

/**
 * What else has to hold of the path. Patterns of elements may match slashes, which in a template they must not: the number of elements
 * is counted.
 */
export function pathConditions(path: PathMatch): HeaderMatcherInit[] {
  if (path.type !== "template" || path.prefix) return [];
  const elements = pathElements(path.value);
  if (elements.every((element) => placeholder(element)?.pattern === undefined)) return [];
  const regex = `(?:/[^/?]*){${elements.length}}(?:\\?.*)?`;
  return [headerRegex(":path", regex)];
}

/** A template as a pattern of RE2, each `{name}` a group of its own. */
export function templatePattern({ value, prefix }: Extract<PathMatch, { readonly type: "template" }>): string {
  const elements = pathElements(prefix ? prefixOf(value) : value).map((element) => {
    const found = placeholder(element);
    if (found === undefined) return quoted(element);
    const pattern = found.pattern === undefined ? "[^/]+" : `(?:${found.pattern})`;
    return found.name === "*" ? pattern : `(?P<${groupName(found.name)}>${pattern})`;
  });
  return `/${elements.join("/")}${prefix ? "(?:/.*)?" : ""}`;
}

/** What a name in a template is called as a group of RE2, which takes letters, digits and underscores only. */
export function groupName(name: string): string {
  return /^[A-Za-z_]\w*$/u.test(name) ? name : `_${Buffer.from(name).toString("hex")}`;
}

export function headerRegex(name: string, regex: string): HeaderMatcherInit {
  const value = { matchPattern: { case: "safeRegex", value: { regex } } } as const;
  return { name, headerMatchSpecifier: { case: "stringMatch", value } };
}
