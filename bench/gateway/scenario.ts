/** One thing that proxies are asked to do. */
export interface Scenario {
  readonly name: string;
  /** How many routes lead to the one backend. */
  readonly routes: number;
  /** Whether clients speak TLS. */
  readonly tls: boolean;
  /** Calls of gRPC with one message each way, by HTTP/2 without TLS on both sides. */
  readonly grpc: boolean;
  /** Nobody is kept to a core. */
  readonly allCores?: true;
}

export const SCENARIOS: readonly Scenario[] = [
  { name: "plain proxy", routes: 1, tls: false, grpc: false },
  { name: "10,000 routes", routes: 10_000, tls: false, grpc: false },
  { name: "TLS to clients", routes: 1, tls: true, grpc: false },
  { name: "gRPC unary", routes: 1, tls: false, grpc: true },
];

/** Our own workers against one of them. */
export const ALL_CORES: Scenario = { name: "all cores", routes: 1, tls: false, grpc: false, allCores: true };

/** The path of a route: with one route everything is its. */
export function prefixOf({ routes }: Scenario, index: number): string {
  return routes === 1 ? "/" : `/team-${index % 100}/service-${index}/`;
}

/** The path of calls. */
export const CALL = "/bench.Greeter/Greet";

/** A message as calls carry it: not compressed, 20 bytes. */
export function grpcMessage(): Buffer {
  return Buffer.concat([Buffer.from([0, 0, 0, 0, 20, 10, 18]), Buffer.from("x".repeat(18))]);
}

/** A script for wrk that asks for one route after the other, far apart in any table. */
export function wrkScript(scenario: Scenario): string {
  if (scenario.routes === 1) return 'request = function() return wrk.format("GET", "/hello/world") end\n';
  return `local at = 0
request = function()
  at = (at + 7919) % ${scenario.routes}
  return wrk.format("GET", "/team-" .. (at % 100) .. "/service-" .. at .. "/hello")
end
`;
}
