import { queryValue } from "../exchange/query-value.ts";
import type { FieldMatch, MatchRow, OperationMatch, TextMatch } from "./match-row.ts";
import type { Question } from "./route-table.ts";
import { mustCompile } from "./whole-pattern.ts";

/** One thing besides host and path that has to hold for a row. */
export interface Condition {
  readonly on: "method" | "protocol" | "operation" | "header" | "query" | "other";
  /** For people: `method GET or HEAD`, `header x-env = blue`. */
  readonly wants: string;
  /** `host`: the authority without its port. */
  holds(question: Question, host: string): boolean;
  /** What a request has there, for people. */
  got(question: Question, host: string): string;
}

/** Shared by the many rows that have none: one place in memory that is always near. */
const NONE: readonly Condition[] = [];

/** The conditions of a row, the cheap ones first. Throws for a pattern that is not RE2: those who make rows check them. */
export function conditionsOf(row: MatchRow): readonly Condition[] {
  const conditions: Condition[] = [];
  if (row.methods !== undefined) conditions.push(methodCondition(row.methods));
  if (row.grpc !== undefined) conditions.push(protocolCondition(row.grpc));
  if (row.operation !== undefined) conditions.push(operationCondition(row.operation));
  for (const header of row.headers) conditions.push(valueCondition("header", header));
  for (const parameter of row.query) conditions.push(valueCondition("query", parameter));
  const { also } = row;
  if (also !== undefined)
    conditions.push({
      on: "other",
      wants: "what the route asks for besides",
      holds: ({ head, query }) => also({ fields: head.fields, query }),
      got: () => "something else",
    });
  return conditions.length === 0 ? NONE : conditions;
}

function methodCondition(methods: ReadonlySet<string>): Condition {
  const heads = methods.has("GET");
  return {
    on: "method",
    wants: `method ${[...methods].join(" or ")}`,
    holds: ({ head: { method } }) => methods.has(method) || (heads && method === "HEAD"),
    got: ({ head }) => head.method,
  };
}

function protocolCondition(grpc: boolean): Condition {
  return {
    on: "protocol",
    wants: grpc ? "a call of gRPC" : "no call of gRPC",
    holds: (question) => question.isGrpc === grpc,
    got: (question) => (question.isGrpc ? "gRPC" : "not gRPC"),
  };
}

/** Holds for requests whose operation nobody has looked at yet: whoever asked is told to look. */
function operationCondition({ type, name }: OperationMatch): Condition {
  const nameHolds = name === undefined ? () => true : textTest(name);
  const named = name === undefined ? "" : ` whose name ${SIGNS[name.type]} ${name.value}`;
  return {
    on: "operation",
    wants: `${type === undefined ? "an operation" : `a ${type}`}${named}`,
    holds({ operation }) {
      if (operation === undefined) return true;
      return operation !== "none" && (type === undefined || operation.type === type) && nameHolds(operation.name);
    },
    got({ operation }) {
      if (operation === undefined || operation === "none") return "none";
      return `${operation.type} ${JSON.stringify(operation.name)}`;
    },
  };
}

/** Takes one text from a request; undefined: it is not there. `host`: the authority without its port. */
export type ValueOf = (question: Question, host: string) => string | undefined;

/** What a header's or a parameter's test is about. */
export function valueOf(on: "header" | "query", name: string): ValueOf {
  if (on === "query") return (question) => queryValue(question.query, name);
  if (name === "host" || name === ":authority") return (_question, host) => host;
  // Not a field of the message but of the connection: codecs keep it apart.
  if (name === "upgrade") return (question) => question.head.upgrade;
  return (question) => question.head.fields.get(name);
}

function valueCondition(on: "header" | "query", { name, test }: FieldMatch): Condition {
  const value = valueOf(on, name);
  const got = (question: Question, host: string): string => {
    const found = value(question, host);
    return found === undefined ? "absent" : JSON.stringify(found);
  };
  if (test.type === "present" || test.type === "absent") {
    const present = test.type === "present";
    const holds = (question: Question, host: string): boolean => (value(question, host) !== undefined) === present;
    return { on, wants: `${on} ${name} ${test.type}`, holds, got };
  }
  const matches = textTest(test);
  return {
    on,
    wants: `${on} ${name} ${SIGNS[test.type]} ${test.value}`,
    holds(question, host) {
      const found = value(question, host);
      return found !== undefined && matches(found);
    },
    got,
  };
}

const SIGNS = { exact: "=", prefix: "begins with", regex: "matches" } as const;

/** Compares a text; patterns have to match the whole of it. */
function textTest(test: TextMatch): (text: string) => boolean {
  const { type, value } = test;
  if (type === "exact") return (text) => text === value;
  if (type === "prefix") return (text) => text.startsWith(value);
  const pattern = mustCompile(value);
  return (text) => pattern.matches(text);
}
