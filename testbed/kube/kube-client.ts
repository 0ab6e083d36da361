import { Agent, request } from "node:https";
import type { IncomingMessage } from "node:http";

export interface KubeAccess {
  readonly url: string;
  /** PEM of the authority that signed the server's certificate. */
  readonly ca: string;
  readonly token: string;
}

export interface KubeAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Talks JSON to a kube-apiserver. Rejects only when there is no answer at all. */
export class KubeClient {
  readonly #access: KubeAccess;
  readonly #agent: Agent;

  constructor(access: KubeAccess) {
    this.#access = access;
    this.#agent = new Agent({ keepAlive: true, ca: access.ca });
  }

  /** Text is sent as it is, everything else as JSON. */
  async ask(method: string, path: string, body?: unknown, type = "application/json"): Promise<KubeAnswer> {
    const response = await this.#send(method, path, body, type);
    let text = "";
    for await (const chunk of response.setEncoding("utf8")) text += chunk as string;
    return { status: response.statusCode ?? 0, body: parsed(text) };
  }

  /** The events of a watch, until it ends or the signal aborts. */
  async *watch(path: string, signal: AbortSignal): AsyncGenerator<unknown> {
    const response = await this.#send("GET", path, undefined, "", signal);
    let rest = "";
    for await (const chunk of response.setEncoding("utf8")) {
      const lines = (rest + (chunk as string)).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) yield JSON.parse(line);
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(method: string, path: string, body: unknown, type: string, signal?: AbortSignal): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const payload = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
      const sent = request(`${this.#access.url}${path}`, {
        method,
        agent: this.#agent,
        headers: {
          authorization: `Bearer ${this.#access.token}`,
          accept: "application/json",
          ...(payload !== undefined && { "content-type": type, "content-length": Buffer.byteLength(payload) }),
        },
        ...(signal && { signal }),
      });
      sent.on("response", resolve).on("error", reject);
      sent.end(payload);
    });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
