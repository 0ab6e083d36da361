/** How a service speaks: what its requests and answers look like on the wire. */
export type Protocol = "json" | "query" | "ec2" | "rest-xml";

export type TimestampFormat = "iso8601" | "unixTimestamp" | "rfc822";

/** A use of a shape: as a member of a structure, as what a list or a map holds. */
export interface ShapeUse {
  readonly shape: string;
  /** The name on the wire, where it is not the member's. */
  readonly name?: string;
  /** Where in a REST request or answer it is, when not in the body. */
  readonly in?: "uri" | "querystring" | "header" | "headers" | "statusCode";
  /** Items follow each other without an element around them. */
  readonly flattened?: boolean;
  readonly attribute?: boolean;
  readonly namespace?: { readonly uri: string; readonly prefix?: string };
  /** The name in EC2's requests, which are spelled otherwise than its answers. */
  readonly queryName?: string;
  readonly timestampFormat?: TimestampFormat;
  /** A client that leaves it out sends a random one. */
  readonly token?: boolean;
}

interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

export interface StructureShape {
  readonly type: "structure";
  readonly members: Readonly<Record<string, ShapeUse>>;
  readonly required?: readonly string[];
  /** The member that is the whole body. */
  readonly payload?: string;
  /** The name of the element around it in XML. */
  readonly name?: string;
  readonly error?: { readonly code: string; readonly status: number };
}

export type Shape =
  | StructureShape
  | ({ readonly type: "list"; readonly member: ShapeUse; readonly flattened?: boolean } & Bounds)
  | ({ readonly type: "map"; readonly key: ShapeUse; readonly value: ShapeUse; readonly flattened?: boolean } & Bounds)
  | ({ readonly type: "string"; readonly enum?: readonly string[]; readonly pattern?: string } & Bounds)
  | ({ readonly type: "integer" | "long" | "float" | "double" } & Bounds)
  | { readonly type: "boolean" | "blob" }
  | { readonly type: "timestamp"; readonly timestampFormat?: TimestampFormat };

export interface OperationModel {
  readonly method: string;
  /** With `{Member}` and `{Member+}` to be filled, for REST. */
  readonly uri: string;
  readonly status?: number;
  readonly input?: string;
  /** The element around the body of a REST request. */
  readonly inputName?: string;
  readonly inputNamespace?: string;
  readonly output?: string;
  readonly resultWrapper?: string;
  readonly errors?: readonly string[];
}

/** The interface of one AWS service, as far as it is used here. Generated from the published models. */
export interface ServiceModel {
  readonly name: string;
  readonly protocol: Protocol;
  readonly apiVersion: string;
  readonly signingName: string;
  readonly jsonVersion?: string;
  readonly targetPrefix?: string;
  readonly xmlNamespace?: string;
  /** Errors also carry the code that the service used before it spoke JSON. */
  readonly queryCompatible?: boolean;
  readonly operations: Readonly<Record<string, OperationModel>>;
  readonly shapes: Readonly<Record<string, Shape>>;
}

/** The shape of a name. Throws when the model has none, which only a broken model can lead to. */
export function shapeOf(model: ServiceModel, name: string): Shape {
  const shape = model.shapes[name];
  if (!shape) throw new Error(`${model.name} has no shape ${name}`);
  return shape;
}
