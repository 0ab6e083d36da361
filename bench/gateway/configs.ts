import { join } from "node:path";
import { prefixOf } from "./scenario.ts";
import type { Scenario } from "./scenario.ts";

/** What is around a proxy. */
export interface Where {
  readonly folder: string;
  readonly backendPort: number;
  readonly certFile: string;
  readonly keyFile: string;
  /** Both of them in one, as haproxy wants them. */
  readonly pairFile: string;
}

/** nginx with one worker, in one folder, without a log of requests. */
export function nginxConfig(folder: string, server: string): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((kind) => `${kind}_temp_path ${join(folder, kind)};`)
    .join("\n  ");
  // Whoever has all rights would give them up, and could not read the folder.
  const user = process.getuid?.() === 0 ? "user root;\n" : "";
  return `daemon off;
${user}worker_processes 1;
pid ${join(folder, "pid")};
error_log ${join(folder, "error.log")};
events { worker_connections 4096; }
http {
  access_log off;
  keepalive_requests 1000000000;
  ${temporary}
  ${server}
}
`;
}

/** A server block that answers calls with the message in a file. */
nginxConfig.greeter = (folder: string, port: number): string => `server {
    listen 127.0.0.1:${port} http2;
    root ${folder};
    default_type application/grpc;
    open_file_cache max=10;
    add_trailer grpc-status 0;
    error_page 405 =200 $uri;
  }`;

/** A server block that forwards to the backend over kept connections. */
nginxConfig.proxy = (scenario: Scenario, { backendPort, certFile, keyFile }: Where, port: number): string => {
  const locations = Array.from(
    { length: scenario.routes },
    (_, index) => `location ${prefixOf(scenario, index)} { proxy_pass http://backend; }`,
  );
  if (scenario.grpc)
    return `upstream backend { server 127.0.0.1:${backendPort}; keepalive 128; keepalive_requests 1000000000; }
  server {
    listen 127.0.0.1:${port} http2;
    grpc_set_header X-Forwarded-For $remote_addr;
    grpc_set_header X-Forwarded-Proto $scheme;
    grpc_set_header X-Forwarded-Host $http_host;
    location / { grpc_pass grpc://backend; }
  }`;
  const tls = scenario.tls ? `ssl_certificate ${certFile}; ssl_certificate_key ${keyFile};` : "";
  return `upstream backend { server 127.0.0.1:${backendPort}; keepalive 128; keepalive_requests 1000000000; }
  server {
    listen 127.0.0.1:${port}${scenario.tls ? " ssl" : ""};
    ${tls}
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-For $remote_addr;
    proxy_set_header X-Forwarded-Proto $scheme;
    proxy_set_header X-Forwarded-Host $http_host;
    ${locations.join("\n    ")}
  }`;
};

/** haproxy with one thread; routes are a map of prefixes. By name of file. */
export function haproxyConfig(
  scenario: Scenario,
  { backendPort, pairFile }: Where,
  port: number,
  folder: string,
): readonly (readonly [string, string])[] {
  const routes = Array.from({ length: scenario.routes }, (_, index) => `${prefixOf(scenario, index)} backend\n`);
  const map = join(folder, "routes.map");
  const config = `global
  nbthread 1
  maxconn 4096
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  option forwardfor
  http-reuse always
frontend front
  bind 127.0.0.1:${port}${scenario.tls ? ` ssl crt ${pairFile}` : ""}${scenario.grpc ? " proto h2" : ""}
  http-request set-header X-Forwarded-Proto ${scenario.tls ? "https" : "http"}
  http-request set-header X-Forwarded-Host %[req.hdr(host)]
  use_backend %[path,map_beg(${map})]
backend backend
  server one 127.0.0.1:${backendPort}${scenario.grpc ? " proto h2" : ""}
`;
  return [
    ["haproxy.cfg", config],
    ["routes.map", routes.join("")],
  ];
}

/** Our gateway's settings. */
export function ourSettings(
  { tls }: Scenario,
  { certFile, keyFile }: Where,
  port: number,
  more: Readonly<Record<string, unknown>> = {},
): string {
  const listener = tls
    ? { name: "https", address: "127.0.0.1", port, protocol: "HTTPS", tls: { certificates: [{ certFile, keyFile }] } }
    : { name: "http", address: "127.0.0.1", port, protocol: "HTTP" };
  return JSON.stringify({
    apiVersion: "gateway.avapigw.io/v1",
    kind: "Gateway",
    metadata: { name: "bench" },
    spec: {
      listeners: [listener],
      objects: ["objects.json"],
      limits: { maxRequestsPerConnection: 1_000_000_000 },
      ...more,
    },
  });
}

/** A backend, and the routes to it. */
export function ourObjects(scenario: Scenario, { backendPort }: Where): string {
  const apiVersion = "avapigw.io/v1alpha1";
  const backend = {
    apiVersion,
    kind: scenario.grpc ? "GRPCBackend" : "Backend",
    metadata: { name: "bench", namespace: "default" },
    spec: { hosts: [{ address: "127.0.0.1", port: backendPort }] },
  };
  const routes = Array.from({ length: scenario.routes }, (_, index) => ({
    apiVersion,
    kind: scenario.grpc ? "GRPCRoute" : "APIRoute",
    metadata: { name: `route-${index}`, namespace: "default" },
    spec: {
      match: [scenario.grpc ? { service: { exact: "*" } } : { uri: { prefix: prefixOf(scenario, index) } }],
      route: [{ destination: { host: "bench", port: backendPort } }],
    },
  }));
  return JSON.stringify({ apiVersion: "v1", kind: "List", items: [backend, ...routes] });
}
