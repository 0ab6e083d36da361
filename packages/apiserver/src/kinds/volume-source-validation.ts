import { child, forbiddenField, invalid, isDNS1123Subdomain, required } from "@gatewright/kube";
import type { FieldError, FieldPath, JsonObject } from "@gatewright/kube";
import { struct, text } from "../resources/object-fields.ts";
import { choiceErrors } from "./choice-validation.ts";
import { noBackstepErrors } from "./path-validation.ts";

/** What is wrong with one kind of source of a volume. */
export type VolumeSourceRule = (source: JsonObject, path: FieldPath) => FieldError[];

const HOST_PATH_TYPES = [
  "",
  "BlockDevice",
  "CharDevice",
  "Directory",
  "DirectoryOrCreate",
  "File",
  "FileOrCreate",
  "Socket",
];

/** Fields that a source cannot do without. */
export const needs =
  (...fields: readonly string[]): VolumeSourceRule =>
  (source, path) =>
    fields.filter((field) => text(source, field) === "").map((field) => required(child(path, field)));

export const hostPathErrors: VolumeSourceRule = (source, path) => {
  if (text(source, "path") === "") return [required(child(path, "path"))];
  const type = text(source, "type");
  return [
    ...noBackstepErrors(text(source, "path"), child(path, "path")),
    ...choiceErrors(type, HOST_PATH_TYPES, child(path, "type")),
  ];
};

export const nfsErrors: VolumeSourceRule = (source, path) => {
  const file = text(source, "path");
  return [
    ...needs("server", "path")(source, path),
    ...(file.startsWith("/") ? [] : [invalid(child(path, "path"), file, "must be an absolute path")]),
  ];
};

export const csiDriverErrors: VolumeSourceRule = (source, path) => {
  const driver = text(source, "driver");
  if (driver === "") return [required(child(path, "driver"))];
  return isDNS1123Subdomain(driver.toLowerCase()).map((why) => invalid(child(path, "driver"), driver, why));
};

/** The one source that a volume has, by the rules of those that it can have. Only the first is judged. */
export function volumeSourceErrors(
  volume: JsonObject,
  sources: ReadonlyMap<string, VolumeSourceRule>,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  let found = false;
  for (const [name, rule] of sources) {
    const source = struct(volume, name);
    if (!source) continue;
    if (found) errors.push(forbiddenField(child(path, name), "may not specify more than 1 volume type"));
    else errors.push(...rule(source, child(path, name)));
    found = true;
  }
  return found ? errors : [required(path, "must specify a volume type")];
}
