import { isIPv4, isIPv6 } from "node:net";

/** Where ECS and EKS give keys to the containers of a node. */
const AGENTS: ReadonlySet<string> = new Set(["169.254.170.2", "169.254.170.23", "[fd00:ec2::23]"]);

/**
 * Whether keys may be asked for at a URL that the environment names: anywhere by HTTPS; without it only on this machine and at the
 * agents of ECS and EKS, since the token that goes along must not leave the node.
 */
export function isContainerHost({ protocol, hostname }: URL): boolean {
  if (protocol === "https:") return true;
  if (protocol !== "http:") return false;
  return AGENTS.has(hostname) || hostname === "localhost" || isLoopback(hostname);
}

function isLoopback(hostname: string): boolean {
  if (isIPv4(hostname)) return hostname.startsWith("127.");
  const inner = hostname.replace(/^\[(.*)\]$/, "$1");
  return isIPv6(inner) && inner === "::1";
}
