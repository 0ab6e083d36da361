import type { JsonObject } from "@gatewright/kube";

/** The Kubernetes release whose behaviour this server gives. */
const KUBERNETES = { major: "1", minor: "36", patch: "4" };

/** `GET /version`. Clients choose what they send by `major` and `minor`. */
export function versionInfo(): JsonObject {
  const { major, minor, patch } = KUBERNETES;
  return {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Number(minor) - 1),
    gitVersion: `v${major}.${minor}.${patch}+gatewright`,
    gitCommit: "",
    gitTreeState: "clean",
    buildDate: "1970-01-01T00:00:00Z",
    goVersion: process.version,
    compiler: "v8",
    platform: `${process.platform}/${process.arch === "x64" ? "amd64" : process.arch}`,
  };
}

/** The version that OpenAPI documents carry: `1.36`. */
export const documentVersion = `${KUBERNETES.major}.${KUBERNETES.minor}`;
