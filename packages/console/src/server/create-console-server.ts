import type { IncomingMessage, Server, ServerResponse } from "node:http";
import {
  internalError,
  methodNotAllowed,
  requestEntityTooLarge,
  serviceUnavailable,
  StatusError,
  unauthorized,
} from "@gatewright/kube";
import type { Clock, Random } from "@gatewright/ports";
import type { IngressClassSettings } from "@gatewright/routing/ingress";
import { quietLog, TransportError } from "@gatewright/runtime";
import type { Log, Runnable, TransportConfig } from "@gatewright/runtime";
import { openServer, sendAnswer, statusAnswer } from "@gatewright/runtime/serving";
import type { HttpAnswer, OpenServerOptions } from "@gatewright/runtime/serving";
import { toConsole } from "../console-paths.ts";
import { CONSOLE_API_PATH, CONSOLE_PATH, createConsole } from "../console.ts";
import { PAGE_HEADERS } from "../page/page-security.ts";
import { callerTransports } from "./caller-transport.ts";
import { isPassedOn, passOn } from "./pass-on.ts";
import { sameOriginOnly } from "./same-origin.ts";

export interface ConsoleServerOptions extends Omit<OpenServerOptions, "port"> {
  readonly clock: Clock;
  readonly random: Random;
  readonly log?: Log;
  /** The cluster to show. Of this only the way to the server is used, never who its user is. */
  readonly cluster: TransportConfig;
  /** The folder of the workspace, where the page's files are. */
  readonly root: string;
  /** Default: 9445. 0: any free one. */
  readonly port?: number;
  /** Which Ingresses gateways serve. Default: none. */
  readonly ingress?: IngressClassSettings | undefined;
  /** Names that the console is reached by; requests for any other are refused. Default: any. */
  readonly hosts?: readonly string[];
}

const PORT = 9445;
const BEARER = /^bearer +[^\s]{1,16384}$/i;
const MOST_BYTES = 3 * 1024 * 1024;

/**
 * Serves the console in a cluster: the page to anybody, and the Kubernetes API to callers who show a bearer token, in their own name.
 * The process's own credentials are never used. Tokens are not kept and not logged.
 */
export function createConsoleServer(options: ConsoleServerOptions): Runnable {
  const { clock, random, root, cluster, ingress, hosts = [], log = quietLog } = options;
  const fault = (error: unknown): void =>
    log.error("A request to the console failed by a fault of the server", { error });
  const console = createConsole({ clock, random, root, ingress, fault });
  const names = hosts.map((host) => host.toLowerCase());

  return {
    name: "console-server",
    when: "always",
    async run(signal) {
      const transports = callerTransports(cluster);
      const handle = (message: IncomingMessage, response: ServerResponse): void => {
        const gone = new AbortController();
        response.once("close", () => gone.abort());
        void answer(message, gone.signal)
          .catch(failure)
          .then((given) => sendAnswer({ ...given, headers: { ...PAGE_HEADERS, ...given.headers } }, response));
      };

      const answer = async (message: IncomingMessage, left: AbortSignal): Promise<HttpAnswer> => {
        const { method = "GET", url = "/" } = message;
        const headers = message.headers as Readonly<Record<string, string | undefined>>;
        sameOriginOnly({ method, headers: message.headers }, names);
        const [path = "", search = ""] = url.split("?", 2);
        const question = { path, query: new URLSearchParams(search), headers, signal: left };
        const isRead = method === "GET" || method === "HEAD";
        if (isRead && (path === "/" || `${path}/` === CONSOLE_PATH)) return toConsole();
        if (path.startsWith(CONSOLE_API_PATH)) {
          if (!isRead) throw methodNotAllowed();
          return console.api(question, transports.as(credentialsOf(headers)));
        }
        if (isPassedOn(url)) {
          const transport = transports.as(credentialsOf(headers));
          return passOn({ method, url, headers, body: await bodyOf(message), signal: left }, transport);
        }
        if (!path.startsWith(CONSOLE_PATH)) throw notServed();
        if (!isRead) throw methodNotAllowed();
        return console.page(question);
      };

      const failure = (error: unknown): HttpAnswer => {
        if (error instanceof StatusError) return refusal(error);
        if (error instanceof TransportError) {
          return refusal(serviceUnavailable(`the API server cannot be asked: ${error.message}`, 1));
        }
        fault(error);
        return refusal(internalError("an unexpected error, told in the log", error));
      };

      try {
        await openServer({ port: PORT, ...options }, (server: Server) => server.on("request", handle), signal);
      } finally {
        transports.close();
      }
    },
  };
}

function credentialsOf({ authorization }: Readonly<Record<string, string | undefined>>): string {
  if (authorization === undefined || !BEARER.test(authorization)) throw unauthorized();
  return authorization;
}

function refusal(error: StatusError): HttpAnswer {
  const answer = statusAnswer(error);
  return error.code === 401 ? { ...answer, headers: { ...answer.headers, "www-authenticate": "Bearer" } } : answer;
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) throw requestEntityTooLarge(`limit is ${MOST_BYTES}`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function notServed(): StatusError {
  const message = "the server could not find the requested resource; the console is at /console/";
  return new StatusError({ code: 404, reason: "NotFound", message, details: {} });
}
