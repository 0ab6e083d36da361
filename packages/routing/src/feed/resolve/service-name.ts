import { isIP } from "node:net";

/** A Service that a host may name. `certain`: it can be nothing else, as `web.shop.svc` cannot. */
export interface NamedService {
  readonly namespace: string;
  readonly name: string;
  readonly certain: boolean;
}

const LABEL = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;

/**
 * The Service that a host names, seen from a namespace: `web`, `web.shop`, `web.shop.svc`, `web.shop.svc.cluster.local`. Undefined: it
 * is an address, or a name of something else.
 */
export function serviceName(host: string, namespace: string, clusterDomain: string): NamedService | undefined {
  const lower = host.toLowerCase().replace(/\.$/, "");
  if (lower === "localhost" || isIP(lower) !== 0) return undefined;
  const labels = (lower.endsWith(`.svc.${clusterDomain}`) ? lower.slice(0, -clusterDomain.length - 1) : lower).split(
    ".",
  );
  const [name = "", of = namespace, svc] = labels;
  if (!LABEL.test(name) || !LABEL.test(of) || labels.length > 3) return undefined;
  if (labels.length === 3 && svc !== "svc") return undefined;
  return { name, namespace: of, certain: labels.length !== 2 };
}
