import { BlockList, isIP } from "node:net";
import { KubeconfigError } from "./kubeconfig-error.ts";

/**
 * The proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY name for a server, as Go programs read them: never for this machine itself.
 * Lower-case names count too. Throws when it is no URL of a proxy, without telling it: it may hold a password.
 */
export function proxyFromEnvironment(
  server: string,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const url = new URL(server);
  const variable = (name: string): string => env[name] ?? env[name.toLowerCase()] ?? "";
  const name = url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const proxy = variable(name);
  if (proxy === "" || isExcluded(url, variable("NO_PROXY"))) return undefined;
  const whole = proxy.includes("://") ? proxy : `http://${proxy}`;
  if (!isProxyUrl(whole)) throw new KubeconfigError(`${name} must be an http, https or socks5 URL`);
  return whole;
}

/** Whether a text is the URL of a proxy that connections can be made through. */
export function isProxyUrl(text: string): boolean {
  return /^(?:https?|socks5h?):$/.test(URL.parse(text)?.protocol ?? "");
}

function isExcluded(url: URL, list: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  if (host === "localhost" || host === "::1" || host.startsWith("127.")) return true;
  return list
    .toLowerCase()
    .split(",")
    .map((rule) => rule.trim())
    .some((rule) => rule !== "" && matches(rule, host, port));
}

function matches(rule: string, host: string, port: string): boolean {
  if (rule === "*") return true;
  if (rule.includes("/")) return isWithin(rule, host);
  const [, name = rule, wantedPort] = /^(.*?):(\d+)$/.exec(isIP(rule) === 6 ? "" : rule) ?? [];
  if (wantedPort !== undefined && wantedPort !== port) return false;
  if (name.startsWith("*.")) return host.endsWith(name.slice(1));
  if (name.startsWith(".")) return host.endsWith(name);
  return host === name || (isIP(host) === 0 && host.endsWith(`.${name}`));
}

function isWithin(cidr: string, host: string): boolean {
  const [address = "", bits] = cidr.split("/");
  const family = isIP(address);
  if (family === 0 || isIP(host) !== family) return false;
  const list = new BlockList();
  list.addSubnet(address, Number(bits), family === 4 ? "ipv4" : "ipv6");
  return list.check(host, family === 4 ? "ipv4" : "ipv6");
}
