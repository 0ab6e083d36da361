import type { OperationModel, ServiceModel, Shape, ShapeUse } from "../../packages/aws-wire/src/model.ts";
import type { PublishedModel, PublishedOperation, PublishedShape, PublishedUse } from "./published-model.ts";
import { QUERY_ERROR_CODES } from "./query-error-codes.ts";
import type { UsedService } from "./services.ts";

/** A service's model cut down to the operations that are used and the shapes that they reach. */
export function serviceModel(published: PublishedModel, used: UsedService): ServiceModel {
  const names = used.operations === "all" ? Object.keys(published.operations) : used.operations;
  const operations: Record<string, OperationModel> = {};
  const wanted: string[] = [];
  for (const name of [...names].sort()) {
    const operation = published.operations[name];
    if (!operation) throw new Error(`${used.name} has no operation ${name}`);
    operations[name] = operationModel(operation);
    wanted.push(
      ...[operation.input, operation.output, ...(operation.errors ?? [])].flatMap((use) => (use ? [use.shape] : [])),
    );
  }
  const shapes = new Map<string, Shape>();
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    if (shapes.has(name)) continue;
    const shape = published.shapes[name];
    if (!shape) throw new Error(`${used.name} has no shape ${name}`);
    shapes.set(name, shapeModel(used.name, name, shape));
    const uses = [...Object.values(shape.members ?? {}), shape.member, shape.key, shape.value];
    wanted.push(...uses.flatMap((use) => (use ? [use.shape] : [])));
  }
  const { metadata } = published;
  return {
    name: used.name,
    protocol: metadata.protocol,
    apiVersion: metadata.apiVersion,
    signingName: metadata.signingName ?? metadata.endpointPrefix,
    ...(metadata.jsonVersion !== undefined && { jsonVersion: metadata.jsonVersion }),
    ...(metadata.targetPrefix !== undefined && { targetPrefix: metadata.targetPrefix }),
    ...(metadata.xmlNamespace !== undefined && { xmlNamespace: metadata.xmlNamespace }),
    ...(metadata.awsQueryCompatible && { queryCompatible: true }),
    operations,
    shapes: Object.fromEntries([...shapes].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function operationModel({ http, input, output, errors }: PublishedOperation): OperationModel {
  return {
    method: http.method,
    uri: http.requestUri,
    ...(http.responseCode !== undefined && http.responseCode !== 200 && { status: http.responseCode }),
    ...(input && { input: input.shape }),
    ...(input?.locationName !== undefined && { inputName: input.locationName }),
    ...(input?.xmlNamespace && { inputNamespace: input.xmlNamespace.uri }),
    ...(output && { output: output.shape }),
    ...(output?.resultWrapper !== undefined && { resultWrapper: output.resultWrapper }),
    ...(errors?.length && { errors: errors.map(({ shape }) => shape).sort() }),
  };
}

function use(published: PublishedUse): ShapeUse {
  return {
    shape: published.shape,
    ...(published.locationName !== undefined && { name: published.locationName }),
    ...(published.location !== undefined && { in: published.location }),
    ...(published.flattened === true && { flattened: true }),
    ...(published.xmlAttribute === true && { attribute: true }),
    ...(published.xmlNamespace && { namespace: published.xmlNamespace }),
    ...(published.queryName !== undefined && { queryName: published.queryName }),
    ...(published.timestampFormat !== undefined && { timestampFormat: published.timestampFormat }),
    ...(published.idempotencyToken === true && { token: true }),
  };
}

function shapeModel(service: string, name: string, shape: PublishedShape): Shape {
  const bounds = {
    ...(shape.min !== undefined && { min: shape.min }),
    ...(shape.max !== undefined && { max: shape.max }),
  };
  const flattened = shape.flattened === true && { flattened: true };
  switch (shape.type) {
    case "structure":
      return {
        type: "structure",
        members: Object.fromEntries(Object.entries(shape.members ?? {}).map(([member, its]) => [member, use(its)])),
        ...(shape.required?.length && { required: shape.required }),
        ...(shape.payload !== undefined && { payload: shape.payload }),
        ...(shape.locationName !== undefined && { name: shape.locationName }),
        ...(shape.exception === true && {
          error: QUERY_ERROR_CODES[service]?.[name] ?? {
            code: shape.error?.code ?? name,
            status: shape.error?.httpStatusCode ?? 400,
          },
        }),
      };
    case "list":
      return { type: "list", member: use(shape.member!), ...flattened, ...bounds };
    case "map":
      return { type: "map", key: use(shape.key!), value: use(shape.value!), ...flattened, ...bounds };
    case "string":
    case "character":
      return {
        type: "string",
        ...(shape.enum && { enum: shape.enum }),
        ...(shape.pattern !== undefined && { pattern: shape.pattern }),
        ...bounds,
      };
    case "integer":
    case "long":
    case "float":
    case "double":
      return { type: shape.type, ...bounds };
    case "boolean":
    case "blob":
      return { type: shape.type };
    case "timestamp":
      return {
        type: "timestamp",
        ...(shape.timestampFormat !== undefined && { timestampFormat: shape.timestampFormat }),
      };
    default:
      throw new Error(`a shape of type ${shape.type} is not known`);
  }
}
