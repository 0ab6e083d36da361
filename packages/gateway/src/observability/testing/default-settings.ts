import { readSettings } from "../../configuration/settings/gateway-settings.ts";

/** Settings of which nothing was said but a listener at any port. */
export const DEFAULT_SETTINGS = readSettings(
  {
    apiVersion: "gateway.avapigw.io/v1",
    kind: "Gateway",
    metadata: { name: "edge" },
    spec: { listeners: [{ name: "http", address: "127.0.0.1", port: 0 }] },
  },
  "/gateway.yaml",
).settings;
