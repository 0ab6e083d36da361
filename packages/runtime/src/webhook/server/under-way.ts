import type { ServerResponse } from "node:http";

/** Responses that have begun and are not yet sent whole. Connections say less: some are opened and never used. */
export class UnderWay {
  readonly #responses = new Set<ServerResponse>();
  #none = Promise.withResolvers<void>();

  add(response: ServerResponse): void {
    this.#responses.add(response);
    response.once("close", () => {
      this.#responses.delete(response);
      if (this.#responses.size > 0) return;
      this.#none.resolve();
      this.#none = Promise.withResolvers();
    });
  }

  /** Resolves as soon as none is left; at once when there is none. */
  none(): Promise<void> {
    return this.#responses.size === 0 ? Promise.resolve() : this.#none.promise;
  }
}
