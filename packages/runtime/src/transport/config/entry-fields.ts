import { dirname, resolve } from "node:path";
import { getOwn } from "@gatewright/kube";
import type { Material } from "../transport-config.ts";
import type { KubeconfigEntry } from "./kubeconfig-file.ts";
import { KubeconfigError } from "./kubeconfig-error.ts";

/** A text of an entry; an empty one counts as absent. */
export function textField({ file, fields }: KubeconfigEntry, name: string): string | undefined {
  const value = getOwn(fields, name);
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value !== "string") throw new KubeconfigError(`${name} must be text`, { file });
  return value;
}

/** A flag of an entry. */
export function flagField({ file, fields }: KubeconfigEntry, name: string): boolean {
  const value = getOwn(fields, name);
  if (typeof value === "boolean") return value;
  if (value === undefined || value === null) return false;
  throw new KubeconfigError(`${name} must be true or false`, { file });
}

/** A path of an entry, which is relative to the entry's file. */
export function pathField(entry: KubeconfigEntry, name: string): string | undefined {
  const path = textField(entry, name);
  return path === undefined ? undefined : resolve(dirname(entry.file), path);
}

/** A PEM that stands in the entry as base64 (`name-data`), or else in a file (`name`). */
export function materialField(entry: KubeconfigEntry, name: string): Material | undefined {
  const data = textField(entry, `${name}-data`);
  if (data !== undefined) {
    const text = Buffer.from(data, "base64").toString("utf8");
    if (!text.includes("-----BEGIN ")) {
      throw new KubeconfigError(`${name}-data must be a PEM in base64`, { file: entry.file });
    }
    return { text };
  }
  const file = pathField(entry, name);
  return file === undefined ? undefined : { file };
}
