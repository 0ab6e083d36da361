import { Agent, request } from "node:https";
import type { IncomingMessage } from "node:http";

/** A request with its variables filled in. */
export interface Question {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An answer as it came. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Those that a client acts on. */
const HEADERS = ["content-type", "warning", "location", "retry-after", "www-authenticate", "allow", "cache-control"];

/** Connections to one server. */
export class Exchange {
  readonly #url: string;
  readonly #agent: Agent;

  constructor(url: string, ca: string) {
    this.#url = url;
    this.#agent = new Agent({ keepAlive: true, ca });
  }

  async ask(question: Question): Promise<Answer> {
    const response = await this.#send(question);
    let text = "";
    for await (const chunk of response.setEncoding("utf8")) text += chunk as string;
    return { ...headOf(response), text };
  }

  /** Resolves once the watch is open, with a function that waits for that many lines, the end, or the time to be over. */
  async watch(question: Question, lines: number, timeoutMs: number): Promise<() => Promise<Answer>> {
    const response = await this.#send(question);
    let text = "";
    const enough = new Promise<void>((resolve) => {
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
        if (text.split("\n").length > lines) resolve();
      });
      response.on("close", resolve).on("error", () => resolve());
    });
    return async () => {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeoutMs)));
      await Promise.race([enough, late]);
      clearTimeout(timer);
      response.destroy();
      return { ...headOf(response), text: text.split("\n").slice(0, lines).join("\n") };
    };
  }

  close(): void {
    this.#agent.destroy();
  }

  #send({ method, path, headers, body }: Question): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
      const sent = request(`${this.#url}${path}`, { method, agent: this.#agent, headers: { ...headers, ...length } });
      sent.on("response", resolve).on("error", reject);
      sent.end(body);
    });
  }
}

function headOf(response: IncomingMessage): Omit<Answer, "text"> {
  const headers: Record<string, string> = {};
  for (const name of HEADERS) {
    const value = response.headers[name];
    if (value !== undefined) headers[name] = String(value);
  }
  return { status: response.statusCode ?? 0, headers };
}
