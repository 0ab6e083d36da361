import { prefixOf, quoted, withNormalEscapes } from "@gatewright/gateway/rows";
import type { PathMatch } from "@gatewright/gateway/rows";
import { groupName, templatePattern } from "../match/path-match.ts";
import type { RouteActionInit, RouteDraft } from "../route-draft.ts";
import { groupNumbers } from "./group-numbers.ts";

export interface RewriteSpec {
  readonly uri?: string;
  readonly authority?: string;
}

interface Substitution {
  readonly pattern: { readonly regex: string };
  readonly substitution: string;
}

/** What changes of host and path, by the path of a row. */
export function rewrite(spec: RewriteSpec | undefined, draft: RouteDraft): (path: PathMatch) => RouteActionInit {
  const { uri: written = "", authority = "" } = spec ?? {};
  const uri = withNormalEscapes(written);
  if (uri.includes("?")) draft.lacks("rewrite.uri", "the query of it does not go before that of the request");
  return (path) => ({
    ...(authority !== "" && { hostRewriteSpecifier: { case: "hostRewriteLiteral", value: authority } }),
    ...(uri !== "" && { regexRewrite: pathRewrite(uri.split("?")[0] ?? "", path) }),
  });
}

/** A plain prefix gives way to `uri`, as the Gateway API's table has it; other paths as a whole. */
function pathRewrite(uri: string, path: PathMatch): Substitution {
  if (path.type !== "prefix" || uri.includes("{")) return wholePathRewrite(uri, path);
  const prefix = quoted(prefixOf(path.value));
  const replacement = literal(prefixOf(uri));
  // Where nothing takes the place of the prefix, a slash has to be left.
  if (replacement === "") return { pattern: { regex: `^${prefix}/*(.*)$` }, substitution: String.raw`/\1` };
  return { pattern: { regex: `^${prefix}(.*)$` }, substitution: String.raw`${replacement}\1` };
}

/** A whole new path, with what the names of the matched one stood for. */
export function wholePathRewrite(uri: string, path: PathMatch): Substitution {
  const pattern = path.type === "template" ? templatePattern(path) : path.type === "regex" ? path.value : ".*";
  const numbers = groupNumbers(pattern);
  const parts = uri.split(/\{([^{}]+)\}/u);
  const substitution = parts.map((part, at) => {
    if (at % 2 === 0) return literal(part);
    const number = numbers.get(path.type === "template" ? groupName(part) : part);
    return number === undefined ? literal(`{${part}}`) : `\\${number}`;
  });
  return { pattern: { regex: `^(?:${pattern})$` }, substitution: substitution.join("") };
}

/** A text in a substitution, where backslashes name groups. */
function literal(text: string): string {
  return text.replaceAll("\\", "\\\\");
}
