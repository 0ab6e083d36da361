import {
  child,
  compareQuantities,
  deepClone,
  deepEqual,
  forbiddenField,
  getOwn,
  quantityOf,
  validateImmutable,
} from "@gatewright/kube";
import type { FieldError, JsonObject, KubeObject } from "@gatewright/kube";
import { setDefault, setOrDrop, specOf, struct, structOf, text, textAt, texts } from "../resources/object-fields.ts";
import type { Resource } from "../resources/resource.ts";
import { accessModesText } from "./access-modes.ts";
import { builtIn, statusSubresource } from "./built-in.ts";
import { claimSpecDefaults } from "./claim-spec-defaults.ts";
import { claimSpecErrors } from "./claim-spec-validation.ts";
import { age, columns } from "./columns.ts";
import { roundResourceList } from "./resource-list.ts";

const CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";
const IMMUTABLE =
  "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";

/** `dataSource` and `dataSourceRef` name the same thing where the older field can. */
function normalizeSources(spec: JsonObject): void {
  const [source, ref] = [struct(spec, "dataSource"), struct(spec, "dataSourceRef")];
  if (source && !ref) spec["dataSourceRef"] = deepClone(source);
  else if (ref && !source && text(ref, "namespace") === "") {
    const { namespace: _namespace, ...local } = ref;
    spec["dataSource"] = deepClone({ apiGroup: null, ...local });
  }
}

/** Before there was dataSourceRef, a source that is neither a claim nor a snapshot was dropped. */
function dropForeignSource(spec: JsonObject): void {
  const source = struct(spec, "dataSource");
  if (!source || struct(spec, "dataSourceRef")) return;
  const [group, kind] = [text(source, "apiGroup"), text(source, "kind")];
  const claim = kind === "PersistentVolumeClaim" && group === "";
  if (!claim && !(kind === "VolumeSnapshot" && group === "snapshot.storage.k8s.io")) delete spec["dataSource"];
}

function prepare(object: KubeObject): void {
  const spec = specOf(object);
  dropForeignSource(spec);
  normalizeSources(spec);
}

const requested = (object: KubeObject): JsonObject => struct(object, "spec", "resources", "requests") ?? {};

/** The new spec with everything put back that may change. */
function judged(object: KubeObject, old: KubeObject): JsonObject {
  const spec = deepClone(specOf(object));
  const before = specOf(old);
  if (text(before, "volumeName") === "") delete spec["volumeName"];
  if (before["storageClassName"] === undefined && !textAt(old.metadata.annotations, CLASS_ANNOTATION)) {
    delete spec["storageClassName"];
  }
  if (text(struct(object, "status"), "phase") === "Bound") {
    const requests = struct(spec, "resources", "requests");
    if (requests) setOrDrop(requests, "storage", getOwn(requested(old), "storage"));
    setOrDrop(spec, "volumeAttributesClassName", before["volumeAttributesClassName"]);
  }
  return spec;
}

function shrinkErrors(object: KubeObject, old: KubeObject): FieldError[] {
  const [size, before] = [requested(object), requested(old)].map((list) => quantityOf(getOwn(list, "storage")));
  const capacity = quantityOf(getOwn(struct(old, "status", "capacity") ?? {}, "storage") ?? "0");
  if (!size || !before || !capacity || compareQuantities(size, before) >= 0 || compareQuantities(size, capacity) > 0)
    return [];
  return [forbiddenField("spec.resources.requests.storage", "field can not be less than status.capacity")];
}

function changeErrors(object: KubeObject, old: KubeObject): FieldError[] {
  const [spec, before] = [specOf(object), specOf(old)];
  return [
    ...validateImmutable(
      textAt(object.metadata.annotations, CLASS_ANNOTATION) ?? "",
      textAt(old.metadata.annotations, CLASS_ANNOTATION) ?? "",
      child("metadata", "annotations", CLASS_ANNOTATION),
    ),
    ...(deepEqual(judged(object, old), judged(old, old)) ? [] : [forbiddenField("spec", IMMUTABLE)]),
    ...shrinkErrors(object, old),
    ...validateImmutable(spec["volumeMode"] ?? null, before["volumeMode"] ?? null, "volumeMode"),
  ];
}

function cells(object: KubeObject, now: number): string[] {
  const [spec, status] = [struct(object, "spec"), struct(object, "status")];
  const volume = text(spec, "volumeName");
  const storage = getOwn(struct(status, "capacity") ?? {}, "storage") ?? "0";
  const className = textAt(object.metadata.annotations, CLASS_ANNOTATION) ?? text(spec, "storageClassName");
  return [
    object.metadata.name ?? "",
    object.metadata.deletionTimestamp ? "Terminating" : text(status, "phase"),
    volume,
    volume === "" ? "" : String(storage),
    volume === "" ? "" : accessModesText(texts(status, "accessModes")),
    className,
    (spec?.["volumeAttributesClassName"] as string | undefined) ?? "<unset>",
    age(object, now),
    (spec?.["volumeMode"] as string | undefined) ?? "<unset>",
  ];
}

export function persistentVolumeClaims(): Resource {
  return builtIn({
    group: "",
    kind: "PersistentVolumeClaim",
    resource: "persistentvolumeclaims",
    namespaced: true,
    shortNames: ["pvc"],
    versions: [
      {
        version: "v1",
        defaults(object) {
          const status = structOf(object, "status");
          setDefault(status, "phase", "Pending");
          roundResourceList(struct(status, "capacity"));
          claimSpecDefaults(specOf(object));
        },
        columns: columns(
          [
            "Name",
            "Status",
            "Volume",
            "Capacity",
            "Access Modes",
            "StorageClass",
            "VolumeAttributesClass",
            "Age",
            "VolumeMode@1",
          ],
          cells,
        ),
        subresources: { status: statusSubresource() },
      },
    ],
    strategy: {
      returnsDeletedObject: true,
      newStatus: () => ({ phase: "Pending" }),
      prepareForCreate: prepare,
      prepareForUpdate: prepare,
      validate: (object) => claimSpecErrors(specOf(object), "spec"),
      validateUpdate: (object, old) => [...claimSpecErrors(specOf(object), "spec"), ...changeErrors(object, old)],
    },
  });
}
