import { getOwn, getPath, isObject } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";

/** Fields that hold a secret where anyone who may read the object can read it. */
const READABLE: ReadonlySet<string> = new Set([
  "clientSecret",
  "password",
  "secret",
  "sentinelPassword",
  "staticToken",
]);

/** What is worth saying about a spec that is allowed, though it is no error. No secrets in it. Pure. */
export function adviceOn(spec: JsonObject): readonly string[] {
  const said: string[] = [];
  const walk = (value: Json, field: string): void => {
    if (Array.isArray(value)) for (const [at, item] of value.entries()) walk(item, `${field}[${at}]`);
    if (!isObject(value) || getOwn(value, "enabled") === false) return;
    for (const key of Object.keys(value)) {
      const [inner, where] = [value[key] as Json, `${field}.${key}`];
      if (READABLE.has(key) && typeof inner === "string" && inner !== "") {
        said.push(`${where} can be read by everyone who can read the object`);
      } else if (key === "insecureSkipVerify" && inner === true) {
        said.push(`${where}: certificates of hosts are not verified`);
      } else if (key === "keyComponents" && Array.isArray(inner)) {
        said.push(`${where} is old: write keyConfig`);
      } else if (key.endsWith("File") && typeof inner === "string" && inner !== "" && !field.includes(".redis.")) {
        said.push(
          `${where}: gateways read files only in directories that their settings allow (files.allowDirectories)`,
        );
      } else walk(inner, where);
    }
  };
  walk(spec, "spec");
  const tls = spec["tls"];
  if (isObject(tls) && tls["enabled"] === true && tls["mode"] === "INSECURE") {
    said.push("spec.tls.mode INSECURE: certificates of hosts are not verified");
  }
  if (isObject(spec["redirect"]) && isObject(spec["directResponse"]))
    said.push("spec.directResponse has no effect beside spec.redirect");
  for (const local of ["redirect", "directResponse"]) {
    const [hasLocal, route] = [isObject(spec[local]), spec["route"]];
    if (hasLocal && Array.isArray(route) && route.length > 0)
      said.push(`spec.route has no effect beside spec.${local}`);
  }
  if (getPath(spec, "authorization", "cache", "sentinel") !== undefined) {
    said.push("spec.authorization.cache.sentinel is old: write redis.sentinel");
  }
  const mtls = getPath(spec, "authentication", "mtls");
  if (isObject(mtls) && mtls["enabled"] === true && (mtls["caFile"] ?? "") === "") {
    said.push("spec.authentication.mtls without caFile trusts what the listener trusts");
  }
  for (const block of ["authentication", "authorization"]) said.push(...offAdvice(spec, block));
  return said;
}

/** What protects is written down and switched on, but in a block that is off: nobody is kept out. */
function offAdvice(spec: JsonObject, block: string): readonly string[] {
  const given = spec[block];
  if (!isObject(given) || given["enabled"] === true) return [];
  const on = Object.keys(given).filter((key) => key !== "cache" && getPath(given, key, "enabled") === true);
  if (on.length === 0) return [];
  const though = `${on.join(" and ")} ${on.length === 1 ? "is" : "are"}`;
  return [`spec.${block} is not enabled, though ${though}: nobody is kept out; set spec.${block}.enabled`];
}
