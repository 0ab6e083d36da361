import { fetchDebian, isInstalled } from "./debian.ts";

const PACKAGE = "prometheus";

/** Why there is no promtool and no Prometheus to judge rules and queries by, for `suite`; false where they are. */
export function prometheusMissing(): string | false {
  const isThere = isInstalled("promtool") && isInstalled("prometheus");
  return isThere ? false : `promtool is not installed (Debian has it in ${PACKAGE})`;
}

/** Installs both where this is Debian or like it and we may; or tells why they cannot be had. */
export function fetchPrometheus(): { readonly missing: string } | undefined {
  return fetchDebian("promtool", PACKAGE);
}
