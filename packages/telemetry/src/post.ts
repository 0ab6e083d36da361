import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";

export interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** Sends a body somewhere. Resolves with the status of any answer, rejects when there is none. */
export type Post = (request: PostRequest) => Promise<{ readonly status: number; readonly retryAfterMs?: number }>;

/** Over HTTP or HTTPS. Redirects are not followed: headers may hold credentials. */
export const postOverHttp: Post = ({ url, headers, body, signal }) =>
  new Promise((resolve, reject) => {
    const send = new URL(url).protocol === "https:" ? requestHttps : requestHttp;
    const request = send(url, {
      method: "POST",
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
      signal,
    });
    // A collector that switches protocols is told by nothing but the end of the connection.
    const unanswered = (): void => reject(new Error("the connection ended without an answer"));
    request.once("close", unanswered);
    request.on("error", reject);
    request.on("response", (response) => {
      request.off("close", unanswered);
      const seconds = Number(response.headers["retry-after"]);
      const retryAfter = Number.isFinite(seconds) && seconds > 0 ? { retryAfterMs: seconds * 1000 } : {};
      response.on("error", reject);
      response.on("end", () => resolve({ status: response.statusCode ?? 0, ...retryAfter }));
      response.resume();
    });
    request.end(body);
  });
