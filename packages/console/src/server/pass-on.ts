import { badRequest, StatusError } from "@gatewright/kube";
import type { Transport } from "@gatewright/runtime";
import type { HttpAnswer, StreamBody } from "@gatewright/runtime/serving";

export interface PassedRequest {
  readonly method: string;
  /** Path with query, as it was sent. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  readonly signal: AbortSignal;
}

const PASSED = /^\/(?:apis?|openapi|version)(?:[/?]|$)/;
/** Read otherwise by some servers than by others. */
const UNCLEAR = /\/\/|\/\.{1,2}(?:[/?]|$)|%2f|%2e|%5c|\\/i;
/** What pods answer could run in the console's name in a browser, and connections to pods are none of a page's business. */
const TO_PODS = /\/(?:pods|services|nodes)\/[^/]+\/(?:proxy|exec|attach|portforward)(?:[/?]|$)/;
const SENT_ON = ["accept", "content-type", "if-none-match"];
const SENT_BACK = ["content-type", "etag", "retry-after", "warning", "audit-id"];
/** Whatever comes is data: no browser runs it or shows it as a page. */
const ONLY_DATA = {
  "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

/** Whether a path is the Kubernetes API's, as far as the page needs it. */
export function isPassedOn(path: string): boolean {
  return PASSED.test(path);
}

/** Asks the API server in the caller's name, and gives its answer as it comes. */
export async function passOn(request: PassedRequest, transport: Transport): Promise<HttpAnswer> {
  const { method, url, body, signal } = request;
  const [path = ""] = url.split("?", 1);
  if (TO_PODS.test(decoded(path))) {
    const message = "the console makes no connections to pods; use kubectl";
    throw new StatusError({ code: 403, reason: "Forbidden", message, details: {} });
  }
  const answer = await transport({
    method,
    path: url,
    headers: { "user-agent": "gatewright-console", ...named(request.headers, SENT_ON) },
    ...(body.length > 0 && { body }),
    signal,
  });
  return {
    status: answer.status,
    headers: { ...ONLY_DATA, ...named(answer.headers, SENT_BACK) },
    body: streamed(answer.body),
  };
}

/** A path as API servers read it: they decode it once, before they look at it. Names in Kubernetes have no `%`. */
function decoded(path: string): string {
  const read = decodedOnce(path);
  if (read === undefined || read.includes("%") || UNCLEAR.test(path) || UNCLEAR.test(read)) {
    throw badRequest("the path is not written as the console takes it");
  }
  return read;
}

function decodedOnce(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

function named(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  names: readonly string[],
): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of names) {
    const value = headers[name];
    if (value !== undefined) found[name] = typeof value === "string" ? value : value.join(", ");
  }
  return found;
}

function streamed(body: AsyncIterable<Uint8Array>): StreamBody {
  return {
    start(sink) {
      let drained = (): void => {};
      let left = false;
      sink.onDrain(() => drained());
      const run = async (): Promise<void> => {
        for await (const chunk of body) {
          if (left) return;
          if (!sink.write(Buffer.from(chunk)) && !left) await new Promise<void>((resolve) => (drained = resolve));
        }
      };
      // An answer that breaks off is told by ending early: its length or its form shows it.
      void run()
        .catch(() => {})
        .finally(() => sink.end());
      return () => {
        left = true;
        drained();
      };
    },
  };
}
