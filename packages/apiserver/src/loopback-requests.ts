import { StatusError } from "@gatewright/kube";
import { loopbackGuard } from "./auth/index.ts";
import type { ApiRequest } from "./http/api-request.ts";

/** Throws 403 for a request over loopback that a web page may have caused. Callers in this process are believed. */
export function guardLoopback({ headers, method, connection }: ApiRequest): void {
  if (connection.trustedUser) return;
  const refused = loopbackGuard({
    method,
    host: headers["host"],
    origin: headers["origin"],
    secFetchSite: headers["sec-fetch-site"],
    secFetchMode: headers["sec-fetch-mode"],
  });
  if (refused !== undefined) throw new StatusError({ code: 403, reason: "Forbidden", message: refused, details: {} });
}
