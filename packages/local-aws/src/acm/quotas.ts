/** What an account may have in a region. */
export interface AcmQuotas {
  /** Certificates of one origin, issued or imported; expired, failed and pending ones count. */
  readonly certificates: number;
  /** Requests, or imports, within 365 days; what was deleted since counts. */
  readonly perYear: number;
  readonly namesPerCertificate: number;
}

/** What accounts have until they ask for more. */
export const DEFAULT_ACM_QUOTAS: AcmQuotas = { certificates: 2_500, perYear: 5_000, namesPerCertificate: 10 };
