/** `transform` of an APIRoute. */
export interface TransformSpec {
  readonly request?: RequestTransformSpec;
  readonly response?: ResponseTransformSpec;
}

export interface RequestTransformSpec {
  readonly staticHeaders?: Readonly<Record<string, string>>;
  readonly dynamicHeaders?: readonly { readonly name: string; readonly source: string }[];
  readonly injectFields?: readonly { readonly field: string; readonly source?: string; readonly value?: unknown }[];
  readonly removeFields?: readonly string[];
  readonly defaultValues?: Readonly<Record<string, unknown>>;
  readonly template?: string;
  /** The body stays as it is; only header fields are changed. */
  readonly passthroughBody?: boolean;
  /** A body that is not JSON is refused with 400. Otherwise it passes as it is. */
  readonly validateBeforeTransform?: boolean;
}

export interface ResponseTransformSpec {
  readonly allowFields?: readonly string[];
  readonly denyFields?: readonly string[];
  readonly fieldMappings?: Readonly<Record<string, string>>;
  readonly flattenFields?: readonly string[];
  readonly groupFields?: readonly { readonly name: string; readonly fields: readonly string[] }[];
  readonly arrayOperations?: readonly ArrayOperationSpec[];
  /** How the template's result and the body become one; `ndjson` writes an array as lines. */
  readonly mergeStrategy?: string;
  readonly template?: string;
}

export interface ArrayOperationSpec {
  readonly field: string;
  readonly operation: string;
  /** For `filter`: CEL over `item` and `index`, as in `item.price > 10`. */
  readonly condition?: string;
  /** `append`, `prepend`: the new item. `sort`: the field to sort by, `-` before it for the reverse. `limit`: how many. */
  readonly value?: unknown;
}
