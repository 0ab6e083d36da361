import { request as httpRequest } from "node:http";
import type { ClientRequest, IncomingHttpHeaders, RequestListener } from "node:http";
import type { Finding, ObjectKind } from "../../packages/gateway/src/configuration/objects.ts";
import { RunningGateway } from "../gateway/running-gateway.ts";

export interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** What is sent; the rest is a plain GET. */
export interface Sending {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** A gateway with one route at a time. */
export class BodiesWorld {
  readonly #running = new RunningGateway();
  #version = 0;

  get faults(): readonly unknown[] {
    return this.#running.faults;
  }

  start(): Promise<void> {
    return this.#running.start();
  }

  close(): Promise<void> {
    return this.#running.close();
  }

  /** Serves on a port of its own, which it gives as the end of a route. */
  async serve(listener: RequestListener): Promise<{ readonly host: string; readonly port: number }> {
    return { host: "127.0.0.1", port: await this.#running.serve(listener) };
  }

  /** Makes this the gateway's only route. */
  route(spec: object, kind: ObjectKind = "APIRoute"): readonly Finding[] {
    const version = String(++this.#version);
    return this.#running.replace([{ kind, namespace: "default", name: "one", version, spec }]);
  }

  /** Sends a request and waits for the whole answer. */
  async send(path: string, sending: Sending = {}): Promise<Got> {
    const { promise, resolve, reject } = Promise.withResolvers<Got>();
    const sent = this.open(path, sending);
    sent.on("error", reject);
    sent.on("response", (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(chunks) }),
      );
      answer.on("error", reject);
    });
    return promise;
  }

  /** Sends a request; what comes back is the caller's to read. */
  open(path: string, { method = "GET", headers = {}, body }: Sending = {}): ClientRequest {
    const { port } = this.#running;
    const sent = httpRequest({ port, host: "127.0.0.1", path, method, headers, agent: false });
    sent.end(body);
    return sent;
  }
}
