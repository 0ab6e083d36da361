import { ensurePath, getPath, isObject } from "@gatewright/kube";
import type { JsonObject } from "@gatewright/kube";

/** Moves what is written in older places to where gateways look for it, in place. What is in its new place stays. */
export function fromOlderFields(spec: JsonObject): void {
  const cache = getPath(spec, "authorization", "cache");
  if (isObject(cache) && cache["sentinel"] !== undefined) {
    const redis = ensurePath(cache, "redis");
    redis["sentinel"] ??= cache["sentinel"];
    delete cache["sentinel"];
  }
  const security = spec["security"];
  if (isObject(security)) fromHeaders(security);
}

function fromHeaders(security: JsonObject): void {
  const headers = security["headers"];
  if (!isObject(headers) || headers["enabled"] !== true) return;
  const { contentSecurityPolicy: policy, strictTransportSecurity: transport } = headers;
  if (typeof policy === "string" && policy !== "") security["csp"] ??= { enabled: true, policy };
  if (typeof transport === "string" && transport !== "") {
    const hsts = hstsOf(transport);
    if (hsts !== undefined) security["hsts"] ??= hsts;
  }
  delete headers["contentSecurityPolicy"];
  if (isObject(security["hsts"])) delete headers["strictTransportSecurity"];
}

/** Undefined: it cannot be read, and is sent as it is written. */
function hstsOf(text: string): JsonObject | undefined {
  const parts = text.split(";").map((part) => part.trim().toLowerCase());
  const age = /^max-age="?(\d{1,10})"?$/.exec(parts.find((part) => part.startsWith("max-age")) ?? "")?.[1];
  if (age === undefined) return undefined;
  return {
    enabled: true,
    maxAge: Number(age),
    includeSubDomains: parts.includes("includesubdomains"),
    preload: parts.includes("preload"),
  };
}
