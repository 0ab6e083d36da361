/** The kinds that a gateway is configured with. */
export const OBJECT_KINDS = [
  "APIRoute",
  "GRPCRoute",
  "GraphQLRoute",
  "Backend",
  "GRPCBackend",
  "GraphQLBackend",
] as const;

export type ObjectKind = (typeof OBJECT_KINDS)[number];

/** An object as a file or a stream gave it. Its `spec` is untrusted until it was checked against its kind's schema. */
export interface GivenObject {
  readonly kind: ObjectKind;
  readonly namespace: string;
  readonly name: string;
  /** Changes when the content does; for acknowledgements. */
  readonly version: string;
  readonly spec: unknown;
  /** For precedence between equal routes: older first. Absent: the newest. RFC 3339. */
  readonly createdAt?: string;
  /** It comes from a file of the gateway's own, whose writer has the machine: it may name files. Others name those that settings allow. */
  readonly isLocal?: true;
}

/** What is wrong with an object, or not supported here. An object with an error is left out; the others apply. */
export interface Finding {
  readonly kind: ObjectKind;
  readonly namespace: string;
  readonly name: string;
  readonly version: string;
  readonly severity: "error" | "warning";
  /** `spec.match[0].uri.regex`. */
  readonly field: string;
  readonly message: string;
}
