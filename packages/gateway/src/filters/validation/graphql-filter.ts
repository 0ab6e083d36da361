import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from "graphql";
import type { Answer } from "../../exchange/answer.ts";
import { bytesSource } from "../../exchange/bodies.ts";
import { Fields } from "../../exchange/fields.ts";
import type { Call } from "../../pipeline/call.ts";
import type { Filter } from "../../pipeline/filter.ts";
import type { Around } from "../around.ts";
import { closedFilter } from "../closed-filter.ts";
import { graphqlLibrary } from "./graphql-library.ts";
import { graphqlRequest } from "./graphql-request.ts";
import type { GraphqlRequest, NotGraphql } from "./graphql-request.ts";
import type { GraphqlLimitsSpec } from "./graphql-spec.ts";
import { GraphqlFragmentError, graphqlWeight } from "./graphql-weight.ts";

/** What a route's checks read files with. */
export interface ReadingFiles {
  /** The text of a file on the gateway's machine. Throws. */
  readonly readFile: (path: string) => string;
}

/** How many tokens a document may have: reading it takes time, and validating it takes more. */
const MAX_TOKENS = 10_000;
const MAX_ERRORS = 5;

/** Whether there is anything to check. */
function checksAnything(spec: GraphqlLimitsSpec): boolean {
  return (
    (spec.depthLimit ?? 0) > 0 ||
    (spec.complexityLimit ?? 0) > 0 ||
    spec.introspectionEnabled === false ||
    (spec.allowedOperations ?? []).length > 0 ||
    spec.schemaValidation?.enabled === true
  );
}

/**
 * Lets only those operations through that a GraphQLRoute allows: their types, depth, number of fields, introspection, and that they fit
 * the schema. Connections that become WebSockets cannot be looked into: they pass only when subscriptions are allowed by name. A schema
 * that cannot be read closes the route.
 */
export function graphqlFilter(
  spec: GraphqlLimitsSpec,
  around: Pick<Around, "note"> & ReadingFiles,
): Filter | undefined {
  if (!checksAnything(spec)) return undefined;
  const schema = schemaOf(spec, around);
  if (schema === "closed") return closedFilter("graphql");
  const allowed = new Set((spec.allowedOperations ?? []).map((type) => type.toLowerCase()));
  return {
    name: "graphql",
    request(call) {
      if (call.head.upgrade !== undefined)
        return allowed.has("subscription") ? undefined : refused(403, "subscriptions are not allowed here");
      if (call.head.method === "OPTIONS") return undefined;
      return checkCall(call, spec, allowed, schema);
    },
  };
}

function isRead(call: Call): boolean {
  return call.head.method === "GET" || call.head.method === "HEAD";
}

async function checkCall(
  call: Call,
  spec: GraphqlLimitsSpec,
  allowed: ReadonlySet<string>,
  schema: GraphQLSchema | undefined,
): Promise<Answer | undefined> {
  const request = await graphqlRequest(call);
  if ("answer" in request) return request.answer;
  if ("status" in request) return refused(request.status, request.message);
  const parsed = parsedOf(request);
  if ("status" in parsed) return refused(parsed.status, parsed.message);
  const { document, operation } = parsed;
  const type = operation.operation;
  if (isRead(call) && type !== "query") return refused(405, "this operation needs POST");
  if (allowed.size > 0 && !allowed.has(type)) return refused(403, `a ${type} is not allowed here`);
  const heavy = tooHeavy(document, operation, spec);
  if (heavy !== undefined) return refused(heavy.status, heavy.message);
  const wrong = schema === undefined ? undefined : misfit(schema, document, operation, request, spec);
  if (wrong === undefined) return undefined;
  if (spec.schemaValidation?.failOnError !== false) return refused(400, wrong);
  call.trail.flag = "invalid_request";
  return undefined;
}

