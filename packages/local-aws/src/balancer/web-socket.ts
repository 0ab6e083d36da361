import { ServerResponse } from "node:http";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Action } from "@gatewright/aws-wire/types/elbv2";
import { groupsIn } from "../elbv2/actions.ts";
import { askedUrl } from "./asked-url.ts";
import type { Destination } from "./forward.ts";
import { decideDestination } from "./forward.ts";
import { headOf, inboundFromHttp1 } from "./inbound-http1.ts";
import { idleTimeout, routingAction } from "./listener-views.ts";
import type { ListenerView } from "./listener-views.ts";
import { headerPairs } from "./message.ts";
import type { Peer } from "./message.ts";
import { startHttp1 } from "./outbound-http1.ts";
import { answerOurselves } from "./own-answer.ts";
import { quietWatch } from "./quiet.ts";
import { serveRequest } from "./serve.ts";
import type { Serving } from "./serve.ts";
import { TargetError } from "./target-error.ts";

/** A request to become a WebSocket. */
export interface UpgradeRequest {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** What came behind the request already. */
  readonly early: Buffer;
  readonly peer: Peer;
}

/** Brings a WebSocket to a target and joins both ends. Rules that do not forward are answered as ever. Resolves at its end. */
export async function serveUpgrade(serving: Serving, view: ListenerView, upgrade: UpgradeRequest): Promise<void> {
  const { request, socket, peer } = upgrade;
  const head = headOf(request);
  const asked = askedUrl(head, peer);
  const rule = asked && view.route(asked);
  const action = rule && routingAction(rule);
  const inbound = inboundFromHttp1(request, plainResponse(request, socket), peer);
  if (action?.Type !== "forward" || !isWebSocketGroup(serving, action)) {
    await serveRequest(serving, view, inbound);
    return;
  }
  let destination: Destination;
  try {
    destination = decideDestination(serving.forwarding, view, action, { head, peer });
  } catch (error) {
    answerOurselves(inbound, error instanceof TargetError ? error.status : 502);
    return;
  }
  try {
    const status = await join(serving, view, destination, upgrade);
    if (status !== 101) answerOurselves(inbound, status);
    serving.onRequest({
      at: serving.world.clock.now(),
      loadBalancer: view.loadBalancer.arn,
      listener: view.listener.arn,
      client: peer.address,
      method: head.method,
      host: asked?.host ?? "",
      path: asked?.path ?? "",
      status,
      ...(rule !== undefined && { rule: rule.arn }),
      group: destination.group.arn,
      target: `${destination.to.host}:${destination.to.port}`,
    });
  } finally {
    destination.chosen.done();
  }
}

/** Targets of HTTP/2 and gRPC speak no WebSocket: they get the request without its wish. */
function isWebSocketGroup({ store }: Serving, action: Action): boolean {
  return groupsIn([action]).every((arn) => (store.groups.get(arn)?.settings.ProtocolVersion ?? "HTTP1") === "HTTP1");
}

/** Resolves with 101 when the joined connection has ended, with another status when the target did not agree. */
function join(
  serving: Serving,
  view: ListenerView,
  { to, head, cookies }: Destination,
  { request, socket, early }: UpgradeRequest,
): Promise<number> {
  const stop = new AbortController();
  const offered = headerPairs(request.rawHeaders).filter(([name]) => name.toLowerCase() === "upgrade");
  const asking = startHttp1(serving.forwarding.http1, to, head, false, stop.signal, [
    "Connection",
    "Upgrade",
    ...offered.flat(),
  ]);
  return new Promise((resolve) => {
    const quiet = quietWatch(serving.world.clock, idleTimeout(view), () => {
      stop.abort();
      socket.destroy();
    });
    const end = (status: number): void => {
      quiet[Symbol.dispose]();
      stop.abort();
      resolve(status);
    };
    socket.once("close", () => end(101));
    asking.once("error", () => end(502));
    asking.once("response", (response) => {
      response.resume();
      end(response.statusCode ?? 502);
    });
    asking.once("upgrade", (response, target, first) => {
      const lines = [...headerPairs(response.rawHeaders), ...cookies].map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join("")}\r\n`);
      if (first.length > 0) socket.write(first);
      if (early.length > 0) target.write(early);
      for (const [from, other] of [
        [socket, target],
        [target, socket],
      ] as const) {
        from.on("data", quiet.touch);
        from.pipe(other);
        // Whichever end breaks, the other one goes too.
        from.on("error", () => other.destroy());
        from.once("close", () => other.destroy());
      }
    });
    asking.end();
  });
}

/** A way to answer on the bare socket of an upgrade; the connection ends with the answer. */
function plainResponse(request: IncomingMessage, socket: Duplex): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  // Node's own types ask for a socket; a stream is what it uses.
  response.once("finish", () => socket.end());
  const begin = response.writeHead.bind(response);
  response.writeHead = ((...args: Parameters<typeof begin>) => {
    if (response.socket === null) response.assignSocket(socket as Parameters<typeof response.assignSocket>[0]);
    return begin(...args);
  }) as typeof response.writeHead;
  return response;
}
