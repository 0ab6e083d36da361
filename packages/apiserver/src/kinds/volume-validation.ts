import {
  at,
  child,
  duplicate,
  forbiddenField,
  invalid,
  isDNS1123Label,
  quantityOf,
  quantitySign,
  required,
} from "@gatewright/kube";
import type { FieldError, FieldPath, JsonObject } from "@gatewright/kube";
import { count, number, struct, structs, text } from "../resources/object-fields.ts";
import { claimSpecErrors } from "./claim-spec-validation.ts";
import { FILE_FIELDS, fieldRefErrors, resourceFieldRefErrors } from "./downward-api-validation.ts";
import { volumeFilePathErrors } from "./path-validation.ts";
import { csiDriverErrors, hostPathErrors, needs, nfsErrors, volumeSourceErrors } from "./volume-source-validation.ts";
import type { VolumeSourceRule } from "./volume-source-validation.ts";

const FILE_MODE = "must be a number between 0 and 0777 (octal), both inclusive";
function modeErrors(holder: JsonObject, field: string, path: FieldPath): FieldError[] {
  const mode = number(holder, field);
  return mode !== undefined && (mode < 0 || mode > 0o777) ? [invalid(child(path, field), mode, FILE_MODE)] : [];
}

function keyToPathErrors(item: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...needs("key", "path")(item, path),
    ...volumeFilePathErrors(text(item, "path"), child(path, "path")),
    ...modeErrors(item, "mode", path),
  ];
}

const itemErrors = (source: JsonObject, path: FieldPath): FieldError[] =>
  structs(source, "items").flatMap((item, i) => keyToPathErrors(item, at(child(path, "items"), i)));

