import { ServerResponse } from "node:http";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Action } from "@gatewright/aws-wire/types/elbv2";
import { groupsIn } from "../elbv2/actions.ts";
import type { AccessEntry } from "./access-entry.ts";
import { askedUrl } from "./asked-url.ts";
import type { Destination } from "./forward.ts";
import { bringBack, decideDestination } from "./forward.ts";
import { headOf, inboundFromHttp1 } from "./inbound-http1.ts";
import { idleTimeout, routingAction } from "./listener-views.ts";
import type { ListenerView } from "./listener-views.ts";
import { headerPairs } from "./message.ts";
import type { Inbound, Peer } from "./message.ts";
import { answerOf, FRESH, startHttp1 } from "./outbound-http1.ts";
import { answerOurselves } from "./own-answer.ts";
import { quietWatch } from "./quiet.ts";
import { serveRequest, withListenerHeaders } from "./serve.ts";
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
  let status = 460;
  const told = withListenerHeaders(inbound, view, (answered) => {
    status = answered;
  });
  let destination: Destination;
  try {
    destination = decideDestination(serving.forwarding, view, action, { head, peer });
  } catch (error) {
    answerOurselves(told, error instanceof TargetError ? error.status : 502);
    return;
  }
  try {
    const more = await join(serving, view, destination, upgrade, told);
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
      ...more,
    });
  } finally {
    destination.chosen.done();
  }
}

/** Targets of HTTP/2 and gRPC speak no WebSocket: they get the request without its wish. */
function isWebSocketGroup({ store }: Serving, action: Action): boolean {
  return groupsIn([action]).every((arn) => (store.groups.get(arn)?.settings.ProtocolVersion ?? "HTTP1") === "HTTP1");
}

/**
 * Asks the target, and joins the two ends if it agrees; what it says otherwise is its answer. Resolves when the joined connection or
 * the answer has ended, with what the access log says of it.
 */
function join(
  serving: Serving,
  view: ListenerView,
  { to, head, cookies }: Destination,
  { request, socket, early }: UpgradeRequest,
  inbound: Inbound,
): Promise<Partial<AccessEntry>> {
  const stop = new AbortController();
  const offered = headerPairs(request.rawHeaders).filter(([name]) => name.toLowerCase() === "upgrade");
  // Of a target that did not agree nobody knows whether it still speaks HTTP: the connection serves nobody else.
  const asking = startHttp1(FRESH, to, head, false, stop.signal, ["Connection", "Upgrade", ...offered.flat()]);
  return new Promise((resolve) => {
    let targetStatus: number | undefined;
    let slow = false;
    const quiet = quietWatch(serving.world.clock, idleTimeout(view), () => {
      slow = true;
      stop.abort();
      if (targetStatus === 101) socket.destroy();
    });
    const end = (entry: Partial<AccessEntry>): void => {
      quiet[Symbol.dispose]();
      stop.abort();
      resolve(entry);
    };
    socket.once("close", () => {
      if (targetStatus === undefined) end({ problem: "the client left" });
      else if (targetStatus === 101) end({ status: 101, targetStatus });
    });
    // Stays: an error after the answer began is told by the answer's own stream.
    asking.on("error", () => {
      if (targetStatus !== undefined || socket.destroyed) return;
      answerOurselves(inbound, slow ? 504 : 502);
      end({ problem: slow ? "the target was silent for too long" : "the target could not be asked" });
    });
    asking.once("response", (response) => {
      const answer = answerOf(response, head.method);
      targetStatus = answer.head.status;
      void bringBack(answer, cookies, inbound, quiet.touch).then(end);
    });
    asking.once("upgrade", (response, target, first) => {
      targetStatus = 101;
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
  // Whatever the client still sends is read by nobody, but that it ended has to be seen.
  response.once("finish", () => socket.end().resume());
  const begin = response.writeHead.bind(response);
  // Node's own types ask for a socket; a stream is what it uses.
  response.writeHead = ((...args: Parameters<typeof begin>) => {
    if (response.socket === null) response.assignSocket(socket as Parameters<typeof response.assignSocket>[0]);
    return begin(...args);
  }) as typeof response.writeHead;
  return response;
}
