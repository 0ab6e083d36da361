import { StatusError } from "@gatewright/kube";

/** What a browser tells about where a request comes from. */
export interface RequestSite {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/**
 * Throws 403 for a request that another site's page has caused: somebody in front may add credentials to whatever comes from a
 * browser. `hosts`: the names that the console is reached by; where none are given, any.
 */
export function sameOriginOnly({ method, headers }: RequestSite, hosts: readonly string[]): void {
  const [host, origin] = [one(headers["host"])?.toLowerCase() ?? "", one(headers["origin"])];
  if (hosts.length > 0 && !hosts.includes(host.replace(/:[0-9]+$/, ""))) {
    throw refused(`the console is not called ${JSON.stringify(host)}`);
  }
  if (origin !== undefined && authorityOf(origin) !== host) {
    throw refused(`requests from the Origin ${JSON.stringify(origin)} are not taken`);
  }
  const site = one(headers["sec-fetch-site"]);
  const isLink = method === "GET" && one(headers["sec-fetch-mode"]) === "navigate";
  if ((site === "cross-site" || site === "same-site") && !isLink)
    throw refused("requests from other sites are not taken");
}

function authorityOf(origin: string): string | undefined {
  const [scheme, authority] = origin.split("://", 2);
  return scheme === "http" || scheme === "https" ? authority?.toLowerCase() : undefined;
}

function one(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === "string" ? value : value?.[0];
}

function refused(message: string): StatusError {
  return new StatusError({ code: 403, reason: "Forbidden", message, details: {} });
}
