import { deepFreeze } from "../../json/freeze.ts";
import type { Json, JsonObject } from "../../json/json.ts";
import type { KubeObject } from "../../object.ts";
import { applyServerSide } from "../apply.ts";
import type { ApplyRequest } from "../apply.ts";
import { widget } from "./test-types.ts";

export const apiVersion = "example.com/v1";
/** What requests of these tests have in common. */
export const common = {
  apiVersion,
  subresource: "",
  now: "2026-01-01T00:00:00Z",
  typeOf: (version: string) => (version === apiVersion ? widget : undefined),
  resetFields: [["status"]],
};

/** A configuration of the widget `w`. */
export function config(spec: Json, metadata: JsonObject = {}): KubeObject {
  return { apiVersion, kind: "Widget", metadata: { name: "w", ...metadata }, spec };
}

/** Applies to a frozen object and gives the result. */
export function apply(
  live: KubeObject | undefined,
  patch: KubeObject,
  manager: string,
  more: Partial<ApplyRequest> = {},
): KubeObject {
  if (live) deepFreeze(live);
  return applyServerSide({
    ...common,
    live,
    patch: deepFreeze(patch),
    kind: "Widget",
    manager,
    force: false,
    ...more,
  }).object;
}
