/** The parts of Kubernetes' OpenAPI document that the type generator reads. */
export interface Swagger {
  readonly definitions: Readonly<Record<string, SwaggerDefinition>>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, SwaggerOperation>>>>;
}

export interface SwaggerKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface SwaggerDefinition {
  readonly properties?: Readonly<Record<string, SwaggerType>>;
  readonly required?: readonly string[];
  readonly "x-kubernetes-group-version-kind"?: readonly SwaggerKind[];
}

export interface SwaggerType {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: SwaggerType;
  readonly additionalProperties?: SwaggerType;
}

interface SwaggerOperation {
  readonly "x-kubernetes-action"?: string;
  readonly "x-kubernetes-group-version-kind"?: SwaggerKind;
}
