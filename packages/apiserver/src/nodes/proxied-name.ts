import { badRequest, quote } from "@gatewright/kube";

/** Whom a proxy request names, in the forms `name`, `name:port` and `scheme:name:port`. */
export interface ProxiedName {
  readonly scheme: "http" | "https";
  readonly name: string;
  /** A number or the name of a port; empty when none is given. */
  readonly port: string;
}

/** Reads the name in the URL of a proxy. Throws 400 for any other form. */
export function parseProxiedName(id: string, what: "pod" | "service"): ProxiedName {
  const parts = id.split(":");
  const [scheme = "", name = "", port = ""] = parts.length < 3 ? ["", ...parts] : parts;
  if (parts.length > 3 || name === "" || !["", "http", "https"].includes(scheme)) {
    throw badRequest(`invalid ${what} request ${quote(id)}`);
  }
  return { scheme: scheme === "https" ? "https" : "http", name, port };
}
