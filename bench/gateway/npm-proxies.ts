import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cacheFolder } from "../../testbed/folders.ts";

/** What is known best of those on npm, at the versions that were measured. They are nobody's dependency: they live in the cache. */
const PACKAGES = {
  "http-proxy": "1.18.1",
  "http-proxy-3": "2.0.1",
  "fast-proxy": "2.2.0",
  fastify: "5.12.8",
  "@fastify/http-proxy": "11.6.3",
} as const;

/** The proxies that can be made of them. */
export const NPM_PROXIES = ["http-proxy", "http-proxy-3", "fast-proxy", "@fastify/http-proxy"] as const;

/**
 * The folder that proxies of npm are installed in, or why there is none. They are fetched when `BENCH_NPM=1` asks for it; once they are
 * in the cache they are used.
 */
export function npmProxies(): { readonly folder: string } | { readonly missing: string } {
  const versions = Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`);
  const folder = join(cacheFolder("npm-proxies"), versions.join("_").replaceAll(/[^\w.-]+/g, "-"));
  if (existsSync(folder)) return { folder };
  if (process.env["BENCH_NPM"] !== "1") return { missing: "not in the cache: BENCH_NPM=1 fetches it" };
  const making = join(dirname(folder), `making-${process.pid}`);
  mkdirSync(making, { recursive: true });
  writeFileSync(join(making, "package.json"), JSON.stringify({ private: true, dependencies: PACKAGES }));
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status, error, stderr } = spawnSync("npm", args, { cwd: making, encoding: "utf8" });
  if (status === 0) {
    renameSync(making, folder);
    return { folder };
  }
  rmSync(making, { recursive: true, force: true });
  return { missing: `npm cannot fetch it: ${error?.message ?? stderr.trim().split("\n")[0]}` };
}
