import type { FetchJson } from "@gatewright/gateway";
import type { AskVault } from "./vault-api.ts";

const TIMEOUT_MS = 10_000;

/** Vault's API at an address such as `https://vault.example.com:8200`. */
export function askVault(address: string, fetchJson: FetchJson): AskVault {
  return ({ path, token, body }, signal) =>
    fetchJson(
      {
        url: `${address.replace(/\/$/u, "")}/v1/${path}`,
        body: JSON.stringify(body),
        headers: new Map(token === undefined ? [] : [["x-vault-token", token]]),
        timeoutMs: TIMEOUT_MS,
      },
      signal,
    );
}
