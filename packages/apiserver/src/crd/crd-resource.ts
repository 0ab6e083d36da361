import { invalid } from "@gatewright/kube";
import type { JsonObject, KubeObject } from "@gatewright/kube";
import { unrecognizedFormats } from "@gatewright/kube/schema";
import type { Clock } from "@gatewright/ports";
import { builtIn, specChanged, statusSubresource } from "../kinds/built-in.ts";
import { nameAndCreation } from "../kinds/columns.ts";
import { struct, structs, text, texts } from "../resources/object-fields.ts";
import type { Resource, WriteContext } from "../resources/resource.ts";
import { setCondition } from "./conditions.ts";
import { defaultCrd } from "./crd-defaults.ts";
import { crdErrors, statusErrors } from "./crd-rules.ts";

export const CRDS = { group: "apiextensions.k8s.io", resource: "customresourcedefinitions" } as const;

/** Holds a deleted definition until its objects are gone. */
export const CLEANUP_FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

function storageVersion(crd: KubeObject): string | undefined {
  const version = structs(struct(crd, "spec"), "versions").find((v) => v["storage"] === true);
  return version && text(version, "name");
}

/** Remembers that objects may be stored in the version that is the storage version now. */
function rememberStorageVersion(crd: KubeObject): void {
  const status = struct(crd, "status");
  const version = storageVersion(crd);
  if (!status || version === undefined) return;
  const stored = texts(status, "storedVersions");
  if (!stored.includes(version)) status["storedVersions"] = [...stored, version];
}

function formatsOf(crd: KubeObject | undefined): string[] {
  return structs(struct(crd, "spec"), "versions").flatMap((version) => {
    const schema = struct(version, "schema", "openAPIV3Schema");
    return schema ? unrecognizedFormats(schema) : [];
  });
}

function warnOfFormats(crd: KubeObject, old: KubeObject | undefined, context: WriteContext): void {
  const known = new Set(formatsOf(old));
  for (const format of formatsOf(crd))
    if (!known.has(format)) context.warn(`unrecognized format ${JSON.stringify(format)}`);
}

const newStatus = (): JsonObject => ({
  conditions: null,
  acceptedNames: { plural: "", kind: "" },
  storedVersions: null,
});

/** CustomResourceDefinitions themselves. */
export function crdResource({ clock }: { readonly clock: Clock }): Resource {
  return builtIn({
    group: CRDS.group,
    kind: "CustomResourceDefinition",
    resource: CRDS.resource,
    namespaced: false,
    shortNames: ["crd", "crds"],
    categories: ["api-extensions"],
    versions: [
      {
        version: "v1",
        defaults: defaultCrd,
        columns: nameAndCreation,
        subresources: { status: statusSubresource({ validateUpdate: (crd) => statusErrors(crd) }) },
      },
    ],
    strategy: {
      raisesGeneration: specChanged,
      newStatus,
      allowsUnconditionalUpdate: false,
      prepareForCreate(crd, context) {
        rememberStorageVersion(crd);
        warnOfFormats(crd, undefined, context);
      },
      prepareForUpdate(crd, old, context) {
        rememberStorageVersion(crd);
        warnOfFormats(crd, old, context);
      },
      validateCreate(crd) {
        const spec = struct(crd, "spec");
        const name = crd.metadata.name ?? "";
        const due = `${text(struct(spec, "names"), "plural")}.${text(spec, "group")}`;
        const misnamed =
          name === "" || name === due
            ? []
            : [invalid("metadata.name", name, 'must be spec.names.plural+"."+spec.group')];
        return [...misnamed, ...crdErrors(crd)];
      },
      validateUpdate: (crd, old) => crdErrors(crd, old),
      onDeletionMarked(crd) {
        // Definitions are marked in a way of their own: neither a grace period nor a new generation is written down.
        delete crd.metadata.deletionGracePeriodSeconds;
        if (crd.metadata.generation !== undefined) crd.metadata.generation--;
        const finalizers = crd.metadata.finalizers ?? [];
        if (!finalizers.includes(CLEANUP_FINALIZER)) crd.metadata.finalizers = [...finalizers, CLEANUP_FINALIZER];
        const pending = {
          type: "Terminating",
          status: "True",
          reason: "InstanceDeletionPending",
          message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
        } as const;
        setCondition(crd, pending, clock.now());
      },
      heldBack: (crd) => (crd.metadata.finalizers ?? []).length > 0,
    },
  });
}
