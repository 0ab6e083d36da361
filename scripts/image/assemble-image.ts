import { execFile } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { keepPage } from "../../packages/console/src/page/keep-page.ts";
import { buildBundle, LIBRARIES } from "../bundle/build-bundle.ts";
import { lockedPackages } from "./locked-packages.ts";
import { sbom } from "./sbom.ts";

const run = promisify(execFile);

/** Files of packages that nothing reads at run time. */
const NEEDLESS = /\.(?:d\.[cm]?ts|[cm]?ts|map|md|markdown|flow)$|\/(?:test|tests|docs|example|examples|\.github)$/i;

/** Within the one script of the console's page. */
const PAGE_LIBRARIES = ["preact"];

/** Puts into a folder what the image has in `/app`: all that the command needs beside Node, and its SBOM. */
export async function assembleImage(root: string, folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await buildBundle(root, folder);
  await keepPage(root, folder);
  copyFileSync(join(root, "scripts/image/main.cjs"), join(folder, "main.cjs"));
  copyFileSync(join(root, "packages/cli/src/bundle.cjs"), join(folder, "bundle.cjs"));
  copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  const { version, license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly version: string;
    readonly license: string;
  };
  const about = { name: "gatewright", version, license, private: true };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(about, undefined, 2)}\n`);
  const packages = lockedPackages(root, LIBRARIES, "packages/gateway");
  const inPage = lockedPackages(root, PAGE_LIBRARIES, "packages/console");
  for (const { path, place } of packages)
    cpSync(join(root, path), join(folder, "node_modules", place), {
      recursive: true,
      filter: (from) => !NEEDLESS.test(from) && !from.slice(join(root, path).length).includes("/node_modules"),
    });
  writeFileSync(
    join(folder, "sbom.cdx.json"),
    `${JSON.stringify(sbom(version, [...packages, ...inPage]), undefined, 2)}\n`,
  );
  await run(process.execPath, [join(import.meta.dirname, "keep-compiled.cjs"), folder]);
}
