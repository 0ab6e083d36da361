import type { ObjectKind } from "@gatewright/gateway";
import type { JsonObject } from "@gatewright/kube";
import { contentVersion } from "../content-version.ts";
import type { Deliverable, SourceRef } from "../deliverable.ts";

/** Something to deliver, for tests: an APIRoute of the namespace `shop`, unless said otherwise. */
export function deliverable(
  name: string,
  {
    kind = "APIRoute",
    namespace = "shop",
    spec = {},
    labels = {},
    createdAt = "2030-01-01T00:00:00Z",
    source = { kind, namespace, name },
  }: {
    readonly kind?: ObjectKind;
    readonly namespace?: string;
    readonly spec?: JsonObject;
    readonly labels?: Readonly<Record<string, string>>;
    readonly createdAt?: string;
    readonly source?: SourceRef;
  } = {},
): Deliverable {
  const content = { kind, namespace, name, spec, createdAt };
  return { ...content, version: contentVersion(content), labels, source };
}
