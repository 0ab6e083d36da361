import { spawnSync } from "node:child_process";

/** Whether a program can be started. */
export function isInstalled(program: string): boolean {
  return spawnSync(program, ["-v"]).error === undefined;
}

/** Installs a program where this is Debian or like it and we may; or tells why it cannot be had. */
export function fetchDebian(program: string, from: string): { readonly missing: string } | undefined {
  if (isInstalled(program)) return undefined;
  if (process.getuid?.() !== 0) return { missing: `not installed, and only root could install ${from}` };
  const options = { encoding: "utf8", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } } as const;
  // Lists of packages can be old or missing: an install that fails may yet succeed after they are read anew.
  const install = ["install", "--yes", "--no-install-recommends", from];
  for (const args of [install, ["update"], install]) {
    const { error } = spawnSync("apt-get", args, options);
    if (error) return { missing: `not installed, and there is no apt-get: ${error.message}` };
    if (isInstalled(program)) return undefined;
  }
  return { missing: `apt-get could not install ${from}` };
}
