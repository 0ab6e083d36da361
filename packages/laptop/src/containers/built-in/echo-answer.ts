import type { IncomingMessage, ServerResponse } from "node:http";
import { sleep } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import type { ContainerSpec } from "../container-runtime.ts";
import { parseImageName } from "../image-name.ts";

/** How much of a request's body is told back. */
const MOST_BODY = 64 * 1024;
const LONGEST_DELAY_MS = 60_000;

/**
 * Answers a request with what was asked and by whom it is answered, as JSON. `?delayMs=` makes it slow, `?status=` sets the code.
 * Of what comes from Secrets only names are told.
 */
export async function answerEcho(
  spec: ContainerSpec,
  clock: Clock,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? "/", "http://echo");
  const { body, bytes } = await readBody(request);
  const delayMs = Number(url.searchParams.get("delayMs") ?? 0);
  if (delayMs > 0) await sleep(clock, Math.min(delayMs, LONGEST_DELAY_MS));
  const status = Number(url.searchParams.get("status") ?? 200);
  const answer = {
    method: request.method,
    path: url.pathname,
    query: url.search,
    headers: request.headers,
    ...(bytes > 0 && { body, bodyBytes: bytes }),
    ...selfPortrait(spec),
  };
  response.writeHead(Number.isInteger(status) && status >= 200 && status <= 599 ? status : 400, {
    "content-type": "application/json",
    "x-pod-name": spec.pod.name,
  });
  response.end(request.method === "HEAD" ? undefined : `${JSON.stringify(answer, undefined, 2)}\n`);
}

function selfPortrait(spec: ContainerSpec): object {
  const { pod, name, image, restarts, env, secretEnv, files } = spec;
  const shown = [...env].filter(([variable]) => !secretEnv.has(variable));
  return {
    pod: { name: pod.name, namespace: pod.namespace, ip: pod.ip },
    container: { name, image, version: parseImageName(image)?.tag ?? "", restarts },
    env: Object.fromEntries(shown),
    secretEnv: [...secretEnv],
    files: [...files.keys()],
  };
}

async function readBody(request: IncomingMessage): Promise<{ readonly body: string; readonly bytes: number }> {
  const kept: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (bytes < MOST_BODY) kept.push(chunk.subarray(0, MOST_BODY - bytes));
    bytes += chunk.length;
  }
  return { body: Buffer.concat(kept).toString("utf8"), bytes };
}
