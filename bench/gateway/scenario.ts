/** One thing that proxies are asked to do. */
export interface Scenario {
  readonly name: string;
  /** How many routes lead to the one backend. */
  readonly routes: number;
  /** Whether clients speak TLS. */
  readonly tls: boolean;
}

export const SCENARIOS: readonly Scenario[] = [
  { name: "plain proxy", routes: 1, tls: false },
  { name: "10,000 routes", routes: 10_000, tls: false },
  { name: "TLS to clients", routes: 1, tls: true },
];

/** The path of a route: with one route everything is its. */
export function prefixOf({ routes }: Scenario, index: number): string {
  return routes === 1 ? "/" : `/team-${index % 100}/service-${index}/`;
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
