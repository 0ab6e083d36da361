import { getOwn } from "@gatewright/kube";
import type { Call } from "../../pipeline/call.ts";
import { callSource } from "../transform/call-source.ts";
import { isRecord } from "../transform/json-text.ts";
import { queryPairs } from "../../exchange/query-value.ts";
import { pointerTo } from "./json-pointer.ts";
import type { Located, OpenapiDocument } from "./openapi-document.ts";

/**
 * Whether a call brings what an operation demands of its callers: one of the alternatives, wholly. Only that it is there; whether it
 * is right is for authentication.
 */
export function bringsCredentials(document: OpenapiDocument, operation: Located, call: Call): boolean {
  const demanded = getOwn(operation.value, "security") ?? getOwn(document.root, "security");
  if (!Array.isArray(demanded) || demanded.length === 0) return true;
  return demanded.some(
    (alternative) =>
      isRecord(alternative) &&
      Object.keys(alternative).every((name) => {
        const scheme = document.at(pointerTo(["components", "securitySchemes", name]));
        return scheme !== undefined && brings(scheme, call);
      }),
  );
}

function brings({ value }: Located, call: Call): boolean {
  const { fields } = call.head;
  const sent = fields.get("authorization") ?? "";
  switch (getOwn(value, "type")) {
    case "http": {
      const scheme = String(getOwn(value, "scheme") ?? "").toLowerCase();
      return sent.toLowerCase().startsWith(`${scheme} `);
    }
    case "apiKey": {
      const name = String(getOwn(value, "name") ?? "");
      if (getOwn(value, "in") === "query")
        return queryPairs(call.query).some(([found, key]) => found === name && key !== "");
      if (getOwn(value, "in") === "cookie") return callSource(`cookie.${name}`)?.(call) !== undefined;
      return fields.has(name.toLowerCase());
    }
    case "mutualTLS":
      return call.client.tls?.certificate !== undefined;
    case "oauth2":
    case "openIdConnect":
      return /^bearer ./i.test(sent) || call.identity?.method === "oidc" || call.identity?.method === "jwt";
    default:
      return false;
  }
}
