/** What an Ingress says and we do not do, or cannot understand. */
export interface IngressProblem {
  /** `metadata.annotations[avapigw.io/timeout]`, `spec.rules[0].http.paths[1].path`. */
  readonly field: string;
  readonly message: string;
  /** Whether nothing of the Ingress is served: what it asks for protects somebody, or cannot be served at all. */
  readonly fatal: boolean;
}

/** Takes problems down. */
export type Report = (problem: IngressProblem) => void;

export function annotationField(name: string): string {
  return `metadata.annotations[${name}]`;
}
