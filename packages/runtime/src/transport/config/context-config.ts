import { getOwn, isObject } from "@gatewright/kube";
import type { Impersonation } from "../impersonation-headers.ts";
import type { TransportConfig } from "../transport-config.ts";
import { flagField, materialField, pathField, textField } from "./entry-fields.ts";
import { execPlugin } from "./exec-entry.ts";
import { KubeconfigError } from "./kubeconfig-error.ts";
import type { Kubeconfig, KubeconfigEntry } from "./kubeconfig-file.ts";
import { isProxyUrl } from "./proxy-from-environment.ts";

const NOBODY: KubeconfigEntry = { file: "", fields: {} };

/** What a context of a kubeconfig says about reaching its cluster. Default: the current one. */
export function contextConfig(kubeconfig: Kubeconfig, wanted?: string): TransportConfig {
  const name = wanted ?? kubeconfig.currentContext;
  const where = kubeconfig.files.join(", ");
  if (name === undefined) {
    throw new KubeconfigError(`${where}: no context is current; choose one: ${known(kubeconfig.contexts)}`);
  }
  const context = kubeconfig.contexts.get(name);
  if (context === undefined) {
    throw new KubeconfigError(`${where}: there is no context "${name}"; there are: ${known(kubeconfig.contexts)}`);
  }
  const cluster = named(kubeconfig.clusters, context, name, "cluster");
  if (cluster === undefined) throw new KubeconfigError(`context "${name}" names no cluster`, { file: context.file });
  const user = named(kubeconfig.users, context, name, "user") ?? NOBODY;
  return {
    ...clusterConfig(cluster, name),
    ...userConfig(user, cluster),
    namespace: textField(context, "namespace") ?? "default",
    origin: `context "${name}" of ${context.file}`,
  };
}

function named(
  entries: ReadonlyMap<string, KubeconfigEntry>,
  context: KubeconfigEntry,
  name: string,
  part: string,
): KubeconfigEntry | undefined {
  const asked = textField(context, part);
  if (asked === undefined) return undefined;
  const entry = entries.get(asked);
  if (entry !== undefined) return entry;
  throw new KubeconfigError(`context "${name}" names the ${part} "${asked}", which is not there`, {
    file: context.file,
  });
}

function clusterConfig(
  cluster: KubeconfigEntry,
  context: string,
): Pick<TransportConfig, "server" | "ca" | "serverName" | "insecure" | "proxy"> {
  const { file } = cluster;
  const server = textField(cluster, "server");
  if (server === undefined) throw new KubeconfigError(`the cluster of context "${context}" has no server`, { file });
  const url = URL.parse(server.includes("://") ? server : `http://${server}`);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new KubeconfigError(`the server of context "${context}" is no http or https URL`, { file });
  }
  const ca = materialField(cluster, "certificate-authority");
  const insecure = flagField(cluster, "insecure-skip-tls-verify");
  if (insecure && ca !== undefined) {
    throw new KubeconfigError("certificate-authority and insecure-skip-tls-verify exclude each other", { file });
  }
  const [serverName, proxy] = [textField(cluster, "tls-server-name"), textField(cluster, "proxy-url")];
  if (proxy !== undefined && !isProxyUrl(proxy)) {
    throw new KubeconfigError("proxy-url must be an http, https or socks5 URL", { file });
  }
  return {
    server: url.href,
    ...(ca !== undefined && { ca }),
    ...(insecure && { insecure }),
    ...(serverName !== undefined && { serverName }),
    ...(proxy !== undefined && { proxy }),
  };
}

function userConfig(user: KubeconfigEntry, cluster: KubeconfigEntry): Partial<TransportConfig> {
  const { file, fields } = user;
  const provider = getOwn(fields, "auth-provider");
  if (isObject(provider)) {
    const name = typeof provider["name"] === "string" ? provider["name"] : "?";
    throw new KubeconfigError(`auth-provider "${name}" is retired; use the exec plugin of your provider`, { file });
  }
  const cert = materialField(user, "client-certificate");
  const key = materialField(user, "client-key");
  if ((cert === undefined) !== (key === undefined)) {
    throw new KubeconfigError("client-certificate and client-key need each other", { file });
  }
  const [tokenFile, token] = [pathField(user, "tokenFile"), textField(user, "token")];
  const [username, password = ""] = [textField(user, "username"), textField(user, "password")];
  if (username !== undefined && (token ?? tokenFile) !== undefined) {
    throw new KubeconfigError("token and username exclude each other", { file });
  }
  const exec = execPlugin(user, cluster);
  const impersonate = impersonation(user);
  return {
    ...(cert !== undefined && key !== undefined && { clientCertificate: { cert, key } }),
    ...(token !== undefined && { token: { text: token } }),
    ...(tokenFile !== undefined && { token: { file: tokenFile } }),
    ...(username !== undefined && { basic: { username, password } }),
    ...(exec !== undefined && { exec }),
    ...(impersonate !== undefined && { impersonate }),
  };
}

function impersonation(entry: KubeconfigEntry): Impersonation | undefined {
  const [user, uid] = [textField(entry, "as"), textField(entry, "as-uid")];
  const groups = texts(getOwn(entry.fields, "as-groups"));
  const extra = getOwn(entry.fields, "as-user-extra");
  if (user === undefined) {
    if (uid === undefined && groups.length === 0 && extra === undefined) return undefined;
    throw new KubeconfigError("as-uid, as-groups and as-user-extra need as", { file: entry.file });
  }
  return {
    user,
    ...(uid !== undefined && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(isObject(extra) && {
      extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, texts(values)])),
    }),
  };
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

function known(entries: ReadonlyMap<string, KubeconfigEntry>): string {
  return entries.size === 0 ? "none" : [...entries.keys()].join(", ");
}
