import type { ClientRequest, IncomingMessage } from "node:http";
import type { Agent } from "node:https";
import type * as Https from "node:https";
import { BodySyntaxError, getPath, isObject, parseYaml, quote } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";
import type { Clock } from "@gatewright/ports";
import { goNetworkError } from "./go-network-error.ts";
import { serverResponseError } from "./server-response-error.ts";

export interface WebhookCallOptions {
  readonly timeoutMs: number;
  readonly userAgent?: string;
}

/**
 * Posts JSON to the server that a `clientConfig` names (`url`, or `service`, and `caBundle`) and answers with the JSON that
 * came back. Rejects with {@link WebhookCallError}.
 */
export type WebhookCaller = (config: JsonObject, body: Json, options: WebhookCallOptions) => Promise<Json>;

/** The call failed before there was an answer to judge. The message is the one that kube-apiserver gives. */
export class WebhookCallError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "WebhookCallError";
  }
}

/**
 * Where a Service's port can be reached from here; undefined when nothing serves it. May throw an Error that tells why it
 * cannot (`service "x" not found`).
 */
export type ServiceResolver = (
  namespace: string,
  name: string,
  port: number,
) => { readonly hostname: string; readonly port: number } | undefined;

export interface WebhookCallerDeps {
  readonly clock: Clock;
  readonly resolveService: ServiceResolver;
}

const DEFAULT_USER_AGENT = "kube-apiserver-admission";
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;
const MAX_AGENTS = 100;

interface Address {
  readonly hostname: string;
  readonly port: number;
}

interface Target {
  readonly url: URL;
  /** What is dialled where that is not the host of the URL. */
  readonly dial: Address | undefined;
}

/** Makes a caller that keeps connections to each configured server open between calls. */
export function createWebhookCaller({ clock, resolveService }: WebhookCallerDeps): WebhookCaller {
  const agents = new Map<string, Agent>();

  /** One agent for each trust bundle; the least recently used one goes when there are too many. */
  function agentFor(caBundle: string, https: typeof Https): Agent {
    const agent = agents.get(caBundle) ?? newAgent(caBundle, https);
    agents.delete(caBundle);
    agents.set(caBundle, agent);
    for (const [oldest, idle] of agents) {
      if (agents.size <= MAX_AGENTS) break;
      agents.delete(oldest);
      idle.destroy();
    }
    return agent;
  }

  return async (config, body, options) => {
    const target = resolveTarget(config, options.timeoutMs, resolveService);
    const caBundle = typeof config.caBundle === "string" ? config.caBundle : "";
    const payload = Buffer.from(JSON.stringify(body));
    const dialled = target.dial ?? { hostname: bareHost(target.url), port: Number(target.url.port || 443) };
    // Loaded when the first webhook is called: TLS takes memory and a part of the start.
    const https = await import("node:https");
    const outgoing = https.request({
      ...dialled,
      path: `${target.url.pathname}${target.url.search}`,
      method: "POST",
      agent: agentFor(caBundle, https),
      ...(target.dial && { servername: target.url.hostname }),
      headers: {
        host: target.url.host,
        "user-agent": options.userAgent ?? DEFAULT_USER_AGENT,
        accept: "application/json, */*",
        "content-type": "application/json",
        "content-length": payload.length,
      },
    });
    const failure = (text: string, cause?: unknown): WebhookCallError =>
      new WebhookCallError(`Post ${quote(target.url.href)}: ${text}`, cause);
    const cancelTimer = clock.timer(options.timeoutMs, () => outgoing.destroy(failure("context deadline exceeded")));
    try {
      return decode(await exchange(outgoing, payload));
    } catch (error) {
      throw error instanceof WebhookCallError ? error : failure(goNetworkError(error, dialled, target.url), error);
    } finally {
      cancelTimer();
    }
  };
}

function newAgent(caBundle: string, https: typeof Https): Agent {
  // Whatever certificate is in the bundle is trusted, as in Go, also one that is not an authority.
  const trust = { ca: Buffer.from(caBundle, "base64"), allowPartialTrustChain: true };
  return new https.Agent({ keepAlive: true, ...(caBundle !== "" && trust) });
}

function resolveTarget(config: JsonObject, timeoutMs: number, resolveService: ServiceResolver): Target {
  const query = `?timeout=${Math.ceil(timeoutMs / 1000)}s`;
  const { service } = config;
  if (isObject(service)) {
    const [namespace, name] = [String(service.namespace ?? ""), String(service.name ?? "")];
    const port = typeof service.port === "number" ? service.port : 443;
    const url = new URL(`https://${name}.${namespace}.svc:${port}`);
    url.pathname = typeof service.path === "string" ? service.path : "/";
    url.search = query;
    const shown = `https://${name}.${namespace}.svc:${port}${url.pathname}${query}`;
    return { url, dial: dialOf(shown, name, () => resolveService(namespace, name, port)) };
  }
  const given = getPath(config, "url");
  const url = typeof given === "string" && URL.canParse(given) ? new URL(given) : undefined;
  if (!url) throw new WebhookCallError("webhook configuration must have either service or URL");
  // kube-apiserver's client cleans paths, and envtest relies on it.
  url.pathname = url.pathname.replaceAll(/\/{2,}/g, "/");
  url.search = query;
  return { url, dial: undefined };
}

function dialOf(shown: string, name: string, resolve: () => ReturnType<ServiceResolver>): Address {
  let why = `no endpoints available for service ${quote(name)}`;
  try {
    const found = resolve();
    if (found) return found;
  } catch (error) {
    why = error instanceof Error ? error.message : String(error);
  }
  throw new WebhookCallError(`Post ${quote(shown)}: ${why}`);
}

/** IPv6 addresses stand in brackets in URLs and without them everywhere else. */
function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

interface Answer {
  readonly code: number;
  readonly contentType: string;
  readonly body: Buffer;
}

function exchange(outgoing: ClientRequest, payload: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    outgoing.on("error", reject);
    outgoing.on("response", (incoming: IncomingMessage) => {
      const chunks: Buffer[] = [];
      let size = 0;
      incoming.on("error", reject);
      incoming.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_RESPONSE_BYTES) outgoing.destroy(new WebhookCallError("the webhook's response is too large"));
        else chunks.push(chunk);
      });
      incoming.on("end", () => {
        const contentType = incoming.headers["content-type"] ?? "";
        resolve({ code: incoming.statusCode ?? 0, contentType, body: Buffer.concat(chunks) });
      });
    });
    outgoing.end(payload);
  });
}

/** Answers are JSON, or YAML, which kube-apiserver reads as well. */
function decode({ code, contentType, body }: Answer): Json {
  let value: Json | undefined;
  let problem = "";
  try {
    if (body.length > 0) value = parseYaml(body).value;
  } catch (error) {
    if (!(error instanceof BodySyntaxError)) throw error;
    problem = `couldn't get version/kind; json parse error: ${error.message}`;
  }
  if (code < 200 || code > 206) throw new WebhookCallError(serverResponseError(code, contentType, body, value));
  if (body.length === 0) {
    throw new WebhookCallError(`0-length response with status code: ${code} and content type: ${contentType}`);
  }
  if (value === undefined) throw new WebhookCallError(problem);
  return value;
}
