import { status as grpcStatus } from "@grpc/grpc-js";
import type { ServerWritableStream } from "@grpc/grpc-js";
import type { operatorApi } from "@gatewright/gateway-wire";
import type { Clock } from "@gatewright/ports";
import type { Log } from "@gatewright/runtime";
import type { ChangePace } from "../distribution/change-pace.ts";
import type { Connections, GatewayIdentity } from "../distribution/connected-gateway.ts";
import type { Catalogue } from "../model/catalogue.ts";
import { Delivery } from "./delivery.ts";
import type { DeliveryStart } from "./delivery-start.ts";
import type { DialectView } from "./dialect-view.ts";
import { isSendable } from "./dialect-view.ts";
import { RememberedPositions } from "./remembered-positions.ts";
import type { OpenStream, Session } from "./sessions.ts";
import { StreamEndError } from "./stream-end-error.ts";
import type { StreamMetrics } from "./stream-metrics.ts";
import { Turns } from "./turns.ts";
import { kindOf } from "./wire/resource-bytes.ts";
import { parseUpdateVersion } from "./wire/update-version.ts";

export type StreamCall = ServerWritableStream<operatorApi.StreamConfigurationRequest, Uint8Array>;

export interface StreamCallParts {
  readonly catalogue: Catalogue;
  readonly connections: Connections;
  readonly pace: ChangePace;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: StreamMetrics;
  readonly own: DialectView;
  readonly avapigw: () => DialectView;
}

/** How long after a registration gateways of AVAPIGW ignore snapshots that are smaller than what they have, and a little. */
const DOUBT_MS = 31_000;
/** How many gateways are sent all there is at the same time. */
const WHOLE_AT_ONCE = 16;

/** The streams that are open. */
export class StreamCalls {
  readonly #parts: StreamCallParts;
  readonly #turns = new Turns(WHOLE_AT_ONCE);
  readonly #positions = new RememberedPositions();
  readonly #open = new Set<OpenStream>();

  constructor(parts: StreamCallParts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#open.size;
  }

  /** The least place in a view's source that somebody is at. */
  leastMark(): number {
    let least = Number.POSITIVE_INFINITY;
    for (const { delivery } of this.#open) least = Math.min(least, delivery.mark ?? least);
    return least;
  }

  /** Ends all streams in a way that makes gateways come back. */
  endAll(why: string): void {
    for (const stream of this.#open) stream.end(why);
  }

  /** Serves a stream until it ends. */
  open(call: StreamCall, session: Session): void {
    const { connections, own, avapigw, log, metrics } = this.#parts;
    session.stream?.end("another stream of this session was opened");
    const { request } = call;
    const view = request.takesBatches ? own : avapigw();
    const gateway = identityOf(session.info, request, view);
    const connection = connections.open(gateway, view.known);
    const ending = new AbortController();
    const last = parseUpdateVersion(request.lastConfigVersion);
    const delivery = new Delivery({
      ...this.#parts,
      view,
      connection,
      turns: this.#turns,
      sequence: last?.sequence ?? 0n,
      doubtsUntil: session.registeredAt + DOUBT_MS,
      send: (bytes) => {
        metrics.sent(1);
        return call.write(bytes) ? undefined : drained(call, ending.signal);
      },
    });
    const remembered = `${gateway.namespace}/${gateway.name} ${gateway.podName ?? ""} ${gateway.namespaces.toSorted().join()}`;
    const stream: OpenStream = {
      delivery,
      heard: () => connection.heard(),
      content: () => Array.from(view.source.all()).filter((one) => connection.selects(one) && isSendable(one)),
      end: (why: string): void => {
        if (!this.#open.delete(stream)) return;
        if (session.stream === stream) session.stream = undefined;
        if (!view.takesBatches && delivery.position !== undefined) this.#positions.keep(remembered, delivery.position);
        ending.abort();
        connection.close();
        if (!call.cancelled) call.emit("error", { code: grpcStatus.UNAVAILABLE, details: why });
      },
    };
    this.#open.add(stream);
    session.stream = stream;
    call.on("cancelled", () => stream.end("the gateway left"));
    const about = { gateway: `${gateway.namespace}/${gateway.name}`, dialect: gateway.dialect, session: session.id };
    log.info("A gateway follows", about);
    delivery.run(this.#startOf(request, view, remembered), ending.signal).then(
      () => stream.end("the operator ended the stream"),
      (error: unknown) => {
        if (ending.signal.aborted) return;
        metrics.failed();
        const why = error instanceof StreamEndError ? error.message : "internal error";
        log[error instanceof StreamEndError ? "warn" : "error"]("A gateway's stream ends", { ...about, why, error });
        stream.end(why);
      },
    );
  }

  #startOf(request: operatorApi.StreamConfigurationRequest, view: DialectView, remembered: string): DeliveryStart {
    if (view.takesBatches) {
      const held = request.held.flatMap(({ type, namespace, name, resourceVersion: version }) => {
        const kind = kindOf(type);
        return kind === undefined ? [] : [{ kind, namespace, name, version }];
      });
      return { has: "held", held };
    }
    if (request.lastConfigVersion === "") return { has: "nothing" };
    const hash = parseUpdateVersion(request.lastConfigVersion)?.hash;
    const position = this.#positions.find(remembered, hash);
    return position === undefined ? { has: "unknown", hash } : { has: "known", ...position };
  }
}

function identityOf(
  { name, namespace, version, podName, labels }: operatorApi.GatewayInfo,
  { namespaces }: operatorApi.StreamConfigurationRequest,
  { dialect }: DialectView,
): GatewayIdentity {
  const pod = podName === "" ? {} : { podName };
  return { name, namespace, version, dialect, door: "stream", labels, namespaces, ...pod };
}

/** Resolves when more can be written; rejects when the signal aborts. */
function drained(call: StreamCall, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const go = (): void => {
      signal.removeEventListener("abort", stop);
      resolve();
    };
    const stop = (): void => {
      call.off("drain", go);
      reject(signal.reason);
    };
    if (signal.aborted) stop();
    call.once("drain", go);
    signal.addEventListener("abort", stop, { once: true });
  });
}
