import type { JsonObject } from "@gatewright/kube";
import { setDefault, struct } from "../resources/object-fields.ts";
import { roundResources } from "./resource-list.ts";

/** Defaults of the spec of a persistent volume claim, or of a template of one. */
export function claimSpecDefaults(spec: JsonObject): void {
  setDefault(spec, "volumeMode", "Filesystem");
  roundResources(struct(spec, "resources"));
}
