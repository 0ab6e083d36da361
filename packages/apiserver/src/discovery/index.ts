export { discoveryPaths } from "./discovery-paths.ts";
export { documentVersion } from "./version-info.ts";
