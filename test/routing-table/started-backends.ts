import type { Server as HttpServer } from "node:http";
import type { Http2Server } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { BACKENDS } from "./backends.ts";
import { grpcBackend } from "./grpc-backend.ts";
import { httpBackend } from "./http-backend.ts";
import type { Manifest } from "./routing-case.ts";

/** The backends of the table as local servers. */
export class StartedBackends {
  readonly #ports = new Map<string, number>();
  readonly #asked = new Map<string, number>();
  readonly #servers: (HttpServer | Http2Server)[] = [];
  readonly #sockets = new Set<Socket>();

  async start(): Promise<void> {
    for (const [name, behaviour] of Object.entries(BACKENDS)) {
      const asked = (): number => {
        const before = this.asked(name);
        this.#asked.set(name, before + 1);
        return before;
      };
      const isGrpc =
        behaviour.does === "grpc-echo" || behaviour.does === "grpc-hang" || behaviour.does === "grpc-fail-first";
      const refuses = behaviour.does === "refuse";
      const server = isGrpc
        ? grpcBackend(name, behaviour, asked)
        : httpBackend(name, refuses ? { does: "echo" } : behaviour, asked);
      server.on("connection", (socket: Socket) => {
        this.#sockets.add(socket);
        socket.on("close", () => this.#sockets.delete(socket));
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      this.#ports.set(name, (server.address() as AddressInfo).port);
      if (refuses) server.close();
      else this.#servers.push(server);
    }
  }

  asked(name: string): number {
    return this.#asked.get(name) ?? 0;
  }

  /** Lets counts begin anew. */
  forget(): void {
    this.#asked.clear();
  }

  /** The objects with real addresses in place of names. A name that is a backend object of the case stays. */
  placed(objects: readonly Manifest[]): Manifest[] {
    const named = new Set(objects.filter(({ kind }) => kind.endsWith("Backend")).map(({ metadata }) => metadata.name));
    return objects.map((object) => this.#place(object, named) as Manifest);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(this.#servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }

  #place(value: unknown, named: ReadonlySet<string>): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#place(item, named));
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([key, item]) => [key, this.#place(item, named)] as const);
    const copy: Record<string, unknown> = Object.fromEntries(entries);
    for (const key of ["host", "address"]) {
      const name = copy[key];
      const port = typeof name === "string" ? this.#ports.get(name) : undefined;
      if (port === undefined || (key === "host" && named.has(String(name)))) continue;
      copy[key] = "127.0.0.1";
      copy["port"] = port;
    }
    return copy;
  }
}
