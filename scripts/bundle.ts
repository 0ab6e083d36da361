import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { get } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildBundle } from "./bundle/build-bundle.ts";
import { BUNDLE_FOLDER, sourceStamp, stampPath } from "../packages/cli/src/bundle.cjs";
import { keepPage } from "../packages/console/src/page/keep-page.ts";

/**
 * Puts the `gatewright` command into one file, and its threads beside it, for a quick start; and the console's page into a few. Runs
 * after every install. Without it everything works from
 * the sources, so a failure is told and is no error.
 */
const root = join(import.meta.dirname, "..");
const folder = join(root, BUNDLE_FOLDER);

async function bundle(): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await buildBundle(root, folder);
  await keepPage(root);
  writeFileSync(stampPath(root), sourceStamp(root));
  try {
    await tryOut();
  } catch (error) {
    rmSync(stampPath(root));
    throw error;
  }
}

/** One run proves that the bundle works, and leaves behind the compiled form of all that a start uses. */
async function tryOut(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "gatewright-bundle-"));
  const main = join(root, "packages/cli/src/main.cjs");
  const server = spawn(process.execPath, [main, "up", "--bare", "--port", "0", "--tls", "--home", home], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [greeting] = (await Promise.race([once(server.stdout, "data"), once(server, "exit")])) as [unknown];
    const url = /https:\S+/.exec(String(greeting))?.[0];
    if (url === undefined) throw new Error("the bundled command does not start");
    for (const path of ["/readyz", "/api", "/apis", "/api/v1/namespaces"]) {
      const status = await statusOf(url + path, home);
      if (status !== 200) throw new Error(`${path} of the bundled command answers ${status}`);
    }
  } finally {
    server.kill("SIGTERM");
    if (server.exitCode === null) await once(server, "exit");
    rmSync(home, { recursive: true, force: true });
  }
}

async function statusOf(url: string, home: string): Promise<number | undefined> {
  const authorization = `Bearer ${readFileSync(join(home, "admin.token"), "utf8")}`;
  const sent = get(url, { ca: readFileSync(join(home, "ca.crt")), agent: false, headers: { authorization } });
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  await once(answer.resume(), "end");
  return answer.statusCode;
}

try {
  await bundle();
} catch (error) {
  console.warn(
    `no bundle was made; commands start from the sources: ${error instanceof Error ? error.message : String(error)}`,
  );
}
