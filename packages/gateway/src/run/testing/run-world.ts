import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import type { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock, systemProcessStats, systemRandom } from "@gatewright/ports";
import { createLog } from "@gatewright/telemetry";
import { runGateway } from "../run-gateway.ts";
import type { RunningGateway, RunOptions } from "../run-gateway.ts";

/** A folder with files of a gateway, and gateways that run from them. */
export class RunWorld {
  readonly folder: string;
  /** Lines of the gateways' logs, as JSON has them. */
  readonly logged: { readonly level: string; readonly message: string; readonly [field: string]: unknown }[] = [];
  /** Lines of access logs. */
  readonly lines: Readonly<Record<string, unknown>>[] = [];
  readonly #running: RunningGateway[] = [];
  readonly #stats = systemProcessStats();

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make(): Promise<RunWorld> {
    return new RunWorld(await mkdtemp(join(tmpdir(), "gateway-run-")));
  }

  /** Writes the settings' file: `spec` besides a listener at any port and an admin endpoint at any. */
  async settings(spec: Readonly<Record<string, unknown>> = {}): Promise<void> {
    await this.file("gateway.json", {
      apiVersion: "gateway.avapigw.io/v1",
      kind: "Gateway",
      metadata: { name: "edge" },
      spec: { listeners: [{ name: "http", address: "127.0.0.1", port: 0 }], admin: { port: 0 }, ...spec },
    });
  }

  async file(name: string, content: unknown): Promise<void> {
    await writeFile(join(this.folder, name), JSON.stringify(content));
  }

  async run(options: Partial<RunOptions> = {}, signal = new AbortController().signal): Promise<RunningGateway> {
    const running = await runGateway(
      {
        from: join(this.folder, "gateway.json"),
        clock: systemClock,
        random: systemRandom,
        log: createLog({
          clock: systemClock,
          write: (line) => void this.logged.push(JSON.parse(line) as (typeof this.logged)[number]),
        }),
        write: (lines) => {
          for (const line of lines.trimEnd().split("\n"))
            this.lines.push(JSON.parse(line) as Readonly<Record<string, unknown>>);
        },
        stats: this.#stats,
        env: {},
        version: "1.2.3",
        ...options,
      },
      signal,
    );
    this.#running.push(running);
    return running;
  }

  async end(): Promise<void> {
    await Promise.all(this.#running.map((running) => running.close()));
    this.#stats[Symbol.dispose]();
    await rm(this.folder, { recursive: true });
  }
}

/** A route that answers by itself. */
export function direct(name: string, path: string, body: string, more: object = {}): object {
  return {
    apiVersion: "avapigw.io/v1alpha1",
    kind: "APIRoute",
    metadata: { name },
    spec: { match: [{ uri: { exact: path } }], directResponse: { status: 200, body }, ...more },
  };
}

/** Many objects in one file. */
export function list(...items: object[]): object {
  return { apiVersion: "v1", kind: "List", items };
}

export interface Got {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Asks 127.0.0.1 by HTTP. */
export function get(
  port: number | undefined,
  path: string,
  options: {
    readonly headers?: Readonly<Record<string, string>>;
    readonly agent?: Agent;
    readonly method?: string;
    readonly body?: string;
  } = {},
): Promise<Got> {
  const { headers = {}, agent = false, method = "GET", body } = options;
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, path, method, headers: { ...headers }, agent }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += chunk));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }));
      response.on("error", reject);
    });
    asked.on("error", reject);
    asked.end(body);
  });
}
