import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "@gatewright/runtime";
import { freePorts } from "../../../testbed/index.ts";
import { rendered } from "../../chart/rendered.ts";
import type { Rendered } from "../../chart/rendered.ts";
import { environmentOf, mountedSecret } from "../outside-pods.ts";
import { startCommand } from "../routing/started-command.ts";
import type { StartedCommand } from "../routing/started-command.ts";
import { ENVOYS, GATEWAY, PLACE } from "./whole-chart.ts";

interface Around {
  readonly helm: string;
  readonly admin: Client;
  /** Where files of pods are. */
  readonly folder: string;
  /** Where the operator is dialled. */
  readonly operator: number;
}

/** Our gateway as its chart runs it. `port` is where it serves. */
export async function startChartedGateway(around: Around, port: number): Promise<StartedCommand> {
  const [admin] = await freePorts(1);
  const mounted = join(around.folder, GATEWAY);
  const chart = await chartOf(around, GATEWAY, [
    "image.repository=registry.example/gatewright",
    `listeners.http.port=${port}`,
    `settings.admin.port=${admin}`,
  ]);
  await mkdir(join(mounted, "state"), { recursive: true });
  await mountedClient(around, GATEWAY, mounted);
  await mountedSettings(chart, mounted, [
    ["/etc/gatewright/client", join(mounted, "client")],
    ["/var/lib/gatewright", join(mounted, "state")],
  ]);
  const args = (chart.container.args ?? []).map((arg) => arg.replace("/etc/gatewright/settings", mounted));
  return startCommand(args, environmentOf(chart.container, `${GATEWAY}-0`));
}

/** A real Envoy as the chart runs it. */
export interface ChartedEnvoy extends AsyncDisposable {
  /** Where others see how it is. */
  readonly status: string;
}

/** Starts `binary` with what the chart gives an Envoy. */
export async function startChartedEnvoy(around: Around, binary: string): Promise<ChartedEnvoy> {
  const [own = 0, status = 0] = await freePorts(2);
  const mounted = join(around.folder, ENVOYS);
  const chart = await chartOf(around, ENVOYS, ["dataPlane=envoy", "envoy.image=x"]);
  await mountedClient(around, ENVOYS, mounted);
  await mountedSettings(chart, mounted, [
    ["/etc/gatewright/client", join(mounted, "client")],
    ["/etc/envoy/", `${mounted}/`],
    ["port_value: 9901", `port_value: ${own}`],
    ["port_value: 9902", `port_value: ${status}`],
  ]);
  const args = (chart.container.args ?? []).map((arg) =>
    arg.replace("/etc/envoy", mounted).replace("$(POD_NAME)", `${ENVOYS}-0`),
  );
  const child = spawn(binary, [...args, "--use-dynamic-base-id"], { stdio: "ignore" });
  const exited = once(child, "exit");
  return {
    status: `http://127.0.0.1:${status}`,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

function chartOf({ helm, operator }: Around, name: string, set: readonly string[]): Promise<Rendered> {
  return rendered(helm, {
    chart: "gatewright-gateway",
    release: name,
    namespace: PLACE.edge,
    set: [
      `fullnameOverride=${name}`,
      `operator.address=127.0.0.1:${operator}`,
      `operator.serverName=${PLACE.name}.${PLACE.namespace}.svc`,
      ...set,
    ],
  });
}

/** The certificate that the operator made for a gateway. */
async function mountedClient({ admin }: Around, name: string, mounted: string): Promise<void> {
  const secret = { namespace: PLACE.edge, name: `${name}-operator-client` };
  await mountedSecret(admin, secret, join(mounted, "client"));
}

/** What the chart gives a pod in files, with places of this machine. */
async function mountedSettings(
  chart: Rendered,
  mounted: string,
  places: readonly (readonly [there: string, here: string])[],
): Promise<void> {
  for (const [file, text] of Object.entries(chart.one("ConfigMap").data ?? {})) {
    const here = places.reduce((made, [from, to]) => made.replaceAll(from, to), text);
    await writeFile(join(mounted, file), here);
  }
}
