import type { Json } from "./json.ts";
import { BodySyntaxError } from "./json-syntax.ts";
import { yamlLibrary } from "./yaml-library.ts";
import { resolvePlainScalar } from "./yaml-scalar.ts";

/**
 * A value as YAML that Kubernetes' tools read as the same value: texts that they would take for something else (`on`, `0o7`,
 * `0:30`) are quoted. Keys stay in their order; lines are never folded and parts that are shared are written out.
 */
export function formatYaml(value: Json): string {
  const { Document, visit } = yamlLibrary();
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_, node) {
      const text = node.value;
      if (typeof text === "string" && !staysText(text)) node.type = "QUOTE_DOUBLE";
    },
  });
  return document.toString({ lineWidth: 0 });
}

function staysText(text: string): boolean {
  if (text === "<<") return false; // a merge key
  try {
    return resolvePlainScalar(text) === text;
  } catch (error) {
    if (error instanceof BodySyntaxError) return false; // a number that JSON does not have
    throw error;
  }
}
