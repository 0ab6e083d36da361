import { readFile } from "node:fs/promises";
import { isObject, parseYaml } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";
import { KubeconfigError } from "./kubeconfig-error.ts";

/** A named part of a kubeconfig, and the file that it stands in: paths inside are relative to that. */
export interface KubeconfigEntry {
  readonly file: string;
  readonly fields: JsonObject;
}

/** Several kubeconfig files as one. */
export interface Kubeconfig {
  readonly files: readonly string[];
  readonly currentContext: string | undefined;
  readonly clusters: ReadonlyMap<string, KubeconfigEntry>;
  readonly users: ReadonlyMap<string, KubeconfigEntry>;
  readonly contexts: ReadonlyMap<string, KubeconfigEntry>;
}

/** Reads files and merges them as kubectl does: of what is named twice, the first counts. Files that are not there are passed over. */
export async function readKubeconfig(files: readonly string[]): Promise<Kubeconfig> {
  const clusters = new Map<string, KubeconfigEntry>();
  const users = new Map<string, KubeconfigEntry>();
  const contexts = new Map<string, KubeconfigEntry>();
  const found: string[] = [];
  let currentContext: string | undefined;
  for (const file of files) {
    const document = await readDocument(file);
    if (document === undefined) continue;
    found.push(file);
    collect(clusters, file, document["clusters"], "cluster");
    collect(users, file, document["users"], "user");
    collect(contexts, file, document["contexts"], "context");
    const current = document["current-context"];
    if (typeof current === "string" && current !== "") currentContext ??= current;
  }
  return { files: found, currentContext, clusters, users, contexts };
}

async function readDocument(file: string): Promise<JsonObject | undefined> {
  const bytes = await readFile(file).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new KubeconfigError(`cannot be read (${code})`, { file, cause: error });
  });
  if (bytes === undefined) return undefined;
  const value = parsed(file, bytes);
  if (value === null) return {};
  if (!isObject(value) || (value["kind"] ?? "Config") !== "Config" || (value["apiVersion"] ?? "v1") !== "v1") {
    throw new KubeconfigError("is no kubeconfig (apiVersion v1, kind Config)", { file });
  }
  return value;
}

/** A parser's message can quote what it stumbles on, and the file is full of secrets: only its line is told. */
function parsed(file: string, bytes: Uint8Array): Json {
  try {
    return parseYaml(bytes).value;
  } catch (error) {
    const [line = ""] = /line \d+/.exec((error as Error).message) ?? [];
    throw new KubeconfigError(`is not YAML${line === "" ? "" : ` (${line})`}`, { file });
  }
}

function collect(into: Map<string, KubeconfigEntry>, file: string, list: Json | undefined, part: string): void {
  if (list === undefined || list === null) return;
  if (!Array.isArray(list)) throw new KubeconfigError(`${part}s must be a list`, { file });
  for (const entry of list) {
    const name = isObject(entry) ? entry["name"] : undefined;
    const fields = isObject(entry) ? (entry[part] ?? {}) : undefined;
    if (typeof name !== "string" || !isObject(fields)) {
      throw new KubeconfigError(`every ${part} needs a name and its fields under "${part}"`, { file });
    }
    if (!into.has(name)) into.set(name, { file, fields });
  }
}
