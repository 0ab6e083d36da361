import { readFile } from "node:fs/promises";
import { isPair } from "@gatewright/certificates";
import type { KeyPair } from "@gatewright/certificates";
import { sleep } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import type { Log, Metrics } from "@gatewright/telemetry";
import { WEBHOOK_METRICS } from "../../telemetry/metric-definitions.ts";
import type { CertificateSource } from "./certificate-source.ts";
import { Listeners } from "./listeners.ts";

export interface CertificateFilesOptions {
  readonly certificateFile: string;
  readonly keyFile: string;
  /** The authorities by which callers should know the server. Without it somebody else tells them, as cert-manager does. */
  readonly authorityFile?: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics?: Metrics;
  /** How often the files are looked at. Default: 10 s. */
  readonly pollMs?: number;
}

/**
 * A certificate that somebody else keeps in files, such as a mounted Secret. A pair that does not belong together (its files are
 * being replaced) or cannot be read is passed over, and the one before stays.
 */
export function certificateFiles(options: CertificateFilesOptions): CertificateSource {
  const { certificateFile, keyFile, authorityFile, clock, log, metrics, pollMs = 10_000 } = options;
  const reads = metrics?.counter(WEBHOOK_METRICS.certificateReads);
  const failures = metrics?.counter(WEBHOOK_METRICS.certificateReadErrors);
  const listeners = new Listeners();
  let pair: KeyPair | undefined;
  let bundle: string | undefined;

  async function read(): Promise<void> {
    const [certificate, key, authorities] = await Promise.all([
      readFile(certificateFile, "utf8"),
      readFile(keyFile, "utf8"),
      authorityFile === undefined ? undefined : readFile(authorityFile, "utf8"),
    ]);
    if (certificate === pair?.certificate && key === pair.key && authorities === bundle) return;
    if (!isPair({ certificate, key })) throw new Error("the key is not the one of the certificate");
    [pair, bundle] = [{ certificate, key }, authorities];
    log.info("The server's certificate was read", { file: certificateFile });
    listeners.tell();
  }

  return {
    current: () => pair,
    bundle: () => bundle,
    subscribe: (changed) => listeners.add(changed),
    confirm() {},
    async run(signal) {
      let failing = false;
      while (!signal.aborted) {
        reads?.inc();
        try {
          await read();
          failing = false;
        } catch (error) {
          failures?.inc();
          if (!failing) log.error("The server's certificate cannot be read", { file: certificateFile, error });
          failing = true;
        }
        await sleep(clock, pollMs, signal).catch(() => {}); // aborted: the loop sees it
      }
    },
  };
}
