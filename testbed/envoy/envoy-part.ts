import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePorts } from "../free-port.ts";
import { httpStatus } from "../http-answers.ts";
import type { Part } from "../part.ts";
import { endAll, launch } from "../processes.ts";
import { until } from "../readiness.ts";
import { ENVOY_VERSION, envoyBinary } from "./envoy-binary.ts";

const START_MS = 30_000;

/** The real Envoy with just its admin listener: shows that it runs, and checks configurations with `--mode validate`. */
export const envoyPart: Part = {
  name: "envoy",
  about: `Envoy ${ENVOY_VERSION}`,
  async start(folder, { progress, outlive, signal }) {
    const program = await envoyBinary(progress, signal);
    const [port = 0] = await freePorts(1);
    const url = `http://127.0.0.1:${port}`;
    const bootstrap = join(folder, "bootstrap.json");
    const address = { socket_address: { address: "127.0.0.1", port_value: port } };
    writeFileSync(bootstrap, JSON.stringify({ node: { id: "testbed", cluster: "testbed" }, admin: { address } }));
    const options = ["-c", bootstrap, "--use-dynamic-base-id", "--log-level", "warning"];
    // Envoy asks the kernel to end it with its parent: the shell is a parent that stays.
    const args = ["-c", '"$0" "$@" & wait $!', program, ...options];
    const envoy = launch({ name: "envoy", program: "/bin/sh", args, folder, outlive });
    try {
      const waiting = { folder, process: envoy, timeoutMs: START_MS, signal };
      await until(waiting, url, async () => (await httpStatus(`${url}/ready`)) === 200);
    } catch (error) {
      await endAll([envoy]);
      throw error;
    }
    return { version: ENVOY_VERSION, processes: [envoy], facts: { admin: url, binary: program } };
  },
};