function parsedOf(
  request: GraphqlRequest,
): { readonly document: DocumentNode; readonly operation: OperationDefinitionNode } | NotGraphql {
  const { parse } = graphqlLibrary();
  let document: DocumentNode;
  try {
    document = parse(request.query, { maxTokens: MAX_TOKENS, noLocation: true });
  } catch {
    // What a parser says about a client's text is of no use to anyone but that client.
    return { status: 400, message: "the document cannot be read" };
  }
  const operations = document.definitions.filter((definition) => definition.kind === "OperationDefinition");
  const { operationName } = request;
  const named = operations.filter(({ name }) => operationName === undefined || name?.value === operationName);
  const [operation] = named;
  if (operation === undefined || named.length > 1)
    return { status: 400, message: "it is not clear which operation is meant" };
  return { document, operation };
}

function tooHeavy(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  spec: GraphqlLimitsSpec,
): NotGraphql | undefined {
  const { depthLimit = 0, complexityLimit = 0 } = spec;
  try {
    const weight = graphqlWeight(document, operation);
    if (depthLimit > 0 && weight.depth > depthLimit)
      return { status: 400, message: `the operation is deeper than ${depthLimit} fields` };
    if (complexityLimit > 0 && weight.fields > complexityLimit)
      return { status: 400, message: `the operation asks for more than ${complexityLimit} fields` };
    if (spec.introspectionEnabled === false && weight.introspects)
      return { status: 403, message: "introspection is not allowed here" };
    return undefined;
  } catch (error) {
    if (!(error instanceof GraphqlFragmentError) && !(error instanceof RangeError)) throw error;
    return { status: 400, message: "the document cannot be read" };
  }
}

/** Why an operation does not fit the schema. Names of the schema are told only to those who may ask for it anyway. */
function misfit(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  { variables }: GraphqlRequest,
  spec: GraphqlLimitsSpec,
): string | undefined {
  const { OverlappingFieldsCanBeMergedRule, getVariableValues, specifiedRules, validate } = graphqlLibrary();
  // This rule takes time that grows with the square of the document; backends apply it.
  const rules = specifiedRules.filter((rule) => rule !== OverlappingFieldsCanBeMergedRule);
  let errors: readonly { readonly message: string }[] = validate(schema, document, rules, { maxErrors: MAX_ERRORS });
  if (errors.length === 0 && spec.schemaValidation?.validateVariables === true)
    errors =
      getVariableValues(schema, operation.variableDefinitions ?? [], variables, { maxErrors: MAX_ERRORS }).errors ?? [];
  const [first] = errors;
  if (first === undefined) return undefined;
  return spec.introspectionEnabled === false ? "the operation does not fit the schema" : first.message;
}

function schemaOf(
  spec: GraphqlLimitsSpec,
  around: Pick<Around, "note"> & ReadingFiles,
): GraphQLSchema | "closed" | undefined {
  const given = spec.schemaValidation;
  if (given?.enabled !== true) return undefined;
  const wrong = (field: string, message: string): "closed" => {
    around.note({ field: `spec.schemaValidation.${field}`, message, severity: "error", closed: true });
    return "closed";
  };
  const field = given.schemaInline !== undefined && given.schemaInline !== "" ? "schemaInline" : "schemaFile";
  let text = given.schemaInline ?? "";
  if (field === "schemaFile") {
    if (given.schemaFile === undefined || given.schemaFile === "")
      return wrong("schemaInline", "there is no schema; those of ConfigMaps are filled in by the operator");
    try {
      text = around.readFile(given.schemaFile);
    } catch {
      return wrong("schemaFile", "the file cannot be read");
    }
  }
  try {
    return graphqlLibrary().buildSchema(text);
  } catch (error) {
    return wrong(field, error instanceof Error ? error.message : "is no schema");
  }
}

/** As clients of GraphQL read errors. */
function refused(status: number, message: string): Answer {
  const body = Buffer.from(JSON.stringify({ errors: [{ message }] }));
  return {
    status,
    fields: new Fields(["content-type", "application/json; charset=utf-8"]),
    body: bytesSource(body),
    origin: "graphql_refused",
  };
}
