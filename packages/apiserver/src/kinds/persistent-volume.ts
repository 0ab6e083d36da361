import {
  child,
  deepEqual,
  forbiddenField,
  formatTime,
  getOwn,
  invalid,
  isDNS1123Subdomain,
  key,
  notSupported,
  quantityOf,
  quantitySign,
  required,
  validateImmutable,
} from "@gatewright/kube";
import type { FieldError, JsonObject, KubeObject } from "@gatewright/kube";
import { entries, setDefault, specOf, struct, structOf, text, textAt, texts } from "../resources/object-fields.ts";
import type { Resource } from "../resources/resource.ts";
import { accessModesText } from "./access-modes.ts";
import { builtIn, statusSubresource } from "./built-in.ts";
import { optionalChoiceErrors } from "./choice-validation.ts";
import { accessModeErrors, VOLUME_MODES } from "./claim-spec-validation.ts";
import { age, columns } from "./columns.ts";
import { noBackstepErrors } from "./path-validation.ts";
import { volumeSourceDefaults } from "./pod-spec-defaults.ts";
import { roundResourceList } from "./resource-list.ts";
import { nodeSelectorErrors } from "./scheduling-validation.ts";
import { csiDriverErrors, hostPathErrors, needs, nfsErrors, volumeSourceErrors } from "./volume-source-validation.ts";
import type { VolumeSourceRule } from "./volume-source-validation.ts";

const CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";
const RECLAIM_POLICIES = ["Delete", "Recycle", "Retain"];

/** Rules of the volume sources, in the order in which they are judged. */
const SOURCES: ReadonlyMap<string, VolumeSourceRule> = new Map<string, VolumeSourceRule>([
  ["hostPath", hostPathErrors],
  ["gcePersistentDisk", needs("pdName")],
  ["awsElasticBlockStore", needs("volumeID")],
  ["glusterfs", needs("endpoints", "path")],
  ["flocker", () => []],
  ["nfs", nfsErrors],
  ["rbd", needs("image")],
  ["quobyte", needs("registry", "volume")],
  ["cephfs", () => []],
  ["iscsi", needs("targetPortal", "iqn")],
  ["cinder", needs("volumeID")],
  ["fc", () => []],
  ["flexVolume", needs("driver")],
  ["azureFile", needs("secretName", "shareName")],
  ["vsphereVolume", needs("volumePath")],
  ["photonPersistentDisk", needs("pdID")],
  ["portworxVolume", needs("volumeID")],
  ["azureDisk", needs("diskName", "diskURI")],
  ["scaleIO", needs("gateway", "system", "volumeName")],
  [
    "local",
    (s, p) => (text(s, "path") === "" ? needs("path")(s, p) : noBackstepErrors(text(s, "path"), child(p, "path"))),
  ],
  ["storageos", () => []],
  ["csi", (s, p) => [...csiDriverErrors(s, p), ...needs("volumeHandle")(s, p)]],
]);

function sourceErrors(spec: JsonObject): FieldError[] {
  const errors = volumeSourceErrors(spec, SOURCES, "spec");
  const first = [...SOURCES.keys()].find((name) => struct(spec, name));
  if (first === "local" && !struct(spec, "nodeAffinity", "required")) {
    errors.push(required("spec.nodeAffinity", "Local volume requires node affinity"));
  }
  return errors;
}

function capacityErrors(spec: JsonObject): FieldError[] {
  const capacity = struct(spec, "capacity");
  const names = Object.keys(capacity ?? {});
  const errors: FieldError[] = [];
  if (names.length === 0) errors.push(required("spec.capacity"));
  if (names.length !== 1 || names[0] !== "storage")
    errors.push(notSupported("spec.capacity", capacity ?? null, ["storage"]));
  for (const [name, amount] of entries(spec, "capacity")) {
    const quantity = quantityOf(amount);
    if (quantity && quantitySign(quantity) <= 0)
      errors.push(invalid(key("spec.capacity", name), amount, "must be greater than zero"));
  }
  return errors;
}

