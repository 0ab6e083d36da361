import { getPath } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";
import type { ExecPlugin } from "../transport-config.ts";
import type { Credentials } from "./credential-source.ts";

/** What a plugin is told, in the variable KUBERNETES_EXEC_INFO. */
export function execInfo(plugin: ExecPlugin, interactive: boolean): string {
  const spec = { ...(plugin.cluster !== undefined && { cluster: plugin.cluster }), interactive };
  return JSON.stringify({ kind: "ExecCredential", apiVersion: plugin.apiVersion, spec });
}

/** Reads what a plugin printed. Throws with a reason that holds nothing of it: it is secret. */
export function parseExecCredential(
  plugin: ExecPlugin,
  output: string,
): { readonly credentials: Credentials; readonly expiresAt: number | undefined } {
  const printed = parsed(output);
  if (getPath(printed, "kind") !== "ExecCredential") throw new Error("it printed no ExecCredential");
  if (getPath(printed, "apiVersion") !== plugin.apiVersion) {
    throw new Error(`it printed credentials of another version than ${plugin.apiVersion}`);
  }
  const status = (field: string): string | undefined => {
    const value = getPath(printed, "status", field);
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const [token, cert, key] = [status("token"), status("clientCertificateData"), status("clientKeyData")];
  if ((cert === undefined) !== (key === undefined))
    throw new Error("it printed a certificate or a key without the other");
  if (token === undefined && cert === undefined) throw new Error("it printed neither a token nor a certificate");
  const expiry = status("expirationTimestamp");
  const expiresAt = expiry === undefined ? undefined : Date.parse(expiry);
  if (Number.isNaN(expiresAt)) throw new Error("it printed an expiry that is no time");
  return {
    credentials: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(cert !== undefined && key !== undefined && { cert, key }),
    },
    expiresAt,
  };
}

function parsed(output: string): Json {
  try {
    return JSON.parse(output) as Json;
  } catch {
    // The parser's own message would quote a secret.
    throw new Error("it printed something that is not JSON");
  }
}
