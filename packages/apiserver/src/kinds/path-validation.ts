import { invalid } from "@gatewright/kube";
import type { FieldError, FieldPath } from "@gatewright/kube";

export function noBackstepErrors(path: string, field: FieldPath): FieldError[] {
  return path.split("/").includes("..") ? [invalid(field, path, "must not contain '..'")] : [];
}

/** A path below some directory. */
export function relativePathErrors(path: string, field: FieldPath): FieldError[] {
  return [
    ...(path.startsWith("/") ? [invalid(field, path, "must be a relative path")] : []),
    ...noBackstepErrors(path, field),
  ];
}

/** A path of a file in a volume, where names that start with two dots are taken. */
export function volumeFilePathErrors(path: string, field: FieldPath): FieldError[] {
  const reserved = path.startsWith("..") && !path.startsWith("../");
  return [...relativePathErrors(path, field), ...(reserved ? [invalid(field, path, "must not start with '..'")] : [])];
}
