import { createServer } from "node:http";
import type { RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { systemClock, systemRandom } from "@gatewright/ports";
import type { Finding, GivenObject } from "../../packages/gateway/src/configuration/objects.ts";
import { readSettings } from "../../packages/gateway/src/configuration/settings/gateway-settings.ts";
import { Gateway } from "../../packages/gateway/src/gateway.ts";

/** A real gateway on a port of its own, and whatever real servers a test puts beside it. */
export class RunningGateway {
  readonly faults: unknown[] = [];
  readonly #settings = readSettings(
    {
      apiVersion: "gateway.avapigw.io/v1",
      kind: "Gateway",
      metadata: { name: "test" },
      spec: { listeners: [{ name: "http", address: "127.0.0.1", port: 0 }] },
    },
    "gateway.json",
  ).settings;
  readonly #gateway = new Gateway(this.#settings, {
    clock: systemClock,
    random: systemRandom,
    observer: { started() {}, ended() {}, fault: (...about) => void this.faults.push(about) },
    fault: (error) => void this.faults.push(error),
  });
  readonly #servers: Server[] = [];
  readonly #stop = new AbortController();

  async start(): Promise<void> {
    await this.#gateway.listen(this.#settings, this.#stop.signal);
  }

  get port(): number {
    return this.#gateway.bound[0]?.port ?? 0;
  }

  replace(objects: readonly GivenObject[]): readonly Finding[] {
    return this.#gateway.replace(objects);
  }

  /** Serves on a port of its own, which it gives. */
  async serve(listener: RequestListener): Promise<number> {
    const server = createServer(listener);
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return (server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    await this.#gateway.close(0, this.#stop.signal);
    this.#stop.abort();
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
    }
  }
}
