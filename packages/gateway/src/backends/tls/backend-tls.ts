import { readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { createSecureContext } from "node:tls";
import type { ConnectionOptions, SecureContext, SecureVersion } from "node:tls";
import type { Clock } from "@gatewright/ports";
import { confinedFile } from "../../configuration/confined-file.ts";
import type { Around } from "../../filters/around.ts";
import { cipherSuite } from "./cipher-suites.ts";

/** The field `tls` of backends. */
export interface BackendTlsSpec {
  readonly enabled: boolean;
  readonly mode?: string;
  readonly caFile?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
  readonly serverName?: string;
  readonly insecureSkipVerify?: boolean;
  readonly minVersion?: string;
  readonly maxVersion?: string;
  readonly cipherSuites?: readonly string[];
  readonly alpn?: readonly string[];
  readonly vault?: { readonly enabled: boolean };
}

/** How connections to a backend are secured, decided once: what is left to read are files. As JSON it is its content. */
export interface TlsPlan {
  readonly files: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  /** The directories that files are read within, and nowhere else. Undefined: anywhere. */
  readonly within?: readonly string[];
  readonly verifies: boolean;
  readonly serverName?: string;
  readonly minVersion: SecureVersion;
  readonly maxVersion?: SecureVersion;
  readonly ciphers?: string;
  readonly protocols?: readonly string[];
}

const VERSIONS: ReadonlyMap<string, SecureVersion> = new Map([
  ["TLS12", "TLSv1.2"],
  ["TLS13", "TLSv1.3"],
]);

/** What a backend's `tls`, and the certificate of its `authentication.mtls`, come to. Undefined: no TLS. */
export function tlsPlan(
  tls: BackendTlsSpec | undefined,
  certificate: { readonly certFile?: string; readonly keyFile?: string; readonly caFile?: string } | undefined,
  note: Around["note"],
): TlsPlan | undefined {
  if (tls?.enabled !== true && certificate === undefined) return undefined;
  if (tls?.vault?.enabled === true) {
    const message = "certificates from Vault are not supported here: name files";
    note({ field: "spec.tls.vault", message, severity: "warning" });
  }
  const ciphers = knownCiphers(tls?.cipherSuites, note);
  const ca = filled(certificate?.caFile) ?? filled(tls?.caFile);
  const cert = filled(certificate?.certFile) ?? filled(tls?.certFile);
  const key = filled(certificate?.keyFile) ?? filled(tls?.keyFile);
  const serverName = filled(tls?.serverName);
  const maxVersion = VERSIONS.get(tls?.maxVersion ?? "");
  return {
    files: { ...(ca !== undefined && { ca }), ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) },
    verifies: tls?.mode !== "INSECURE" && tls?.insecureSkipVerify !== true,
    ...(serverName !== undefined && { serverName }),
    minVersion: VERSIONS.get(tls?.minVersion ?? "") ?? "TLSv1.2",
    ...(maxVersion !== undefined && { maxVersion }),
    ...(ciphers !== undefined && { ciphers }),
    ...(tls?.alpn !== undefined && tls.alpn.length > 0 && { protocols: tls.alpn }),
  };
}

const filled = (text: string | undefined): string | undefined => (text === "" ? undefined : text);

function knownCiphers(names: readonly string[] | undefined, note: Around["note"]): string | undefined {
  if (names === undefined || names.length === 0) return undefined;
  const known = names.map(cipherSuite);
  known.forEach((found, at) => {
    if (found !== undefined) return;
    const message = "this cipher suite is not known here";
    note({ field: `spec.tls.cipherSuites[${at}]`, message, severity: "warning" });
  });
  const left = known.filter((name) => name !== undefined);
  if (left.length > 0) return left.join(":");
  note({ field: "spec.tls.cipherSuites", message: "none of these cipher suites is known here", severity: "error" });
  return undefined;
}

/** How often it is looked whether files have changed, at most. */
const LOOK_MS = 1000;

/** Gives the options of new connections. Files are read again when they change; when they become unreadable, the last good ones stay. */
export class BackendTls {
  readonly #plan: TlsPlan;
  readonly #clock: Clock;
  readonly #host: string;
  #context: SecureContext | undefined;
  #stamp = "";
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(plan: TlsPlan, host: string, clock: Clock) {
    this.#plan = plan;
    this.#host = host;
    this.#clock = clock;
  }

  /** Throws when files cannot be read and never could. */
  options(): ConnectionOptions {
    const { verifies, serverName, protocols } = this.#plan;
    const name = serverName ?? (isIP(this.#host) === 0 ? this.#host : undefined);
    return {
      secureContext: this.#current(),
      rejectUnauthorized: verifies,
      ...(name !== undefined && { servername: name }),
      ...(protocols !== undefined && protocols.length > 0 && { ALPNProtocols: [...protocols] }),
    };
  }

  #current(): SecureContext {
    const now = this.#clock.monotonic();
    if (this.#context !== undefined && now - this.#lookedAt < LOOK_MS) return this.#context;
    this.#lookedAt = now;
    try {
      const stamp = Object.values(this.#plan.files).map(stampOf).join(" ");
      if (this.#context === undefined || stamp !== this.#stamp) this.#context = this.#read();
      this.#stamp = stamp;
    } catch (error) {
      // Half-written files are read whole the next time; until then what was good is good enough.
      if (this.#context === undefined) throw error;
    }
    return this.#context;
  }

  #read(): SecureContext {
    const { files, within, minVersion, maxVersion, ciphers } = this.#plan;
    const content = (file: string): Buffer => readFileSync(within === undefined ? file : confinedFile(file, within));
    return createSecureContext({
      ...(files.ca !== undefined && { ca: content(files.ca) }),
      ...(files.cert !== undefined && { cert: content(files.cert) }),
      ...(files.key !== undefined && { key: content(files.key) }),
      minVersion,
      ...(maxVersion !== undefined && { maxVersion }),
      ...(ciphers !== undefined && { ciphers }),
    });
  }
}

function stampOf(file: string): string {
  const { mtimeMs, ctimeMs, size, ino } = statSync(file);
  return `${ino}:${size}:${mtimeMs}:${ctimeMs}`;
}
