import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { StatusError, internalError, methodNotAllowed, unauthorized } from "@gatewright/kube";
import type { Clock } from "@gatewright/ports";
import { quietLog } from "@gatewright/runtime";
import type { Log, Runnable } from "@gatewright/runtime";
import { openServer, sendAnswer, statusAnswer } from "@gatewright/runtime/serving";
import type { Caller, HttpAnswer } from "@gatewright/runtime/serving";
import type { CertificateSource } from "@gatewright/runtime/webhook";
import type { TokenCallers } from "../access/token-callers.ts";
import type { EventApi } from "../create-event-api.ts";

export interface EventServerOptions {
  readonly api: EventApi;
  readonly callers: TokenCallers;
  readonly clock: Clock;
  /** Default: 9446. 0: any free one. */
  readonly port?: number;
  /** Default: all addresses. */
  readonly host?: string;
  /** Keeps the serving certificate good. Without it the server speaks plain HTTP, where others on the way can read tokens. */
  readonly certificates?: CertificateSource;
  readonly log?: Log;
  /** Told where it listens. */
  readonly listening?: (address: AddressInfo) => void;
}

/** Beside what operators serve already: webhooks on 9443, gateways on 9444, the console on 9445. */
const PORT = 9446;
const RECHECK_MS = 60_000;
const BEARER = /^bearer +([^\s]{1,16384})$/i;

/**
 * Serves `/watch` and `/events` in a cluster, to callers who show a token that the API server knows, and of each kind only what they
 * could list or watch there. Takes no other method than GET and changes nothing. When the API server cannot be asked, it shows nothing.
 */
export function createEventServer(options: EventServerOptions): Runnable {
  const { api, callers, clock, log = quietLog } = options;

  async function answer(
    message: IncomingMessage,
    response: ServerResponse,
    gone: AbortController,
  ): Promise<HttpAnswer> {
    const [path = "", query = ""] = (message.url ?? "").split("?", 2);
    const handler = path === "/watch" ? api.watch : path === "/events" ? api.events : undefined;
    const token = BEARER.exec(message.headers.authorization ?? "")?.[1];
    const caller = token === undefined ? undefined : await callers.callerOf(token);
    if (token === undefined || caller === undefined) throw unauthorized();
    if (handler === undefined) throw notServed();
    if (message.method !== "GET") throw methodNotAllowed();
    const headers = { "last-event-id": message.headers["last-event-id"]?.toString() };
    const cancel = recheck(token, caller, gone);
    response.once("close", cancel);
    return handler({ query: new URLSearchParams(query), headers, signal: gone.signal }, caller);
  }

  /** Ends what goes on for a token that is no longer good, or is somebody else's. */
  function recheck(token: string, caller: Caller, gone: AbortController): () => void {
    let cancel = (): void => {};
    const again = async (): Promise<void> => {
      const now = await callers.callerOf(token).catch(() => undefined); // whoever cannot be asked about is shown nothing
      if (gone.signal.aborted) return;
      if (now?.username !== caller.username) gone.abort(unauthorized());
      else cancel = clock.timer(RECHECK_MS, () => void again());
    };
    cancel = clock.timer(RECHECK_MS, () => void again());
    return () => cancel();
  }

  async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    message.resume();
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    try {
      sendAnswer(await answer(message, response, gone), response);
    } catch (error) {
      if (!(error instanceof StatusError)) log.error("A request failed by a fault of the server", { error });
      const status =
        error instanceof StatusError ? error : internalError("an unexpected error, told in the log", error);
      if (status.code === 401) response.setHeader("www-authenticate", "Bearer");
      sendAnswer(statusAnswer(status), response);
    }
  }

  return {
    name: "event-server",
    when: "always",
    async run(signal) {
      await openServer(
        { port: PORT, ...options },
        (server: Server) => server.on("request", (...pair) => void handle(...pair)),
        signal,
      );
    },
  };
}

function notServed(): StatusError {
  const message = "the server could not find the requested resource; /watch and /events are served";
  return new StatusError({ code: 404, reason: "NotFound", message, details: {} });
}
