import { readFileSync } from "node:fs";
import { dirname, isAbsolute, resolve } from "node:path";
import { getOwn, isObject } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";
import type { ExecCluster, ExecPlugin } from "../transport-config.ts";
import { flagField, materialField, textField } from "./entry-fields.ts";
import { KubeconfigError } from "./kubeconfig-error.ts";
import type { KubeconfigEntry } from "./kubeconfig-file.ts";

const VERSIONS = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"];
const MODES = ["Never", "IfAvailable", "Always"] as const;
const EXTENSION = "client.authentication.k8s.io/exec";

/** The credential plugin of a user. */
export function execPlugin(user: KubeconfigEntry, cluster: KubeconfigEntry): ExecPlugin | undefined {
  const fields = getOwn(user.fields, "exec");
  if (!isObject(fields)) return undefined;
  const { file } = user;
  const entry = { file, fields };
  const [apiVersion = "", command] = [textField(entry, "apiVersion"), textField(entry, "command")];
  if (!VERSIONS.includes(apiVersion)) {
    throw new KubeconfigError(`exec has apiVersion "${apiVersion}"; known are ${VERSIONS.join(" and ")}`, { file });
  }
  if (command === undefined) throw new KubeconfigError("exec needs a command", { file });
  const [given, hint] = [textField(entry, "interactiveMode"), textField(entry, "installHint")];
  const mode = given ?? (apiVersion.endsWith("v1beta1") ? "IfAvailable" : "");
  const interactiveMode = MODES.find((known) => known === mode);
  if (interactiveMode === undefined) {
    throw new KubeconfigError(`exec needs interactiveMode: one of ${MODES.join(", ")}`, { file });
  }
  return {
    apiVersion,
    command: commandPath(file, command),
    args: list(getOwn(fields, "args")).filter((arg) => typeof arg === "string"),
    env: list(getOwn(fields, "env")).flatMap(variable),
    interactiveMode,
    ...(hint !== undefined && { installHint: hint }),
    ...(flagField(entry, "provideClusterInfo") && { cluster: clusterInfo(cluster) }),
  };
}

/** A bare name is looked for on the PATH; a relative path is relative to the file. */
function commandPath(file: string, command: string): string {
  return isAbsolute(command) || !/[/\\]/.test(command) ? command : resolve(dirname(file), command);
}

function clusterInfo(cluster: KubeconfigEntry): ExecCluster {
  const [serverName, proxy] = [textField(cluster, "tls-server-name"), textField(cluster, "proxy-url")];
  const ca = materialField(cluster, "certificate-authority");
  const pem = ca && ("text" in ca ? ca.text : readFileSync(ca.file, "utf8"));
  const config = list(getOwn(cluster.fields, "extensions")).find((one) => isObject(one) && one["name"] === EXTENSION);
  return {
    server: textField(cluster, "server") ?? "",
    ...(serverName !== undefined && { "tls-server-name": serverName }),
    ...(flagField(cluster, "insecure-skip-tls-verify") && { "insecure-skip-tls-verify": true }),
    ...(pem !== undefined && { "certificate-authority-data": Buffer.from(pem).toString("base64") }),
    ...(proxy !== undefined && { "proxy-url": proxy }),
    ...(isObject(config) && { config: config["extension"] }),
  };
}

function variable(entry: Json): { name: string; value: string }[] {
  if (!isObject(entry) || typeof entry["name"] !== "string") return [];
  return [{ name: entry["name"], value: typeof entry["value"] === "string" ? entry["value"] : "" }];
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
