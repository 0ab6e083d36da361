import { createHash } from "node:crypto";
import type { ApiRequest } from "../../http/api-request.ts";

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** Whether a request opens a WebSocket. */
export function isWebSocket({ headers }: ApiRequest): boolean {
  return headers["upgrade"]?.toLowerCase() === "websocket" && headers["sec-websocket-key"] !== undefined;
}

/** The sub-protocols that a client offers, best first. */
export function offeredProtocols({ headers }: ApiRequest): readonly string[] {
  const offered = (headers["sec-websocket-protocol"] ?? "").split(",").map((name) => name.trim());
  return offered.filter((name) => name !== "");
}

/** The headers that accept a WebSocket with one of its sub-protocols. */
export function acceptHeaders({ headers }: ApiRequest, protocol: string): Readonly<Record<string, string>> {
  const accept = createHash("sha1")
    .update(`${headers["sec-websocket-key"] ?? ""}${GUID}`)
    .digest("base64");
  return {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-accept": accept,
    ...(protocol !== "" && { "sec-websocket-protocol": protocol }),
  };
}
