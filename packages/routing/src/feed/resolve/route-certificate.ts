import { isObject } from "@gatewright/kube";
import type { JsonObject } from "@gatewright/kube";
import type { Resolving } from "./resolving.ts";

const FIELD = "spec.tls.secretName";

/**
 * Fills in the certificate that a route names by its Secret. Without the Secret the route is served all the same, by plain HTTP or
 * with another certificate: whoever proves by HTTP that a name is his to get a certificate for it needs that.
 */
export function fillCertificate(spec: JsonObject, resolving: Resolving): void {
  const { tls } = spec;
  if (!isObject(tls) || typeof tls["secretName"] !== "string" || tls["secretName"] === "") return;
  const { namespace, around, problems } = resolving;
  const name = tls["secretName"];
  delete tls["secretName"];
  const warn = (message: string): void =>
    void problems.push({ severity: "warning", reason: "ReferenceMissing", field: FIELD, message });
  const found = around.contents("Secret", namespace, name);
  if (found === "unknown") resolving.waiting = true;
  else if (found === "missing") warn(`there is no Secret ${name} in namespace ${namespace}`);
  else {
    const [certificate, key] = [found.get("tls.crt"), found.get("tls.key")];
    if (certificate === undefined || key === undefined) warn(`Secret ${name} lacks tls.crt or tls.key`);
    else Object.assign(tls, { certificate: certificate.toString(), key: key.toString() });
  }
}
