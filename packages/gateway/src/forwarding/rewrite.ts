import { normalAuthority } from "../exchange/authority.ts";
import { withNormalEscapes } from "../exchange/target.ts";
import type { Around } from "../filters/around.ts";
import type { Call } from "../pipeline/call.ts";
import { fillIn } from "../routes/actions/fill-in.ts";
import { prefixOf } from "../table/path-elements.ts";

/** The field `rewrite` of routes. */
export interface RewriteSpec {
  readonly uri?: string;
  readonly authority?: string;
}

/** Says what no request could be sent with. */
export function checkRewrite({ uri = "", authority = "" }: RewriteSpec, { note }: Pick<Around, "note">): void {
  const wrong = (field: string, message: string): void =>
    note({ field: `spec.rewrite.${field}`, message, severity: "error" });
  if (uri !== "" && !uri.startsWith("/")) wrong("uri", "has to begin with a slash");
  if (/[\\#]|\p{Cc}/u.test(uri)) wrong("uri", "has characters that a path cannot have");
  if (authority !== "" && normalAuthority(authority) === undefined) wrong("authority", "is not a name of a host");
}

/**
 * The target that backends see. Where the path was matched by a plain prefix, `uri` takes the place of that prefix, as the Gateway
 * API's table for `ReplacePrefixMatch` has it (`/foo` → `/xyz`: `/foo/bar` becomes `/xyz/bar`; slashes at the end of either do not
 * count; nothing left is `/`). Otherwise, and where `uri` has `{name}`, it is the whole new path. The query stays, behind that of
 * `uri` if it has one.
 */
export function rewriteTarget(written: string): (call: Call) => string {
  const uri = withNormalEscapes(written);
  const cut = uri.indexOf("?");
  const newPath = cut === -1 ? uri : uri.slice(0, cut);
  const newQuery = cut === -1 ? "" : uri.slice(cut + 1);
  const replacement = prefixOf(newPath);
  const isWhole = newPath.includes("{");
  return ({ head: { target }, matched, parameters }) => {
    const end = target.indexOf("?");
    const path = end === -1 ? target : target.slice(0, end);
    const query = [newQuery, end === -1 ? "" : target.slice(end + 1)].filter((part) => part !== "").join("&");
    const rewritten =
      isWhole || matched.type !== "prefix"
        ? fillIn(newPath, parameters)
        : replacement + path.slice(prefixOf(matched.value).length) || "/";
    return query === "" ? rewritten : `${rewritten}?${query}`;
  };
}
