import { readFileSync } from "node:fs";
import { request } from "node:https";

/** Talks to a Vault that shows a certificate of its own authority. */
export interface VaultAccess {
  readonly url: string;
  /** Path of the PEM file of the authority, which Vault writes when it starts. */
  readonly caFile: string;
  readonly token: string;
}

/** The status of a request with a JSON body, and what came back. Rejects when nobody answers. */
export function askVault(
  { url, caFile, token }: VaultAccess,
  method: string,
  path: string,
  body?: object,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const ca = readFileSync(caFile, "utf8");
    const sent = request(`${url}/v1/${path}`, { method, ca, headers: { "x-vault-token": token } }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text })).on("error", reject);
    });
    sent.on("error", reject).end(body && JSON.stringify(body));
  });
}
