import type { CaseAnswer, CaseRequest } from "./routing-case.ts";

/** What the one client of a case keeps of the cookies that it is given: name and value. */
export class CookieJar {
  readonly #cookies = new Map<string, string>();

  /** The request with the client's cookies, if it keeps any. */
  with(request: CaseRequest): CaseRequest {
    if (request.cookies !== true || this.#cookies.size === 0) return request;
    const cookie = Array.from(this.#cookies, ([name, value]) => `${name}=${value}`).join("; ");
    return { ...request, headers: { ...request.headers, cookie } };
  }

  /** Keeps the cookie of an answer; the table's backends and gateways give one at a time. */
  take(request: CaseRequest, { headers }: CaseAnswer): void {
    const [, name, value] = /^([^=;]+)=([^;]*)/.exec(headers.get("set-cookie") ?? "") ?? [];
    if (request.cookies === true && name !== undefined && value !== undefined) this.#cookies.set(name, value);
  }
}
