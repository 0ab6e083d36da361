export { DEFAULT_SETTINGS } from "./settings.ts";
export type { HostnameSettings } from "./settings.ts";
