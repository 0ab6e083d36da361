import type { Commit, Records, State } from "../state/state.ts";
import { certificatePrefix } from "./arn.ts";
import type { Place } from "./arn.ts";
import type { CertificateRecord, Material } from "./records.ts";
import { notFound, patternMismatch } from "./refusals.ts";

/** A request that is remembered by its token. */
interface RememberedRequest {
  readonly arn: string;
  readonly at: number;
}

/** What an account chose for a region. */
interface AccountConfiguration {
  readonly daysBeforeExpiry: number;
  readonly token?: string;
}

/** A token is remembered for so long. */
export const TOKEN_LIFE = 3_600_000;

const ARN_PATTERN = "arn:[\\w+=/,.@-]+:acm:[\\w+=/,.@-]*:[0-9]+:[\\w+=,.@-]+(/[\\w+=,.@-]+)*";
const ARN = new RegExp(`^${ARN_PATTERN}$`);

/** All that ACM remembers. Certificates and their material are keyed by ARN, the rest by account, region and what follows. */
export class AcmStore {
  readonly certificates: Records<CertificateRecord>;
  readonly materials: Records<Material>;
  /** Keyed by place, token and what was asked for. */
  readonly tokens: Records<RememberedRequest>;
  /** When certificates were requested or imported, for the quota of a year. Keyed by place, origin, moment and id. */
  readonly requests: Records<true>;
  readonly configurations: Records<AccountConfiguration>;
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
    this.certificates = state.records("acm/certificates");
    this.materials = state.records("acm/materials");
    this.tokens = state.records("acm/tokens");
    this.requests = state.records("acm/requests");
    this.configurations = state.records("acm/configurations");
  }

  commit(change: (commit: Commit) => void): Promise<void> {
    return this.#state.commit(change);
  }

  /** The certificate of an ARN; refuses what is none, and what is not of the caller's account and region. */
  certificate(place: Place, arn: string, path = "certificateArn"): CertificateRecord {
    if (!ARN.test(arn)) throw patternMismatch(arn, path, ARN_PATTERN);
    const found = arn.startsWith(certificatePrefix(place)) ? this.certificates.get(arn) : undefined;
    if (found === undefined) throw notFound(arn, place.account);
    return found;
  }

  /** Forgets tokens whose time is over. */
  async sweepTokens(now: number): Promise<void> {
    const over = this.tokens.list().filter(([, { at }]) => now >= at + TOKEN_LIFE);
    if (over.length === 0) return;
    await this.commit((commit) => {
      for (const [key] of over) commit.delete(this.tokens, key);
    });
  }

  certificatesIn(place: Place): readonly CertificateRecord[] {
    return this.certificates.list(certificatePrefix(place)).map(([, record]) => record);
  }
}

/** What keys of a place begin with. */
export function placeKey({ account, region }: Place): string {
  return `${account}|${region}|`;
}
