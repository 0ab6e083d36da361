import { celTypeFromSchema, escapeName } from "../cel/index.ts";
import type { CelType } from "../cel/index.ts";
import { compileRule } from "./rule-program.ts";
import type { RuleProgram } from "./rule-program.ts";
import type { SchemaNode } from "./schema-node.ts";

/** The rules of a schema in the schema's own shape; only the branches that lead to rules are there. */
export interface RuleTree {
  readonly node: SchemaNode;
  /** The type of `self`; undefined where CEL has none for it. */
  readonly type: CelType | undefined;
  /** Compiled when first asked for: most definitions are served long before an object meets all of their rules. */
  programs(): readonly RuleProgram[];
  readonly properties: ReadonlyMap<string, RuleTree>;
  readonly additional: RuleTree | undefined;
  readonly items: RuleTree | undefined;
}

/** The rules of a schema, or undefined where it has none. `root`: it describes a whole resource. */
export function ruleTree(node: SchemaNode, root: boolean): RuleTree | undefined {
  return node.holds.rules ? grow(node, celTypeFromSchema(node.source, { root: root || node.embedded })) : undefined;
}

function grow(node: SchemaNode | undefined, type: CelType | undefined): RuleTree | undefined {
  if (!node?.holds.rules) return undefined;
  const properties = new Map<string, RuleTree>();
  for (const [name, property] of node.properties ?? []) {
    const known = fieldType(type, name, property);
    // A field that CEL does not see is not judged by CEL.
    const tree = known && grow(property, known);
    if (tree) properties.set(name, tree);
  }
  let compiled: readonly RuleProgram[] | undefined;
  return {
    node,
    type,
    programs: () => (compiled ??= type ? node.rules.map((rule) => compileRule(rule, type, node)) : []),
    properties,
    additional:
      typeof node.additional === "object"
        ? grow(node.additional, type?.kind === "map" ? type.value : undefined)
        : undefined,
    items: grow(node.items, type?.kind === "list" ? type.element : undefined),
  };
}

/** Fields whose names CEL cannot write have types of their own, since their parent's type does not show them. */
export function fieldType(parent: CelType | undefined, name: string, property: SchemaNode): CelType | undefined {
  const escaped = escapeName(name);
  if (escaped === undefined) return celTypeFromSchema(property.source, { root: property.embedded });
  return parent?.kind === "object" ? parent.field(escaped) : undefined;
}
