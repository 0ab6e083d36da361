import { createServer } from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json, JsonObject } from "@gatewright/kube";
import { TEST_WEBHOOK_CERTIFICATE, TEST_WEBHOOK_KEY } from "./webhook-certificate.ts";

/** Answers a review: with a JSON body, or by itself. */
export type Answer = (review: JsonObject, request: IncomingMessage, response: ServerResponse) => Json | undefined;

export interface WebhookServer extends AsyncDisposable {
  readonly port: number;
  /** A clientConfig that reaches this server and trusts it. */
  clientConfig(path?: string): JsonObject;
}

/** A webhook on a free port of 127.0.0.1, with a certificate that only `caBundle` makes trusted. */
export async function startWebhookServer(answer: Answer): Promise<WebhookServer> {
  const server = createServer({ cert: TEST_WEBHOOK_CERTIFICATE, key: TEST_WEBHOOK_KEY }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = answer(JSON.parse(Buffer.concat(chunks).toString()) as JsonObject, request, response);
      if (body === undefined) return;
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    clientConfig: (path = "/") => ({
      url: `https://127.0.0.1:${port}${path}`,
      caBundle: Buffer.from(TEST_WEBHOOK_CERTIFICATE).toString("base64"),
    }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The review that answers `review`. */
export function reviewOf(review: JsonObject, response: JsonObject): JsonObject {
  const { uid = "" } = review.request as JsonObject;
  const { kind = "", apiVersion = "" } = review;
  return { kind, apiVersion, response: { uid, allowed: true, ...response } };
}

/** The fields with which a webhook answers that it wants the object patched. */
export function patchOf(operations: Json[]): JsonObject {
  return { patchType: "JSONPatch", patch: Buffer.from(JSON.stringify(operations)).toString("base64") };
}
