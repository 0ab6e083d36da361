/** What AWS's rates and batches let nobody do faster, for hostnames that are asked for at once. */
export interface Floor {
  readonly route53Requests: number;
  readonly acmCalls: number;
  /** Seconds that pacing alone takes: the slowest of the buckets. */
  readonly pacingSeconds: number;
}

const BATCH = 1_000;
const CHANGE_TOKENS = { capacity: 1_500, perSecond: 100 };
const REQUESTS_PER_SECOND = 5;
const DESCRIBES_PER_SECOND = 10;

/** Two changes a hostname, its validation and its alias; a request and a look for each certificate. */
export function floorOf(hostnames: number, namesPerCertificate: number): Floor {
  const certificates = Math.ceil(hostnames / namesPerCertificate);
  const changes = 2 * hostnames;
  const changing = Math.max(0, changes - CHANGE_TOKENS.capacity) / CHANGE_TOKENS.perSecond;
  return {
    route53Requests: Math.ceil(hostnames / BATCH) * 2,
    acmCalls: 2 * certificates,
    pacingSeconds: Math.max(changing, certificates / REQUESTS_PER_SECOND, certificates / DESCRIBES_PER_SECOND),
  };
}
