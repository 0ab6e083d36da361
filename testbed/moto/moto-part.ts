import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../folders.ts";
import { freePorts } from "../free-port.ts";
import { httpStatus } from "../http-answers.ts";
import type { Part } from "../part.ts";
import { endAll, launch } from "../processes.ts";
import { withProgress } from "../progress.ts";
import type { Progress } from "../progress.ts";
import { python } from "../python.ts";
import { until } from "../readiness.ts";
import { runTool } from "../run-tool.ts";
import { MOTO, MOTO_FOLDER, PACKAGES } from "./versions.ts";

const START_MS = 60_000;

/** An emulation of AWS that we did not write: ACM, Route 53, S3, SQS, RDS, EC2, STS, ELBv2 and more. */
export const motoPart: Part = {
  name: "moto",
  about: `an emulation of AWS, moto ${MOTO}`,
  async start(folder, { progress, outlive, signal }) {
    const installed = await install(progress, signal);
    const [port = 0] = await freePorts(1);
    const url = `http://127.0.0.1:${port}`;
    const server = launch({
      name: "moto",
      program: join(installed, "bin", "python"),
      args: ["-m", "moto.server", "-H", "127.0.0.1", "-p", String(port)],
      folder,
      outlive,
    });
    try {
      const waiting = { folder, process: server, timeoutMs: START_MS, signal };
      await until(waiting, url, async () => (await httpStatus(`${url}/moto-api/`)) === 200);
    } catch (error) {
      await endAll([server]);
      throw error;
    }
    return { version: MOTO, processes: [server], facts: { AWS_ENDPOINT_URL: url } };
  },
};

/** The virtual environment with moto. One that is half made is made again. */
async function install(progress: Progress, signal?: AbortSignal): Promise<string> {
  const folder = join(cacheFolder(MOTO_FOLDER), "venv");
  const done = join(folder, "complete");
  if (existsSync(done)) return folder;
  await withProgress(progress, `installing moto ${MOTO}`, async () => {
    rmSync(folder, { recursive: true, force: true });
    await python(["-m", "venv", folder], signal);
    const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...PACKAGES];
    await runTool(join(folder, "bin", "python"), pip, { whenMissing: "The virtual environment is broken.", signal });
    // Paths are written into a virtual environment, so it cannot be made elsewhere and renamed: this says that it is whole.
    writeFileSync(done, "");
  });
  return folder;
}
