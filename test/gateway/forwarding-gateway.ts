import { localAnswer, serveHttp1 } from "@gatewright/gateway";
import type { Exchange, Http1Connection, Upstream } from "@gatewright/gateway";
import { systemClock } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import { MemorySocket } from "./memory-socket.ts";

/** A connection that is served by forwarding everything to one backend. */
export interface Visit {
  readonly socket: MemorySocket;
  readonly connection: Http1Connection;
}

/** `watch` sees every request that was read. */
export function visit(upstream: Upstream, clock: Clock = systemClock, watch?: (exchange: Exchange) => void): Visit {
  const socket = new MemorySocket();
  const connection = serveHttp1(socket.asSocket(), undefined, {
    clock,
    scheme: "http",
    client: { address: "192.0.2.1", port: 1, tls: undefined },
    listener: "test",
    handle(exchange) {
      watch?.(exchange);
      forward(upstream, exchange);
    },
  });
  return { socket, connection };
}

/** The least that a gateway does. */
export function forward(upstream: Upstream, exchange: Exchange): void {
  const { method, scheme, authority, target, fields, upgrade } = exchange.head;
  const sent = upstream.send({ method, scheme, authority, target, fields, body: exchange.body, upgrade });
  exchange.onGone(() => sent.cancel(new Error("the client is gone")));
  sent.answer.then(
    (answer) => exchange.send(answer),
    () => exchange.send(localAnswer(502, "upstream", "no answer")),
  );
}
