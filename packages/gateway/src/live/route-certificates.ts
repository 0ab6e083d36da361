import { CertificateChoice } from "../listeners/certificate-choice.ts";
import type { RouteCertificate } from "../routes/route-certificate.ts";

/** Certificates that routes bring, found by host. A host that several have one for gets that of the oldest route. */
export class RouteCertificates {
  readonly #all = new Map<string, { readonly age: string; readonly certificate: RouteCertificate }>();
  #choice: CertificateChoice<RouteCertificate | undefined> | undefined;

  /** What a route brings from now on. `createdAt`: none is the newest. */
  set(route: string, certificate: RouteCertificate | undefined, createdAt: string | undefined): void {
    if (certificate === undefined && !this.#all.has(route)) return;
    this.#choice = undefined;
    if (certificate === undefined) this.#all.delete(route);
    else this.#all.set(route, { age: `${createdAt ?? "~"} ${route}`, certificate });
  }

  /** `host`: lower-case. */
  of(host: string): RouteCertificate | undefined {
    this.#choice ??= new CertificateChoice<RouteCertificate | undefined>(
      undefined,
      [...this.#all.values()]
        .toSorted((a, b) => (a.age < b.age ? -1 : 1))
        .map(({ certificate }) => ({ names: certificate.hosts, value: certificate })),
    );
    return this.#choice.of(host);
  }
}
