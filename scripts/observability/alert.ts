/** Something that a person should know of, as Prometheus is told of it. */
export interface Alert {
  readonly alert: string;
  readonly expr: string;
  /** For how long it has to be so. */
  readonly for: string;
  /** `critical`: users are, or will be, without service. `warning`: somebody waits, or will have to. */
  readonly severity: "critical" | "warning";
  readonly summary: string;
  readonly description: string;
  /** The section of the documentation that says what to do. */
  readonly runbook: string;
}

/** Where docs/observability.md says what to do about an alert. */
export const observabilityRunbook = (alert: string): string => `docs/observability.md#${alert.toLowerCase()}`;
