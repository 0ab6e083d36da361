import { BlockList, isIP } from "node:net";

/**
 * The proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY name for a server, as Go programs read them: never for this machine itself.
 * Lower-case names count too.
 */
export function proxyFromEnvironment(
  server: string,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const url = new URL(server);
  const variable = (name: string): string => env[name] ?? env[name.toLowerCase()] ?? "";
  const proxy = variable(url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY");
  if (proxy === "" || isExcluded(url, variable("NO_PROXY"))) return undefined;
  return proxy.includes("://") ? proxy : `http://${proxy}`;
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
