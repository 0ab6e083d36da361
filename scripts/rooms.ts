/**
 * Which rooms each room may import: the arrows of ARCHITECTURE.md. What is not listed may not be imported. A folder of a room can
 * have arrows of its own.
 */
export const ROOMS: ReadonlyMap<string, readonly string[]> = new Map([
  ["ports", []],
  ["kube", []],
  ["certificates", ["ports"]],
  ["aws-wire", []],
  ["apiserver", ["ports", "kube", "certificates", "store"]],
  ["telemetry", ["ports", "kube"]],
  ["runtime", ["ports", "kube", "telemetry"]],
  ["runtime/webhook", ["ports", "kube", "certificates", "telemetry"]],
  ["runtime/simulation", ["ports", "kube", "apiserver", "telemetry"]],
  ["resources", ["kube", "runtime"]],
  ["store", ["ports"]],
  ["local-aws", ["ports", "aws-wire", "certificates", "store"]],
  ["aws", ["ports", "aws-wire"]],
  ["applications", ["ports", "kube", "runtime", "resources", "store"]],
  ["hostnames", ["ports", "kube", "runtime", "resources", "aws"]],
  ["infra", ["ports", "kube", "runtime", "resources", "aws"]],
  ["gateway-wire", []],
  ["gateway", ["ports", "kube", "telemetry", "resources", "gateway-wire"]],
  ["routing", ["ports", "kube", "certificates", "runtime", "resources", "gateway-wire", "gateway"]],
  ["explain", ["ports", "kube", "runtime", "resources", "applications", "hostnames", "infra", "routing"]],
  [
    "operator",
    ["ports", "kube", "runtime", "resources", "applications", "hostnames", "infra", "routing", "gateway", "aws"],
  ],
  ["console", ["ports", "kube", "runtime", "resources", "hostnames", "gateway", "routing", "explain"]],
  ["console/web", []],
  ["console/browser", []],
  [
    "laptop",
    [
      "ports",
      "kube",
      "apiserver",
      "runtime",
      "resources",
      "applications",
      "hostnames",
      "explain",
      "infra",
      "routing",
      "gateway",
      "console",
      "aws",
      "local-aws",
    ],
  ],
  [
    "cli",
    [
      "ports",
      "kube",
      "telemetry",
      "store",
      "apiserver",
      "runtime",
      "resources",
      "aws",
      "hostnames",
      "infra",
      "gateway",
      "routing",
      "operator",
      "explain",
      "console",
      "laptop",
    ],
  ],
]);

/** Tests of any room may also use these: the worlds that their subjects run in. */
export const TEST_ROOMS: readonly string[] = ["ports", "kube", "certificates", "apiserver", "local-aws"];

/** Where real clocks, randomness and sockets of the outside may be touched: rooms, and folders of rooms. */
export const ADAPTER_ROOMS: ReadonlySet<string> = new Set(["ports", "console/browser"]);
