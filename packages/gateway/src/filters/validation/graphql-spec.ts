/** What a GraphQLRoute says about the operations that it lets through. */
export interface GraphqlLimitsSpec {
  /** How deep fields may nest. 0: any depth. */
  readonly depthLimit?: number;
  /** How many fields an operation may ask for, fragments written out. 0: any number. */
  readonly complexityLimit?: number;
  /** False: neither `__schema` nor `__type` may be asked for. */
  readonly introspectionEnabled?: boolean;
  /** Types of operations. Empty: all. */
  readonly allowedOperations?: readonly string[];
  readonly schemaValidation?: {
    readonly enabled?: boolean;
    /** False: what is wrong is noted in the log and let through. */
    readonly failOnError?: boolean;
    readonly schemaFile?: string;
    readonly schemaInline?: string;
    readonly schemaConfigMapRef?: object;
    readonly validateVariables?: boolean;
  };
}
