import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { CertificateAuthority } from "@gatewright/apiserver";
import { ANSWERS } from "./webhook-answers.ts";

/** What a webhook was asked: the AdmissionReview as it came. */
export interface Asked {
  readonly path: string;
  readonly review: unknown;
}

/** Plays webhooks: the last part of the path is the name of an answer, the first one the case. */
export interface WebhookServer extends AsyncDisposable {
  readonly url: string;
  readonly caBundle: string;
  /** What was asked of a case since the last call. */
  take(testCase: string): Asked[];
}

export async function startWebhookServer(authority: CertificateAuthority): Promise<WebhookServer> {
  const { certificate, key } = await authority.issueServing();
  const asked = new Map<string, Asked[]>();
  const server = createServer({ cert: certificate, key }, (request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    request.on("end", () => {
      const path = new URL(request.url ?? "/", "https://webhook").pathname;
      const [testCase = "", name = ""] = path.split("/").slice(1);
      const review = JSON.parse(text) as { readonly request: { readonly uid: string } };
      asked.set(testCase, [...(asked.get(testCase) ?? []), { path: `/${name}`, review }]);
      const answer = ANSWERS[name]?.(review.request) ?? { status: 404, body: "no such webhook" };
      response.writeHead(answer.status, { "content-type": answer.type ?? "application/json" });
      response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    caBundle: Buffer.from(authority.certificate).toString("base64"),
    take(testCase) {
      const taken = asked.get(testCase) ?? [];
      asked.delete(testCase);
      return taken;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
