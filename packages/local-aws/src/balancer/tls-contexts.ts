import { createSecureContext } from "node:tls";
import type { SecureContext } from "node:tls";
import type { Certificates, ServingCertificate } from "../neighbours.ts";
import type { ListenerRecord } from "../elbv2/records.ts";
import { chooseCertificate } from "./certificate-choice.ts";

/** Certificates of listeners, ready for handshakes. Asked at each handshake, so that renewals and new ones count at once. */
export class TlsContexts {
  readonly #certificates: Certificates;
  readonly #made = new Map<string, { readonly chain: string; readonly context: SecureContext }>();

  constructor(certificates: Certificates) {
    this.#certificates = certificates;
  }

  /** What to show a client that asked for a name. Undefined when the listener has no certificate. */
  contextFor(listener: ListenerRecord, serverName: string | undefined): SecureContext | undefined {
    const found = this.#choose(listener, serverName);
    return found === undefined ? undefined : this.#context(found);
  }

  /** What to show a client that asked for no name. */
  defaultOf(listener: ListenerRecord): ServingCertificate | undefined {
    return this.#choose(listener, undefined);
  }

  #choose(
    { certificate, extraCertificates }: ListenerRecord,
    serverName: string | undefined,
  ): ServingCertificate | undefined {
    const arns = [...(certificate === undefined ? [] : [certificate]), ...extraCertificates];
    const held = arns.flatMap((arn) => this.#certificates.shown(arn) ?? []);
    return chooseCertificate(held, serverName);
  }

  #context({ arn, chain, key }: ServingCertificate): SecureContext {
    const before = this.#made.get(arn);
    if (before?.chain === chain) return before.context;
    const context = createSecureContext({ cert: chain, key });
    this.#made.set(arn, { chain, context });
    return context;
  }
}
