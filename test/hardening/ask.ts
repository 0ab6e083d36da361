import type { InProcessTransport } from "@gatewright/apiserver";
import type { JsonObject } from "@gatewright/kube";

/** An answer with its body read: JSON where it is JSON, else `{ text }`. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: JsonObject;
}

export interface Question {
  readonly body?: unknown;
  /** Media type of the body. Default: JSON, or a merge patch for PATCH. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Ask = (method: string, path: string, question?: Question) => Promise<Answer>;

/** Asks a server in this process. Text and bytes are sent as they are, all else as JSON. */
export function asker(transport: InProcessTransport): Ask {
  return async (method, path, { body, type, headers } = {}) => {
    const defaultType = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    const response = await transport({
      method,
      path,
      headers: { "content-type": type ?? defaultType, ...headers },
      ...(body !== undefined && {
        body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
      }),
    });
    const chunks: Buffer[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const contentType = String(response.headers["content-type"] ?? "");
    const json = contentType.startsWith("application/json") && text !== "";
    return { status: response.status, type: contentType, body: json ? (JSON.parse(text) as JsonObject) : { text } };
  };
}
