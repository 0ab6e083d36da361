import { fetchDebian, isInstalled } from "./debian.ts";

const PACKAGE = "bind9-dnsutils";

/** Why there is no dig to ask DNS with, for `suite`; false where there is one. */
export function digMissing(): string | false {
  return isInstalled("dig") ? false : `dig is not installed (Debian has it in ${PACKAGE})`;
}

/** Installs dig where this is Debian or like it and we may; or tells why it cannot be had. */
export function fetchDig(): { readonly missing: string } | undefined {
  return fetchDebian("dig", PACKAGE);
}
