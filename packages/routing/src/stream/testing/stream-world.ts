import { ServerCredentials, credentials } from "@grpc/grpc-js";
import type { ChannelCredentials } from "@grpc/grpc-js";
import { ManualClock, PassingTime, seededRandom } from "@gatewright/ports";
import { quietLog } from "@gatewright/runtime";
import { ChangePace } from "../../distribution/change-pace.ts";
import type { Connections, Standing } from "../../distribution/connected-gateway.ts";
import { createConnections } from "../../distribution/create-connections.ts";
import type { Deliverable } from "../../model/deliverable.ts";
import { deliverableKey } from "../../model/deliverable.ts";
import { MutableCatalogue } from "../../model/mutable-catalogue.ts";
import { serveStream } from "../serve-stream.ts";
import type { StreamOptions, StreamServer } from "../serve-stream.ts";
import { StrictGateway } from "./strict-gateway.ts";
import type { StrictOptions } from "./strict-gateway.ts";

/** An operator and its gateways on real sockets, in a time that passes only here. */
export class StreamWorld {
  readonly clock = new ManualClock();
  readonly time = new PassingTime(this.clock, { turnMs: 5, breaths: 3 });
  catalogue = new MutableCatalogue();
  connections!: Connections;
  server!: StreamServer;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>[] = [];
  #operator = new AbortController();
  #port = 0;

  /** Starts an operator with what there is; the same port each time. */
  async start(options: Partial<StreamOptions> = {}): Promise<void> {
    this.#operator = new AbortController();
    const { catalogue, clock } = this;
    this.connections = createConnections({ catalogue, clock });
    const pace = new ChangePace({ catalogue, clock });
    pace.start(this.#operator.signal);
    this.server = await serveStream(
      {
        address: `127.0.0.1:${this.#port}`,
        credentials: ServerCredentials.createInsecure(),
        bindsIdentity: false,
        catalogue,
        connections: this.connections,
        pace,
        clock,
        random: seededRandom(7),
        log: quietLog,
        ...options,
      },
      this.#operator.signal,
    );
    this.#port = this.server.port;
  }

  get address(): string {
    return `127.0.0.1:${this.#port}`;
  }

  /** Ends the operator, and begins anew with an empty memory and what is put again. */
  async restart(deliverables: readonly Deliverable[], options: Partial<StreamOptions> = {}): Promise<void> {
    await this.stop();
    this.catalogue = new MutableCatalogue();
    this.put(...deliverables);
    this.catalogue.completed();
    await this.start(options);
  }

  async stop(): Promise<void> {
    this.#operator.abort();
    const closed = this.server.close();
    let isClosed = false;
    void closed.then(() => (isClosed = true));
    await this.time.until("the server's end", () => isClosed);
  }

  put(...deliverables: readonly Deliverable[]): void {
    for (const one of deliverables) this.catalogue.put(one.source, [one]);
  }

  remove(...deliverables: readonly Deliverable[]): void {
    for (const one of deliverables) this.catalogue.remove(one.source);
  }

  gateway(name = "gw", options: Partial<StrictOptions> = {}, way?: () => ChannelCredentials): StrictGateway {
    const gateway = new StrictGateway({
      name,
      address: () => this.address,
      credentials: way ?? (() => credentials.createInsecure()),
      clock: this.clock,
      ...options,
    });
    this.#running.push(gateway.run(this.#stopping.signal));
    return gateway;
  }

  /** Lets something else run until the end. */
  run(begin: (signal: AbortSignal) => Promise<void>): void {
    this.#running.push(begin(this.#stopping.signal));
  }

  /** Passes time until all gateways have acknowledged everything. */
  async settled(gateways = 1, turnMs = 5): Promise<void> {
    await new PassingTime(this.clock, { turnMs, breaths: 3 }).until(
      "everything acknowledged",
      () => this.connections.all().map(({ acknowledged, sent }) => [acknowledged, sent, this.catalogue.revision]),
      (all) => all.length === gateways && all.every(([acknowledged]) => acknowledged === this.catalogue.revision),
    );
  }

  states(one: Deliverable): Standing["state"][] {
    return [...this.connections.standing(deliverableKey(one)).values()].map(({ state }) => state);
  }

  async end(): Promise<void> {
    this.#stopping.abort();
    await this.stop();
    await Promise.all(this.#running);
  }
}
