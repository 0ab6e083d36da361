import { at, child, forbiddenField, invalid, notFoundField, notSupported, required } from "@gatewright/kube";
import type { FieldError, FieldPath, JsonObject } from "@gatewright/kube";
import { flag, struct, structs, text } from "../resources/object-fields.ts";
import { noBackstepErrors, relativePathErrors } from "./path-validation.ts";

/** The volumes of a pod by name. */
type Volumes = ReadonlyMap<string, JsonObject>;

const PROPAGATIONS = ["Bidirectional", "HostToContainer", "None"];

/** Mounts of a container: of volumes that exist, each at a place of its own. */
export function mountErrors(container: JsonObject, volumes: Volumes, path: FieldPath): FieldError[] {
  const points = new Set<string>();
  const devices = structs(container, "volumeDevices");
  return structs(container, "volumeMounts").flatMap((mount, i) => {
    const place = at(path, i);
    const [name, point] = [text(mount, "name"), text(mount, "mountPath")];
    const errors: FieldError[] = [];
    if (name === "") errors.push(required(child(place, "name")));
    if (!volumes.has(name)) errors.push(notFoundField(child(place, "name"), name));
    if (point === "") errors.push(required(child(place, "mountPath")));
    if (points.has(point)) errors.push(invalid(child(place, "mountPath"), point, "must be unique"));
    points.add(point);
    if (devices.some((device) => text(device, "name") === name)) {
      errors.push(invalid(child(place, "name"), name, "must not already exist in volumeDevices"));
    }
    if (devices.some((device) => text(device, "devicePath") === point)) {
      errors.push(invalid(child(place, "mountPath"), point, "must not already exist as a path in volumeDevices"));
    }
    const [sub, expression] = [text(mount, "subPath"), text(mount, "subPathExpr")];
    if (sub !== "") errors.push(...relativePathErrors(sub, child(path, "subPath")));
    if (expression !== "") {
      const why = "subPathExpr and subPath are mutually exclusive";
      if (sub !== "") errors.push(invalid(child(place, "subPathExpr"), expression, why));
      errors.push(...relativePathErrors(expression, child(path, "subPathExpr")));
    }
    return [...errors, ...propagationErrors(mount, container, child(path, "mountPropagation"))];
  });
}

function propagationErrors(mount: JsonObject, container: JsonObject, path: FieldPath): FieldError[] {
  const mode = text(mount, "mountPropagation");
  if (mode === "") return [];
  if (!PROPAGATIONS.includes(mode)) return [notSupported(path, mode, PROPAGATIONS)];
  if (mode !== "Bidirectional" || flag(struct(container, "securityContext"), "privileged")) return [];
  return [forbiddenField(path, "Bidirectional mount propagation is available only to privileged containers")];
}

/** Devices of a container: volumes in block mode. */
export function deviceErrors(container: JsonObject, volumes: Volumes, path: FieldPath): FieldError[] {
  const names = new Set<string>();
  const paths = new Set<string>();
  return structs(container, "volumeDevices").flatMap((device, i) => {
    const place = at(path, i);
    const [name, file] = [text(device, "name"), text(device, "devicePath")];
    const volume = volumes.get(name);
    const errors: FieldError[] = [];
    if (name === "") errors.push(required(child(place, "name")));
    if (names.has(name)) errors.push(invalid(child(place, "name"), name, "must be unique"));
    if (volume && !struct(volume, "persistentVolumeClaim") && !struct(volume, "ephemeral")) {
      const why = "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode";
      errors.push(invalid(child(place, "name"), name, why));
    }
    if (!volume) errors.push(notFoundField(child(place, "name"), name));
    if (file === "") errors.push(required(child(place, "devicePath")));
    if (paths.has(file)) errors.push(invalid(child(place, "devicePath"), file, "must be unique"));
    if (noBackstepErrors(file, path).length > 0) {
      errors.push(invalid(child(place, "devicePath"), file, "can not contain backsteps ('..')"));
    }
    names.add(name);
    paths.add(file);
    return errors;
  });
}
