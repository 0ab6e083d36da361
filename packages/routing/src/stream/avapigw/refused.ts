import type { ObjectKind } from "@gatewright/gateway";
import type { JsonObject } from "@gatewright/kube";
import { block, enabledBlock, isFilled, items } from "./spec-parts.ts";
import type { FieldRemark } from "./spec-parts.ts";

type Rule = (kind: ObjectKind, spec: JsonObject) => readonly [field: string, message: string] | undefined;

const hasCertificate = (tls: JsonObject): boolean => isFilled(tls["certFile"]) && isFilled(tls["keyFile"]);

/** What gateways of AVAPIGW refuse though our schema allows it. One such object would make them refuse all others with it. */
const RULES: readonly Rule[] = [
  (kind, spec) =>
    kind === "APIRoute" &&
    !isFilled(spec["route"]) &&
    block(spec, "redirect") === undefined &&
    block(spec, "directResponse") === undefined
      ? ["route", "one of route, redirect and directResponse is needed; aggregate alone is not enough"]
      : undefined,
  (kind, spec) =>
    kind.endsWith("Route") && kind !== "APIRoute" && !isFilled(spec["route"])
      ? ["route", "is needed; aggregate alone is not enough"]
      : undefined,
  (kind, spec) =>
    kind === "GRPCRoute" &&
    (items(spec["match"]).length === 0 || items(spec["match"]).some((match) => !isFilled(match)))
      ? ["match", "says which calls; none of them is empty"]
      : undefined,
  (_, spec) => {
    const sessions = enabledBlock(spec, "maxSessions");
    return sessions !== undefined && isFilled(sessions["queueSize"]) && !isFilled(sessions["queueTimeout"])
      ? ["maxSessions.queueTimeout", "is needed with queueSize"]
      : undefined;
  },
  (_, spec) => {
    const vault = enabledBlock(spec, "tls", "vault");
    return vault !== undefined && !isFilled(vault["commonName"]) ? ["tls.vault.commonName", "is needed"] : undefined;
  },
  (kind, spec) => {
    const tls = enabledBlock(spec, "tls");
    return kind === "GRPCBackend" &&
      tls !== undefined &&
      !hasCertificate(tls) &&
      enabledBlock(tls, "vault") === undefined
      ? ["tls.certFile", "certFile and keyFile are needed with tls, whatever its mode"]
      : undefined;
  },
];

/** Why gateways of AVAPIGW would refuse an object. */
export function refusals(kind: ObjectKind, spec: JsonObject): FieldRemark[] {
  return RULES.flatMap((rule) => {
    const [field, message] = rule(kind, spec) ?? [];
    return field === undefined
      ? []
      : [{ refused: true, field: `spec.${field}`, message: `for gateways of AVAPIGW: ${message}` }];
  });
}
