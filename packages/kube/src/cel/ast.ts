/** A node of a parsed expression. `offset` is where its defining token starts, in UTF-16 units. */
export type Expr =
  | LiteralExpr
  | IdentExpr
  | SelectExpr
  | CallExpr
  | ListExpr
  | MapExpr
  | StructExpr
  | ComprehensionExpr;

interface Located {
  readonly offset: number;
}

/** An unsigned literal is told from a signed one by `unsigned`. */
export interface LiteralExpr extends Located {
  readonly kind: "literal";
  readonly value: null | boolean | bigint | number | string | Uint8Array;
  readonly unsigned?: true;
}

export interface IdentExpr extends Located {
  readonly kind: "ident";
  readonly name: string;
}

/** `operand.field`, or `has(operand.field)` when `test`. */
export interface SelectExpr extends Located {
  readonly kind: "select";
  readonly operand: Expr;
  readonly field: string;
  readonly test: boolean;
}

export interface CallExpr extends Located {
  readonly kind: "call";
  readonly fn: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}

export interface ListExpr extends Located {
  readonly kind: "list";
  readonly items: readonly Expr[];
  /** Positions that were written `?x`. */
  readonly optional: ReadonlySet<number>;
}

export interface MapExpr extends Located {
  readonly kind: "map";
  readonly entries: readonly MapEntryExpr[];
}

export interface MapEntryExpr extends Located {
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}

export interface StructExpr extends Located {
  readonly kind: "struct";
  readonly typeName: string;
  readonly fields: readonly StructFieldExpr[];
}

export interface StructFieldExpr extends Located {
  readonly name: string;
  readonly value: Expr;
  readonly optional: boolean;
}

/**
 * What the iteration macros expand to: fold `range` into `accuVar`, starting from `init`, while `condition` holds, and
 * give `result`. One variable iterates list items or map keys; two iterate index and item, or key and value.
 */
export interface ComprehensionExpr extends Located {
  readonly kind: "comprehension";
  readonly range: Expr;
  readonly iterVar: string;
  readonly iterVar2: string | undefined;
  readonly accuVar: string;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

/** The dotted name that a chain of plain selects spells, or undefined when it is anything else. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === "ident") return expr.name;
  if (expr.kind !== "select" || expr.test) return undefined;
  const prefix = qualifiedName(expr.operand);
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`;
}
