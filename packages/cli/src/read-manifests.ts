import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { BodySyntaxError, isObject, parseYaml } from "@gatewright/kube";
import type { Json, KubeObject } from "@gatewright/kube";
import { UsageError } from "./usage-error.ts";

/** Ends a document of YAML, as kubectl sees it. */
const SEPARATOR = /^---[^\S\n]*(?:#.*)?\r?$/m;
const MANIFEST = /\.(?:ya?ml|json)$/;

/** The objects of files and folders, in their order; `-` is standard input. Lists are taken apart. */
export function readManifests(paths: readonly string[]): readonly KubeObject[] {
  return paths.flatMap(filesOf).flatMap((file) => {
    const text = textOf(file);
    const documents = text.trimStart().startsWith("{") ? [text] : text.split(SEPARATOR);
    return documents.flatMap((document) => objectsIn(document, file));
  });
}

function filesOf(path: string): readonly string[] {
  if (path === "-") return [path];
  try {
    if (!statSync(path).isDirectory()) return [path];
    const names = readdirSync(path).filter((name) => MANIFEST.test(name));
    return names.sort().map((name) => join(path, name));
  } catch (error) {
    throw new UsageError(`cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function objectsIn(document: string, file: string): readonly KubeObject[] {
  let value: Json;
  try {
    const parsed = parseYaml(Buffer.from(document));
    if (parsed.duplicates.length > 0) throw new UsageError(`${file}: ${parsed.duplicates.join(", ")}`);
    ({ value } = parsed);
  } catch (error) {
    throw error instanceof BodySyntaxError ? new UsageError(`${file}: ${error.message}`) : error;
  }
  return value === null ? [] : objectsOf(value, file);
}

function objectsOf(value: Json, file: string): readonly KubeObject[] {
  if (isObject(value) && value["kind"] === "List" && Array.isArray(value["items"])) {
    return value["items"].flatMap((item) => objectsOf(item, file));
  }
  if (!isObject(value) || typeof value["kind"] !== "string" || typeof value["apiVersion"] !== "string") {
    throw new UsageError(`${file}: there is something without apiVersion and kind`);
  }
  const { metadata } = value;
  if (!isObject(metadata) || typeof metadata["name"] !== "string" || metadata["name"] === "") {
    throw new UsageError(`${file}: there is a ${value["kind"]} without a name`);
  }
  return [value as unknown as KubeObject];
}
