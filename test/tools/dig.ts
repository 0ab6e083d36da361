import { spawnSync } from "node:child_process";

/** Why there is no dig to ask DNS with, for `suite`; false where there is one. */
export function digMissing(): string | false {
  return spawnSync("dig", ["-v"]).error ? "dig is not installed (Debian has it in bind9-dnsutils)" : false;
}

/** Installs dig where this is Debian or like it and we may; or tells why it cannot be had. */
export function fetchDig(): { readonly missing: string } | undefined {
  if (digMissing() === false) return undefined;
  if (process.getuid?.() !== 0) return { missing: "not installed, and only root could install bind9-dnsutils" };
  const options = { encoding: "utf8", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } } as const;
  // Lists of packages can be old or missing: an install that fails may yet succeed after they are read anew.
  const install = ["install", "--yes", "--no-install-recommends", "bind9-dnsutils"];
  for (const args of [install, ["update"], install]) {
    const { error } = spawnSync("apt-get", args, options);
    if (error) return { missing: `not installed, and there is no apt-get: ${error.message}` };
    if (digMissing() === false) return undefined;
  }
  return { missing: "apt-get could not install bind9-dnsutils" };
}
