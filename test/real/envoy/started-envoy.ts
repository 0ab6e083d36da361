import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts } from "../../../testbed/index.ts";
import { eventually } from "../eventually.ts";

/** How the discovery server is spoken to. */
export type AdsKind = "DELTA_GRPC" | "GRPC";

/** A real Envoy that gets everything from a discovery server. */
export interface StartedEnvoy {
  readonly admin: string;
  /** Counters whose name holds the text. */
  stats(filter: string): Promise<ReadonlyMap<string, number>>;
  close(): Promise<void>;
}

/** By what Envoy and its discovery server know each other: files, and the name in the server's certificate. */
export interface AdsTls {
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
  readonly serverName: string;
}

/** Starts Envoy against a discovery server of this machine. Default: without TLS, as the gateway `gateways`. */
export async function startEnvoy(
  binary: string,
  adsPort: number,
  kind: AdsKind,
  { cluster = "gateways", tls }: { readonly cluster?: string; readonly tls?: AdsTls } = {},
): Promise<StartedEnvoy> {
  const folder = await mkdtemp(join(tmpdir(), "envoy-"));
  const [port = 0] = await freePorts(1);
  const address = (number: number): object => ({ socket_address: { address: "127.0.0.1", port_value: number } });
  const fromAds = { ads: {}, resource_api_version: "V3" };
  const bootstrap = {
    node: { id: "envoy-1", cluster },
    admin: { address: address(port) },
    dynamic_resources: {
      ads_config: {
        api_type: kind,
        transport_api_version: "V3",
        grpc_services: [{ envoy_grpc: { cluster_name: "ads" } }],
      },
      cds_config: fromAds,
      lds_config: fromAds,
    },
    static_resources: {
      clusters: [
        {
          name: "ads",
          type: "STATIC",
          connect_timeout: "5s",
          ...(tls !== undefined && { transport_socket: transportSocket(tls) }),
          typed_extension_protocol_options: {
            "envoy.extensions.upstreams.http.v3.HttpProtocolOptions": {
              "@type": "type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions",
              explicit_http_config: { http2_protocol_options: {} },
            },
          },
          load_assignment: {
            cluster_name: "ads",
            endpoints: [{ lb_endpoints: [{ endpoint: { address: address(adsPort) } }] }],
          },
        },
      ],
    },
  };
  const file = join(folder, "bootstrap.json");
  await writeFile(file, JSON.stringify(bootstrap));
  const options = ["-c", file, "--use-dynamic-base-id", "--log-level", "warning", "--concurrency", "1"];
  const envoy = spawn(binary, options, {
    stdio: ["ignore", "ignore", process.env["ENVOY_LOG"] ? "inherit" : "ignore"],
  });
  const ended = new Promise((resolve) => envoy.once("exit", resolve));
  const admin = `http://127.0.0.1:${port}`;
  const close = async (): Promise<void> => {
    envoy.kill("SIGKILL");
    await ended;
    await rm(folder, { recursive: true });
  };
  try {
    await eventually(
      "Envoy's start",
      () => answers(`${admin}/server_info`),
      (isThere) => isThere,
    );
  } catch (error) {
    await close();
    throw error;
  }
  return {
    admin,
    async stats(filter) {
      const text = await (await fetch(`${admin}/stats?filter=${encodeURIComponent(filter)}`)).text();
      const lines = text.split("\n").filter((line) => line !== "");
      return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(": ")), Number(line.split(": ").at(-1))]));
    },
    close,
  };
}

function transportSocket({ caFile, certFile, keyFile, serverName }: AdsTls): object {
  return {
    name: "tls",
    typed_config: {
      "@type": "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext",
      sni: serverName,
      common_tls_context: {
        alpn_protocols: ["h2"],
        tls_certificates: [{ certificate_chain: { filename: certFile }, private_key: { filename: keyFile } }],
        validation_context: {
          trusted_ca: { filename: caFile },
          match_typed_subject_alt_names: [{ san_type: "DNS", matcher: { exact: serverName } }],
        },
      },
    },
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    // It does not listen yet.
    return false;
  }
}
