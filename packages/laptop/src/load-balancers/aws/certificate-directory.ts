import { isAbsent } from "@gatewright/aws";
import type { Aws } from "@gatewright/aws";
import type { Clock } from "@gatewright/ports";
import type { KnownCertificate } from "../model/listener-certificates.ts";

const LIST_MS = 60_000;
const IMPORTED_MS = 5 * 60_000;
const ISSUED_MS = 10 * 3_600_000;

/** Without them the list has certificates with RSA keys of 2048 bits alone. */
const KEY_TYPES = [
  "RSA_1024",
  "RSA_2048",
  "RSA_3072",
  "RSA_4096",
  "EC_prime256v1",
  "EC_secp384r1",
  "EC_secp521r1",
] as const;

interface Remembered<T> {
  readonly value: T;
  readonly until: number;
}

/**
 * The certificates that are issued, and their names. What it says may be a minute old: a certificate that was just issued is not
 * found at once.
 */
export class CertificateDirectory {
  readonly #aws: Aws;
  readonly #clock: Clock;
  readonly #names = new Map<string, Remembered<readonly string[]>>();
  #list: Remembered<readonly string[]> | undefined;

  constructor(aws: Aws, clock: Clock) {
    this.#aws = aws;
    this.#clock = clock;
  }

  async issued(signal: AbortSignal): Promise<readonly KnownCertificate[]> {
    const found: KnownCertificate[] = [];
    for (const arn of await this.#arns(signal)) {
      const names = await this.#namesOf(arn, signal);
      if (names !== undefined) found.push({ arn, names });
    }
    return found;
  }

  async #arns(signal: AbortSignal): Promise<readonly string[]> {
    const now = this.#clock.monotonic();
    if (this.#list !== undefined && now < this.#list.until) return this.#list.value;
    const arns: string[] = [];
    const asked = { CertificateStatuses: ["ISSUED"], Includes: { keyTypes: KEY_TYPES } };
    for await (const { CertificateArn } of this.#aws.acm.allCertificates(asked, { signal })) {
      if (CertificateArn !== undefined) arns.push(CertificateArn);
    }
    this.#list = { value: arns, until: now + LIST_MS };
    const there = new Set(arns);
    for (const arn of this.#names.keys()) if (!there.has(arn)) this.#names.delete(arn);
    return arns;
  }

  async #namesOf(arn: string, signal: AbortSignal): Promise<readonly string[] | undefined> {
    const now = this.#clock.monotonic();
    const remembered = this.#names.get(arn);
    if (remembered !== undefined && now < remembered.until) return remembered.value;
    try {
      const { Certificate: told } = await this.#aws.acm.describeCertificate({ CertificateArn: arn }, { signal });
      const names = [...new Set([told?.DomainName ?? [], told?.SubjectAlternativeNames ?? []].flat())];
      this.#names.set(arn, { value: names, until: now + (told?.Type === "IMPORTED" ? IMPORTED_MS : ISSUED_MS) });
      return names;
    } catch (error) {
      // It went after the list was made.
      if (isAbsent(error)) return undefined;
      throw error;
    }
  }
}
