import type { MatchRow } from "./match-row.ts";

/**
 * Which of two rows with equally specific hosts and paths is asked first: a method, an operation, more headers, more query parameters, the older
 * object, `namespace/name`, the place in its object. Only calls of gRPC counts as a method, since all of them are POST.
 */
export const ROW_ORDER = [
  { because: "it names a method", compare: (a: MatchRow, b: MatchRow) => namesMethod(b) - namesMethod(a) },
  {
    because: "it says more about the operation",
    compare: (a: MatchRow, b: MatchRow) => operationDetail(b) - operationDetail(a),
  },
  { because: "it has more headers", compare: (a: MatchRow, b: MatchRow) => b.headers.length - a.headers.length },
  { because: "it has more query parameters", compare: (a: MatchRow, b: MatchRow) => b.query.length - a.query.length },
  { because: "it is older", compare: (a: MatchRow, b: MatchRow) => byAge(a.createdAt, b.createdAt) },
  { because: "its name comes first", compare: (a: MatchRow, b: MatchRow) => byName(a, b) },
  { because: "it stands first in its object", compare: (a: MatchRow, b: MatchRow) => a.place - b.place },
] as const;

/** Negative: `a` is asked before `b`. */
export function compareRows(a: MatchRow, b: MatchRow): number {
  for (const { compare } of ROW_ORDER) {
    const order = compare(a, b);
    if (order !== 0) return order;
  }
  return 0;
}

/** Rows by pattern: the longer one first, then as all rows. */
export function compareRegexRows(a: MatchRow, b: MatchRow): number {
  return b.path.value.length - a.path.value.length || compareRows(a, b);
}

function namesMethod(row: MatchRow): number {
  return row.methods !== undefined || row.grpc === true ? 1 : 0;
}

const NAME_DETAIL = { exact: 6, prefix: 4, regex: 2 } as const;

/** A name says more than a type, and a whole name more than a part of one. */
function operationDetail({ operation }: MatchRow): number {
  if (operation === undefined) return 0;
  const { type, name } = operation;
  return (name === undefined ? 0 : NAME_DETAIL[name.type]) + (type === undefined ? 0 : 1);
}

function byAge(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function byName(a: MatchRow, b: MatchRow): number {
  return (
    byText(`${a.route.namespace}/${a.route.name}`, `${b.route.namespace}/${b.route.name}`) ||
    byText(a.route.id, b.route.id)
  );
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
