import { child, key as keyed } from "../field-error.ts";
import type { FieldPath } from "../field-error.ts";
import type { SchemaNode } from "./schema-node.ts";

/** A path into a schema that leads somewhere: how errors print it, and what stands there. */
export interface SchemaPlace {
  readonly path: FieldPath;
  readonly node: SchemaNode | undefined;
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "'": "'",
  "\\": "\\",
};

function unescaped(text: string): string | undefined {
  let wrong = false;
  const plain = text.replace(/\\([\s\S])/g, (_, letter: string) => {
    const meant = ESCAPES[letter];
    wrong ||= meant === undefined;
    return meant ?? "";
  });
  return wrong ? undefined : plain;
}

/** Delimiters, quoted texts, and what stands between them. */
function tokens(path: string): string[] {
  return path.match(/[.[\]]|'(?:\\[\s\S]|[^'\\])*'|[^.[\]']+|'/g) ?? [];
}

/**
 * Follows a path of fields such as `.spec.a` or `.spec['a.b']` through a schema. Returns where it leads, or why it does
 * not.
 */
export function followFieldPath(
  jsonPath: string,
  root: SchemaNode,
  options: { readonly brackets: boolean } = { brackets: true },
): SchemaPlace | string {
  let node: SchemaNode | undefined = root;
  let path: FieldPath = "";
  const parts = tokens(jsonPath);
  for (let i = 0; i < parts.length; i++) {
    const token = parts[i]!;
    let name: string | undefined;
    if (token === "[") {
      if (!options.brackets) return "array notation is not allowed";
      const quoted = parts[++i];
      if (quoted === undefined) return "unexpected end of JSON path";
      if (quoted.length < 2 || !quoted.startsWith("'") || !quoted.endsWith("'"))
        return `expected single quoted string but got ${quoted}`;
      name = unescaped(quoted.slice(1, -1));
      if (name === undefined) return "invalid string literal";
    } else if (token === ".") {
      name = parts[++i];
      if (name === undefined) return "unexpected end of JSON path";
    } else {
      return `expected [ or . but got: ${token}`;
    }
    if (node?.properties) {
      path = child(path, name);
      node = node.properties.get(name);
      if (!node) return "does not refer to a valid field";
    } else if (node && node.additional !== undefined) {
      path = keyed(path, name);
      node = typeof node.additional === "object" ? node.additional : undefined;
    } else {
      return "does not refer to a valid field";
    }
    if (token !== "[") continue;
    const closing = parts[++i];
    if (closing === undefined) return "unexpected end of JSON path";
    if (closing !== "]") return `expected ] but got ${closing}`;
  }
  return { path, node };
}
