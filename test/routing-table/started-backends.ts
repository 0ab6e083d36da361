import type { Server as HttpServer } from "node:http";
import type { Http2SecureServer, Http2Server } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import type { TlsOptions } from "node:tls";
import { BACKENDS } from "./backends.ts";
import type { Behaviour, GrpcBehaviour } from "./backends.ts";
import type { Certificates } from "./certificates.ts";
import { grpcBackend } from "./grpc-backend.ts";
import { httpBackend } from "./http-backend.ts";
import type { Manifest } from "./routing-case.ts";

/** Not one of those that systems give out: another program could be given a port that was only left. */
const NOBODYS_PORT = 1;

/** The backends of the table as local servers. */
export class StartedBackends {
  readonly #certificates: Certificates;
  readonly #ports = new Map<string, number>();
  readonly #asked = new Map<string, number>();
  readonly #servers: (HttpServer | Http2Server | Http2SecureServer)[] = [];
  readonly #sockets = new Set<Socket>();

  constructor(certificates: Certificates) {
    this.#certificates = certificates;
  }

  async start(): Promise<void> {
    const asked = (about: string): number => {
      const before = this.asked(about);
      this.#asked.set(about, before + 1);
      return before;
    };
    for (const [name, behaviour] of Object.entries(BACKENDS)) {
      if (behaviour.does === "refuse") {
        this.#ports.set(name, NOBODYS_PORT);
        continue;
      }
      const tls = this.#tls(behaviour);
      const server = isGrpc(behaviour)
        ? grpcBackend(name, behaviour, asked, tls)
        : httpBackend(name, behaviour, asked, tls);
      server.on("connection", (socket: Socket) => {
        this.#sockets.add(socket);
        socket.on("close", () => this.#sockets.delete(socket));
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      this.#ports.set(name, (server.address() as AddressInfo).port);
      this.#servers.push(server);
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

  #tls({ tls }: Exclude<Behaviour, { readonly does: "refuse" }>): TlsOptions | undefined {
    if (tls === undefined) return undefined;
    return {
      ...this.#certificates.pair("backend.test"),
      ...(tls.mutual === true && { ca: this.#certificates.authority, requestCert: true, rejectUnauthorized: true }),
      ...(tls.old === true && { maxVersion: "TLSv1.2" }),
    };
  }

  #place(value: unknown, named: ReadonlySet<string>): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#place(item, named));
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([key, item]) => [key, this.#place(item, named)] as const);
    const copy: Record<string, unknown> = Object.fromEntries(entries);
    for (const key of ["caFile", "certFile", "keyFile"]) {
      const file = typeof copy[key] === "string" ? this.#certificates.file(copy[key]) : undefined;
      if (file !== undefined) copy[key] = file;
    }
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

function isGrpc(behaviour: Behaviour): behaviour is GrpcBehaviour {
  return behaviour.does.startsWith("grpc-");
}
