import type { KubeObject } from "@gatewright/kube";
import { setDefault, struct, structs, text, texts } from "../resources/object-fields.ts";

/** Fills in what a CustomResourceDefinition may leave out: names that follow from the kind, no conversion. */
export function defaultCrd(crd: KubeObject): void {
  const spec = struct(crd, "spec");
  if (!spec) return;
  const names = struct(spec, "names");
  const kind = text(names, "kind");
  if (names && kind !== "") {
    if (text(names, "singular") === "") names["singular"] = kind.toLowerCase();
    if (text(names, "listKind") === "") names["listKind"] = `${kind}List`;
  }
  setDefault(spec, "conversion", { strategy: "None" });
  const service = struct(spec, "conversion", "webhook", "clientConfig", "service");
  if (service) setDefault(service, "port", 443);
  const status = struct(crd, "status");
  const storage = structs(spec, "versions").find((version) => version["storage"] === true);
  if (status && storage && texts(status, "storedVersions").length === 0) {
    status["storedVersions"] = [text(storage, "name")];
  }
}
