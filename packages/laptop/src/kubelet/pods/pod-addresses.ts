/** The addresses of 10.244.0.0/16 that pods can have: the first and the last few stay free. */
const FIRST = 2;
const LAST = 65_533;

/** No address is left. It helps to delete pods. */
export class AddressesUsedUpError extends Error {
  readonly code = "AddressesUsedUp";

  constructor() {
    super("failed to allocate for range 0: no IP addresses available in range set: 10.244.0.2-10.244.255.253");
    this.name = "AddressesUsedUpError";
  }
}

/** Gives addresses to pods. One that is given back is used again as late as possible. */
export class PodAddresses {
  readonly #used = new Set<string>();
  #next = FIRST;

  /** Throws {@link AddressesUsedUpError}. */
  allocate(): string {
    for (let tries = FIRST; tries <= LAST; tries++) {
      const ip = `10.244.${this.#next >> 8}.${this.#next & 255}`;
      this.#next = this.#next === LAST ? FIRST : this.#next + 1;
      if (this.reserve(ip)) return ip;
    }
    throw new AddressesUsedUpError();
  }

  /** Takes this very address. False when somebody has it. */
  reserve(ip: string): boolean {
    if (this.#used.has(ip)) return false;
    this.#used.add(ip);
    return true;
  }

  release(ip: string): void {
    this.#used.delete(ip);
  }
}
