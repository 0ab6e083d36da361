import type { DocumentNode, FragmentDefinitionNode, OperationDefinitionNode, SelectionSetNode } from "graphql";

/** What an operation asks for, with its fragments written out. */
export interface GraphqlWeight {
  readonly depth: number;
  readonly fields: number;
  readonly introspects: boolean;
}

/** Fragments that contain one another, or are missing: such a document means nothing. */
export class GraphqlFragmentError extends Error {
  override readonly name = "GraphqlFragmentError";
}

const INTROSPECTION: ReadonlySet<string> = new Set(["__schema", "__type"]);

/**
 * Weighs an operation. Each fragment is weighed once, however often it is used, so that the time is that of reading the document; the
 * count is as if it were written out.
 */
export function graphqlWeight(document: DocumentNode, operation: OperationDefinitionNode): GraphqlWeight {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions)
    if (definition.kind === "FragmentDefinition") fragments.set(definition.name.value, definition);
  const known = new Map<string, GraphqlWeight | "open">();
  const ofFragment = (name: string): GraphqlWeight => {
    const weighed = known.get(name);
    if (weighed === "open") throw new GraphqlFragmentError("fragments contain one another");
    if (weighed !== undefined) return weighed;
    const fragment = fragments.get(name);
    if (fragment === undefined) throw new GraphqlFragmentError("a fragment is missing");
    known.set(name, "open");
    const weight = ofSet(fragment.selectionSet);
    known.set(name, weight);
    return weight;
  };
  const ofSet = (set: SelectionSetNode | undefined): GraphqlWeight => {
    let depth = 0;
    let fields = 0;
    let introspects = false;
    for (const selection of set?.selections ?? []) {
      const isField = selection.kind === "Field";
      const inner =
        selection.kind === "FragmentSpread" ? ofFragment(selection.name.value) : ofSet(selection.selectionSet);
      depth = Math.max(depth, inner.depth + (isField ? 1 : 0));
      fields += inner.fields + (isField ? 1 : 0);
      introspects ||= inner.introspects || (isField && INTROSPECTION.has(selection.name.value));
    }
    return { depth, fields, introspects };
  };
  return ofSet(operation.selectionSet);
}
