import { request as httpRequest } from "node:http";
import type { IncomingHttpHeaders, RequestListener } from "node:http";
import type { Finding, GivenObject } from "../../packages/gateway/src/configuration/objects.ts";
import { RunningGateway } from "../gateway/running-gateway.ts";

export interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A gateway with routes by name. */
export class GuardedWorld {
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

  /** Serves on a port of its own. */
  serve(listener: RequestListener): Promise<number> {
    return this.#running.serve(listener);
  }

  /** Makes these the gateway's routes and backends, by name. */
  routes(specs: Readonly<Record<string, object>>, backends: Readonly<Record<string, object>> = {}): readonly Finding[] {
    const version = String(++this.#version);
    const objects = (kind: "APIRoute" | "Backend", these: Readonly<Record<string, object>>): GivenObject[] =>
      Object.entries(these).map(([name, spec]) => ({ kind, namespace: "default", name, version, spec }));
    return this.#running.replace([...objects("APIRoute", specs), ...objects("Backend", backends)]);
  }

  /** Sends a request; `chunks` without telling their length. */
  send(target: string, headers: Record<string, string> = {}, chunks?: Iterable<Buffer>): Promise<Got> {
    const { port } = this.#running;
    const { promise, resolve, reject } = Promise.withResolvers<Got>();
    const method = chunks === undefined ? "GET" : "POST";
    const sent = httpRequest({ port, host: "127.0.0.1", path: target, method, headers, agent: false }, (answer) => {
      let body = "";
      answer.setEncoding("utf8");
      answer.on("data", (text: string) => (body += text));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }));
      answer.on("error", reject);
    });
    // The gateway may close while the rest of a body that nobody wants is being sent.
    sent.on("error", (error) => reject(error));
    for (const chunk of chunks ?? []) sent.write(chunk);
    sent.end();
    return promise;
  }
}
