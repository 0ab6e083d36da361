import type { Clock } from "@gatewright/ports";
import type { Aws } from "../create-aws.ts";
import { Agenda } from "./agenda.ts";
import { ALL_CERTIFICATES } from "./all-certificates.ts";
import type { Certificate } from "./certificate.ts";
import type { CertificateLog } from "./log.ts";
import { fromSummary } from "./read-certificate.ts";
import { proofName } from "./served-names.ts";
import type { CertificateSettings } from "./settings.ts";

interface Ground {
  readonly clock: Clock;
  readonly settings: CertificateSettings;
  readonly log: CertificateLog;
  /** A region was listed. */
  readonly listed: () => void;
}

/** When the listing began, and certificates by the name of the record that proves them. */
interface Listing {
  readonly at: number;
  readonly byProof: ReadonlyMap<string, readonly Certificate[]>;
}

const PAUSE_MS = 30_000;

/** Certificates of other regions, whose validation records are the same. Listed only when somebody asks. */
export class OtherRegions {
  readonly #ground: Ground;
  readonly #regions: ReadonlyMap<string, Pick<Aws, "acm">>;
  readonly #listings = new Map<string, Listing>();
  readonly #failing = new Set<string>();
  readonly #agenda: Agenda;

  constructor(regions: readonly Aws[], ground: Ground) {
    this.#ground = ground;
    this.#regions = new Map(regions.map((aws) => [aws.region, aws]));
    this.#agenda = new Agenda(ground.clock, 4, (region, signal) => this.#work(region, signal));
  }

  /** Those that need the same record as this name. `unknown`: they are being listed. */
  carrying(name: string): readonly Certificate[] | "unknown" {
    const limit = this.#ground.clock.monotonic() - this.#ground.settings.freshMs;
    const old = [...this.#regions.keys()].filter((region) => (this.#listings.get(region)?.at ?? -Infinity) < limit);
    for (const region of old) if (!this.#failing.has(region)) this.#agenda.put(region);
    if (old.length > 0) return "unknown";
    return [...this.#listings.values()].flatMap(({ byProof }) => byProof.get(proofName(name)) ?? []);
  }

  async run(signal: AbortSignal): Promise<void> {
    try {
      await this.#agenda.run(signal);
    } finally {
      this.#agenda.clear();
      this.#listings.clear();
      this.#failing.clear();
    }
  }

  async #work(region: string, signal: AbortSignal): Promise<void> {
    const aws = this.#regions.get(region);
    if (aws === undefined) return;
    const at = this.#ground.clock.monotonic();
    const byProof = new Map<string, Certificate[]>();
    try {
      for await (const summary of aws.acm.allCertificates(ALL_CERTIFICATES, { signal })) {
        const certificate = fromSummary(summary);
        if (certificate === undefined) continue;
        for (const proof of new Set(certificate.names.map(proofName))) {
          byProof.set(proof, [...(byProof.get(proof) ?? []), certificate]);
        }
      }
    } catch (error) {
      signal.throwIfAborted();
      this.#failing.add(region);
      this.#ground.log.warn("certificates of a region could not be listed", { region, error: String(error) });
      return this.#agenda.put(region, PAUSE_MS);
    }
    this.#failing.delete(region);
    this.#listings.set(region, { at, byProof });
    this.#ground.listed();
  }
}
