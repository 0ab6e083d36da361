/** One request as access logs tell it. */
export interface AccessEntry {
  readonly at: number;
  readonly loadBalancer: string;
  readonly listener: string;
  readonly client: string;
  readonly method: string;
  readonly host: string;
  readonly path: string;
  /** What the load balancer answered; 460 when the client left before. */
  readonly status: number;
  /** What the target answered, if one did. */
  readonly targetStatus?: number;
  readonly rule?: string;
  readonly group?: string;
  readonly target?: string;
  /** Why no target answered. */
  readonly problem?: string;
}
