import { createSecureContext } from "node:tls";
import type { SecureContext, SecureContextOptions } from "node:tls";
import type { CancelTimer, Clock } from "@gatewright/ports";
import { CertificateChoice } from "./certificate-choice.ts";
import { ListenerError } from "./listener-error.ts";
import type { CertificateFiles, ListenerTls } from "./listener-settings.ts";
import { contextOptions, filesOf, loadCertificate, readAuthorities, stampOf } from "./tls-files.ts";
import type { GivenCertificate, LoadedCertificate } from "./tls-files.ts";

const CHECK_MS = 10_000;

/** Who uses the certificates. */
export interface TlsUser {
  readonly clock: Clock;
  /** The listener's name. */
  readonly name: string;
  /** New handshakes should use this where no host is named. */
  changed(fallback: SecureContextOptions): void;
  /** Something cannot be used as its files are; what was used before is used on. */
  fault(error: ListenerError): void;
  /** Certificates from elsewhere. They come first. */
  readonly certificateFor?: (host: string) => GivenCertificate | undefined;
}

/**
 * The certificates of a listener, read again when their files change. A bad file changes nothing: the last good content stays.
 * Each reading makes new contexts with new keys of tickets, so that no session is resumed that older authorities vouched for.
 */
export class ReloadingTls {
  readonly #tls: ListenerTls;
  readonly #user: TlsUser;
  readonly #good = new Map<CertificateFiles, LoadedCertificate>();
  #given = new WeakMap<GivenCertificate, SecureContext>();
  #choice: CertificateChoice<LoadedCertificate> | undefined;
  #stamp = "";
  #ca: string | undefined;
  #cancel: CancelTimer = () => {};
  #isStopped = false;

  constructor(tls: ListenerTls, user: TlsUser) {
    this.#tls = tls;
    this.#user = user;
  }

  /** Reads everything, and goes on to look for changes until `stop`. Rejects with a `ListenerError` when no certificate is good. */
  async start(): Promise<void> {
    this.#stamp = await stampOf(filesOf(this.#tls));
    await this.#load();
    if (this.#choice === undefined)
      throw new ListenerError("certificate", this.#user.name, "it has no usable certificate", "name the files of one");
    this.#wait();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  /** For a handshake with a client that names this host. */
  contextFor(serverName: string): SecureContext | undefined {
    const name = serverName.toLowerCase();
    const given = this.#user.certificateFor?.(name);
    return given === undefined ? this.#choice?.of(name).context : this.#contextOf(given);
  }

  /** Whether a request for this host may come by a connection that was made for that one: the same certificate is for both. */
  belongTogether(serverName: string, host: string): boolean {
    const choice = this.#choice;
    const name = serverName.toLowerCase();
    const [shown, wanted] = [this.#user.certificateFor?.(name), this.#user.certificateFor?.(host)];
    if (shown !== undefined || wanted !== undefined)
      return shown?.certificate === wanted?.certificate && shown?.key === wanted?.key;
    if (choice === undefined || this.#good.size < 2) return true;
    return choice.of(name) === choice.of(host);
  }

  /** Looks for changes at once. */
  async check(): Promise<void> {
    const stamp = await stampOf(filesOf(this.#tls));
    if (stamp === this.#stamp || this.#isStopped) return;
    this.#stamp = stamp;
    await this.#load();
  }

  #wait(): void {
    if (this.#isStopped) return;
    this.#cancel = this.#user.clock.timer(CHECK_MS, () => {
      void this.check().then(() => this.#wait());
    });
  }

  /** Never rejects for a reload: faults are told. The first time, a bad authority's file is fatal: nobody could be verified. */
  async #load(): Promise<void> {
    const { clientCertificates, certificates } = this.#tls;
    const caBefore = this.#ca;
    if (clientCertificates !== undefined) {
      try {
        this.#ca = await readAuthorities(clientCertificates.caFile);
      } catch (error) {
        const fault = this.#fault("the authorities of clients cannot be read", clientCertificates.caFile, error);
        if (caBefore === undefined) throw fault;
      }
    }
    for (const files of certificates) {
      try {
        this.#good.set(files, await loadCertificate(files, this.#tls, this.#ca));
      } catch (error) {
        this.#fault("a certificate cannot be used", `${files.certFile} and ${files.keyFile}`, error);
      }
    }
    const loaded = certificates.flatMap((files) => this.#good.get(files) ?? []);
    this.#given = new WeakMap();
    const [first] = loaded;
    if (first === undefined || this.#isStopped) return;
    this.#choice = new CertificateChoice(
      first,
      loaded.map((value) => ({ names: value.names, value })),
    );
    this.#user.changed(first.options);
  }

  #contextOf(given: GivenCertificate): SecureContext {
    let context = this.#given.get(given);
    if (context === undefined) {
      context = createSecureContext(contextOptions(given, this.#tls, this.#ca));
      this.#given.set(given, context);
    }
    return context;
  }

  #fault(what: string, files: string, error: unknown): ListenerError {
    const said = error instanceof Error ? error.message : String(error);
    const fault = new ListenerError("certificate", this.#user.name, what, `check ${files} (${said})`);
    this.#user.fault(fault);
    return fault;
  }
}
