import { GOOD_STANDING } from "./outlier-ejection.ts";
import type { Standing } from "./outlier-ejection.ts";

/** What is known about one endpoint of a backend, whatever is edited around it. */
export class EndpointRecord {
  /** Round robin's memory. */
  turn = 0;
  standing: Standing = GOOD_STANDING;
  /** Requests and successes since rates were last compared. */
  asked = 0;
  succeeded = 0;

  ejectedAt(now: number): boolean {
    return this.standing.until > now;
  }

  /** A health check that it passes brings an endpoint back at once. */
  pardon(): void {
    if (this.standing.until !== 0) this.standing = { ...this.standing, failures: 0, until: 0 };
  }
}
