import type { GroupResource } from "@gatewright/kube";
import type { Clock, Random } from "@gatewright/ports";
import type { StaticToken } from "./auth/index.ts";
import type { ExtraPaths } from "./extra-paths.ts";
import type { HealthCheck } from "./handlers/health.ts";
import type { NodeAccess } from "./nodes/node-access.ts";
import type { Store } from "./store/index.ts";

/** Where the server tells what an operator should know: a constant message and its fields. Never holds stored data. */
export type ServerLog = (
  level: "info" | "warn" | "error",
  message: string,
  fields: Readonly<Record<string, unknown>>,
) => void;

/** Everything has a default: without options a test gets a server in memory whose callers on this machine are admins. */
export interface ApiServerOptions {
  /** Default: in memory. The server closes it when it is closed. */
  readonly store?: Store;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly log?: ServerLog;
  /**
   * `loopback` (the default): plain HTTP on this machine, where a caller without credentials is the admin and browsers are
   * kept out. `required`: every caller shows a token or a certificate, except for health and version.
   */
  readonly access?: "loopback" | "required";
  /** Tokens that are known from the start. */
  readonly tokens?: readonly StaticToken[];
  readonly serviceAccounts?: {
    /** `iss` of tokens. Default: `https://kubernetes.default.svc.cluster.local`. */
    readonly issuer?: string;
    /** PEM of keys; the first one signs and must be private. Default: a new key, which ends with the process. */
    readonly keys?: readonly string[];
  };
  /** PEM of the authority by which clients in pods would know this server: published as `kube-root-ca.crt`. */
  readonly caBundle?: string;
  /** Cluster IPs are given from here. Default: 10.0.0.0/16. */
  readonly serviceCidr?: string;
  /** Where this server will be reached, for the Service `default/kubernetes`. */
  readonly advertise?: { readonly address: string; readonly port: number };
  /** Admission plugins to leave out, by their Kubernetes names. */
  readonly disabledAdmission?: readonly string[];
  /** Paths beside those of Kubernetes, and what `GET /` tells. */
  readonly paths?: ExtraPaths;
  /**
   * Kinds whose writers need not know Kubernetes: a create makes a namespace that is missing (if its caller may), and a PUT without
   * resourceVersion replaces whatever is there. Default: none.
   */
  readonly forgiving?: readonly GroupResource[];
  /** What else must be well for `/healthz`, `/livez` and `/readyz`. Default: nothing. */
  readonly checks?: readonly HealthCheck[];
  /** Where pods run. Without it their logs, proxies and ports are not served. */
  readonly nodes?: NodeAccess;
}