function downwardFileErrors(file: JsonObject, path: FieldPath): FieldError[] {
  const [field, resource] = [struct(file, "fieldRef"), struct(file, "resourceFieldRef")];
  const errors = [...needs("path")(file, path), ...volumeFilePathErrors(text(file, "path"), child(path, "path"))];
  if (field) {
    errors.push(...fieldRefErrors(field, child(path, "fieldRef"), FILE_FIELDS));
    if (resource)
      errors.push(invalid(path, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously"));
  } else if (resource) {
    errors.push(...resourceFieldRefErrors(resource, child(path, "resourceFieldRef"), true));
  } else {
    errors.push(required(path, "one of fieldRef and resourceFieldRef is required"));
  }
  return [...errors, ...modeErrors(file, "mode", path)];
}

const downwardErrors = (source: JsonObject, path: FieldPath): FieldError[] =>
  structs(source, "items").flatMap((file) => downwardFileErrors(file, path));

function tokenErrors(token: JsonObject, path: FieldPath, volume: FieldPath): FieldError[] {
  const seconds = count(token, "expirationSeconds");
  const errors: FieldError[] = [];
  const why = (what: string): string => `may not specify a duration ${what}`;
  if (seconds < 600) errors.push(invalid(child(path, "expirationSeconds"), seconds, why("less than 10 minutes")));
  if (seconds > 2 ** 32)
    errors.push(invalid(child(path, "expirationSeconds"), seconds, why("larger than 2^32 seconds")));
  const file = text(token, "path");
  return [
    ...errors,
    ...(file === "" ? [required(child(volume, "path"))] : volumeFilePathErrors(file, child(volume, "path"))),
  ];
}

function projectedErrors(projected: JsonObject, path: FieldPath): FieldError[] {
  const errors = modeErrors(projected, "defaultMode", path);
  const paths = new Set<string>();
  const repeats = (name: string, items: readonly JsonObject[]): void => {
    for (const item of items) {
      const file = text(item, "path");
      if (file === "") continue;
      if (paths.has(file)) errors.push(invalid(path, name || file, "conflicting duplicate paths"));
      paths.add(file);
    }
  };
  structs(projected, "sources").forEach((source, i) => {
    const place = at(child(path, "sources"), i);
    const found = Object.keys(source).filter((name) => struct(source, name) !== undefined);
    for (const kind of ["secret", "configMap"]) {
      const projection = struct(source, kind);
      if (!projection) continue;
      errors.push(...needs("name")(projection, child(place, kind)), ...itemErrors(projection, child(place, kind)));
      repeats(text(projection, "name"), structs(projection, "items"));
    }
    const downward = struct(source, "downwardAPI");
    if (downward) {
      errors.push(...downwardErrors(downward, child(place, "downwardAPI")));
      repeats("", structs(downward, "items"));
    }
    const token = struct(source, "serviceAccountToken");
    if (token) errors.push(...tokenErrors(token, child(place, "serviceAccountToken"), path));
    if (found.length > 1) errors.push(forbiddenField(place, "may not specify more than 1 volume type per source"));
  });
  return errors;
}

function emptyDirErrors(source: JsonObject, path: FieldPath): FieldError[] {
  const limit = quantityOf(source["sizeLimit"] ?? "0");
  const negative = limit !== undefined && quantitySign(limit) < 0;
  return negative
    ? [forbiddenField(child(path, "sizeLimit"), "SizeLimit field must be a valid resource quantity")]
    : [];
}

const ephemeralErrors: VolumeSourceRule = (source, path) => {
  const template = struct(source, "volumeClaimTemplate");
  const place = child(path, "volumeClaimTemplate");
  return template ? claimSpecErrors(struct(template, "spec") ?? {}, child(place, "spec")) : [required(place)];
};

/** Rules of the volume sources, in the order in which they are judged. Sources without a rule here are taken as they are. */
const SOURCES: ReadonlyMap<string, VolumeSourceRule> = new Map<string, VolumeSourceRule>([
  ["emptyDir", emptyDirErrors],
  ["hostPath", hostPathErrors],
  ["gitRepo", needs("repository")],
  ["gcePersistentDisk", needs("pdName")],
  ["awsElasticBlockStore", needs("volumeID")],
  ["secret", (s, p) => [...needs("secretName")(s, p), ...modeErrors(s, "defaultMode", p), ...itemErrors(s, p)]],
  ["nfs", nfsErrors],
  ["iscsi", needs("targetPortal", "iqn")],
  ["glusterfs", needs("endpoints", "path")],
  ["flocker", () => []],
  ["persistentVolumeClaim", needs("claimName")],
  ["rbd", needs("image")],
  ["cinder", needs("volumeID")],
  ["cephfs", () => []],
  ["quobyte", needs("registry", "volume")],
  ["downwardAPI", (s, p) => [...modeErrors(s, "defaultMode", p), ...downwardErrors(s, p)]],
  ["fc", () => []],
  ["flexVolume", needs("driver")],
  ["configMap", (s, p) => [...needs("name")(s, p), ...modeErrors(s, "defaultMode", p), ...itemErrors(s, p)]],
  ["azureFile", needs("secretName", "shareName")],
  ["vsphereVolume", needs("volumePath")],
  ["photonPersistentDisk", needs("pdID")],
  ["portworxVolume", needs("volumeID")],
  ["azureDisk", needs("diskName", "diskURI")],
  ["storageos", () => []],
  ["projected", projectedErrors],
  ["scaleIO", needs("gateway", "system", "volumeName")],
  ["csi", csiDriverErrors],
  ["ephemeral", ephemeralErrors],
  ["image", () => []],
]);

/** The volumes of a pod. Tells also which of them containers can mount. */
export function volumeErrors(
  spec: JsonObject,
  path: FieldPath,
): { errors: FieldError[]; volumes: Map<string, JsonObject> } {
  const errors: FieldError[] = [];
  const volumes = new Map<string, JsonObject>();
  structs(spec, "volumes").forEach((volume, i) => {
    const place = at(path, i);
    const name = text(volume, "name");
    const found = volumeSourceErrors(volume, SOURCES, place);
    if (name === "") found.push(required(child(place, "name")));
    else found.push(...isDNS1123Label(name).map((why) => invalid(child(place, "name"), name, why)));
    if (volumes.has(name)) found.push(duplicate(child(place, "name"), name));
    if (found.length === 0) volumes.set(name, volume);
    else errors.push(...found);
  });
  return { errors, volumes };
}
