/** Which of several certificates is for a host: the one that names it, then the one that names its level with a wildcard, then the first. */
export class CertificateChoice<T> {
  readonly #first: T;
  readonly #exact = new Map<string, T>();
  readonly #wildcard = new Map<string, T>();

  /** Names that several have belong to the one that comes first. */
  constructor(first: T, all: readonly { readonly names: readonly string[]; readonly value: T }[]) {
    this.#first = first;
    for (const { names, value } of all)
      for (const name of names) {
        const map = name.startsWith("*.") ? this.#wildcard : this.#exact;
        const key = (name.startsWith("*.") ? name.slice(2) : name).toLowerCase();
        if (!map.has(key)) map.set(key, value);
      }
  }

  /** `host`: lower-case, without a port. Undefined: the client named none. */
  of(host: string | undefined): T {
    if (host === undefined) return this.#first;
    return this.#exact.get(host) ?? this.#wildcard.get(host.slice(host.indexOf(".") + 1)) ?? this.#first;
  }
}