function volumeErrors(object: KubeObject): FieldError[] {
  const spec = specOf(object);
  const affinity = struct(spec, "nodeAffinity");
  const selector = struct(affinity, "required");
  const [policy, className, mode] = [
    text(spec, "persistentVolumeReclaimPolicy"),
    text(spec, "storageClassName"),
    text(spec, "volumeMode"),
  ];
  return [
    ...(texts(spec, "accessModes").length === 0 ? [required("spec.accessModes")] : []),
    ...accessModeErrors(spec, "spec"),
    ...capacityErrors(spec),
    ...optionalChoiceErrors(policy, RECLAIM_POLICIES, "spec.persistentVolumeReclaimPolicy"),
    ...(affinity && !selector
      ? [required("spec.nodeAffinity.required", "must specify required node constraints")]
      : []),
    ...(selector ? nodeSelectorErrors(selector, "spec.nodeAffinity.required") : []),
    ...sourceErrors(spec),
    ...(className === ""
      ? []
      : isDNS1123Subdomain(className).map((why) => invalid("spec.storageClassName", className, why))),
    ...optionalChoiceErrors(mode, VOLUME_MODES, "spec.volumeMode"),
  ];
}

function changeErrors(object: KubeObject, old: KubeObject): FieldError[] {
  const [spec, before] = [specOf(object), specOf(old)];
  const same = [...SOURCES.keys()].every((name) => deepEqual(spec[name], before[name]));
  return [
    ...(same
      ? []
      : [forbiddenField("spec.persistentvolumesource", "spec.persistentvolumesource is immutable after creation")]),
    ...validateImmutable(spec["volumeMode"] ?? null, before["volumeMode"] ?? null, "volumeMode"),
  ];
}

function cells(object: KubeObject, now: number): string[] {
  const [spec, status] = [struct(object, "spec"), struct(object, "status")];
  const claim = struct(spec, "claimRef");
  return [
    object.metadata.name ?? "",
    String(getOwn(struct(spec, "capacity") ?? {}, "storage") ?? "0"),
    accessModesText(texts(spec, "accessModes")),
    text(spec, "persistentVolumeReclaimPolicy"),
    object.metadata.deletionTimestamp ? "Terminating" : text(status, "phase"),
    claim ? `${text(claim, "namespace")}/${text(claim, "name")}` : "",
    textAt(object.metadata.annotations, CLASS_ANNOTATION) ?? text(spec, "storageClassName"),
    (spec?.["volumeAttributesClassName"] as string | undefined) ?? "<unset>",
    text(status, "reason"),
    age(object, now),
    (spec?.["volumeMode"] as string | undefined) ?? "<unset>",
  ];
}

export function persistentVolumes(): Resource {
  return builtIn({
    group: "",
    kind: "PersistentVolume",
    resource: "persistentvolumes",
    namespaced: false,
    shortNames: ["pv"],
    versions: [
      {
        version: "v1",
        defaults(object) {
          const spec = specOf(object);
          setDefault(structOf(object, "status"), "phase", "Pending");
          setDefault(spec, "persistentVolumeReclaimPolicy", "Retain");
          setDefault(spec, "volumeMode", "Filesystem");
          roundResourceList(struct(spec, "capacity"));
          volumeSourceDefaults(spec);
        },
        columns: columns(
          [
            "Name",
            "Capacity",
            "Access Modes",
            "Reclaim Policy",
            "Status",
            "Claim",
            "StorageClass",
            "VolumeAttributesClass",
            "Reason",
            "Age",
            "VolumeMode@1",
          ],
          cells,
        ),
        subresources: {
          status: statusSubresource({
            prepareForUpdate(object, old, context) {
              const [status, before] = [structOf(object, "status"), struct(old, "status")];
              const [time, oldTime] = [status["lastPhaseTransitionTime"], before?.["lastPhaseTransitionTime"]];
              if (text(status, "phase") !== text(before, "phase")) {
                if (time === undefined || time === oldTime) status["lastPhaseTransitionTime"] = formatTime(context.now);
              } else if (time === undefined && oldTime !== undefined) {
                status["lastPhaseTransitionTime"] = oldTime;
              }
            },
          }),
        },
      },
    ],
    strategy: {
      returnsDeletedObject: true,
      newStatus: () => ({}),
      prepareForCreate(object, context) {
        object["status"] = { phase: "Pending", lastPhaseTransitionTime: formatTime(context.now) };
      },
      validate: volumeErrors,
      validateUpdate: (object, old) => [...volumeErrors(object), ...changeErrors(object, old)],
    },
  });
}
