/** How often is looked, and what is believed for how long. Milliseconds; the defaults keep within 1 % of an account's rates. */
export interface CertificateSettings {
  /** Between two sweeps at the least. Default: 5 s. */
  readonly sweepMs: number;
  /** Between two sweeps when nothing is pending; up to a fifth more. Default: 10 min. */
  readonly restMs: number;
  /** From a request to the first look for its validation records. Default: 5 s. */
  readonly firstLookMs: number;
  /** How long after a request AWS may not know of the certificate everywhere. Default: 60 s. */
  readonly settleMs: number;
  /** How old a sweep may be that tells who carries a name. Default: 60 s. */
  readonly freshMs: number;
  /**
   * How old the knowledge of own tags may be when a certificate is requested. Must be well under the hour for which ACM remembers a
   * token: what is not yet in the tags is still known by its token. Default: 30 min.
   */
  readonly tagsMs: number;
  /** How long what nobody asks for is remembered. Default: 1 h. */
  readonly forgetMs: number;
}

export const DEFAULT_SETTINGS: CertificateSettings = {
  sweepMs: 5_000,
  restMs: 600_000,
  firstLookMs: 5_000,
  settleMs: 60_000,
  freshMs: 60_000,
  tagsMs: 1_800_000,
  forgetMs: 3_600_000,
};
