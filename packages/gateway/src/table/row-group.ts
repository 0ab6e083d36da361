import { patternHolds, rowHolds } from "./compiled-row.ts";
import type { CompiledRow } from "./compiled-row.ts";
import type { MatchRow } from "./match-row.ts";
import type { Question } from "./route-table.ts";
import { NO_ROWS, inserted, without } from "./row-list.ts";
import { compareRows } from "./row-order.ts";
import { rowsOfShape, shapeOf } from "./row-shape.ts";
import type { RowShape } from "./row-shape.ts";

/** Up to so many are looked at one after the other: cheaper than looking them up. */
const FEW = 16;

type Order = (a: MatchRow, b: MatchRow) => number;

/** The rows at one place of a table, of which the first that holds is wanted. Immutable: changes make the next one. */
export class RowGroup {
  readonly #compare: Order;
  readonly length: number;
  /** All of them in order, while they are few. */
  readonly #few: readonly CompiledRow[];
  readonly #shapes: readonly RowShape[] | undefined;

  private constructor(compare: Order, length: number, few: readonly CompiledRow[], shapes?: readonly RowShape[]) {
    this.#compare = compare;
    this.length = length;
    this.#few = few;
    this.#shapes = shapes;
  }

  static empty(compare: Order = compareRows): RowGroup {
    return new RowGroup(compare, 0, NO_ROWS);
  }

  /** The first row that holds, of those before `limit`. */
  first(question: Question, host: string, limit?: CompiledRow): CompiledRow | undefined {
    if (this.#shapes === undefined) return this.#firstOf(this.#few, question, host, limit);
    let best = limit;
    for (const shape of this.#shapes) {
      const rows = rowsOfShape(shape, question, host);
      if (rows !== undefined) best = this.#firstOf(rows, question, host, best) ?? best;
    }
    return best === limit ? undefined : best;
  }

  /** All rows in order. */
  all(): readonly CompiledRow[] {
    if (this.#shapes === undefined) return this.#few;
    const rows = this.#shapes.flatMap((shape) => [...shape.rows.values()].flat());
    return rows.sort((a, b) => this.#compare(a.row, b.row));
  }

  with(row: CompiledRow, owner: object): RowGroup {
    if (this.#shapes === undefined && this.length < FEW)
      return new RowGroup(this.#compare, this.length + 1, inserted(this.#few, row, this.#compare));
    let shapes =
      this.#shapes ?? this.#few.reduce((all, one) => this.#shaped(all, one, owner), [] as readonly RowShape[]);
    shapes = this.#shaped(shapes, row, owner);
    return new RowGroup(this.#compare, this.length + 1, NO_ROWS, shapes);
  }

  /** This one, if the row is not among its rows. */
  without(row: MatchRow, owner: object): RowGroup {
    if (this.#shapes === undefined) {
      const rest = without(this.#few, row);
      return rest.length === this.length ? this : new RowGroup(this.#compare, rest.length, rest);
    }
    const { shape, key } = shapeOf(row, owner);
    const known = this.#shapes.find(({ id }) => id === shape.id);
    const list = known?.rows.get(key) ?? NO_ROWS;
    const rest = without(list, row);
    if (known === undefined || rest.length === list.length) return this;
    const rows = known.rows.set(key, rest.length === 0 ? undefined : rest, owner);
    const others = this.#shapes.filter((one) => one !== known);
    const shapes = rows.size === 0 ? others : [...others, { ...known, rows }];
    const next = new RowGroup(this.#compare, this.length - 1, NO_ROWS, shapes);
    return next.length > FEW / 2 ? next : new RowGroup(this.#compare, next.length, next.all());
  }

  #shaped(shapes: readonly RowShape[], row: CompiledRow, owner: object): readonly RowShape[] {
    const { shape, key } = shapeOf(row.row, owner);
    const known = shapes.find(({ id }) => id === shape.id) ?? shape;
    const rows = known.rows.set(key, inserted(known.rows.get(key) ?? NO_ROWS, row, this.#compare), owner);
    if (known !== shape && rows === known.rows) return shapes;
    return [...shapes.filter((one) => one !== known), { ...known, rows }];
  }

  #firstOf(
    rows: readonly CompiledRow[],
    question: Question,
    host: string,
    limit?: CompiledRow,
  ): CompiledRow | undefined {
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at]!;
      if (limit !== undefined && this.#compare(row.row, limit.row) >= 0) return undefined;
      if (patternHolds(row, question.path) && rowHolds(row, question, host)) return row;
    }
    return undefined;
  }
}
