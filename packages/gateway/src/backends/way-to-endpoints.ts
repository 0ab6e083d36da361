import { accessSync, constants } from "node:fs";
import type { Clock } from "@gatewright/ports";
import type { Around } from "../filters/around.ts";
import { guardedLookup } from "./address-guard.ts";
import type { BackendSpec } from "./backend-spec.ts";
import type { EndpointTarget } from "./connect.ts";
import type { BackendSettings } from "./create-backend.ts";
import { shownCertificate } from "./credentials/backend-credentials.ts";
import { confinedMessage, isConfined } from "../configuration/confined-file.ts";
import { fieldNaming } from "../configuration/field-naming.ts";
import { specMs } from "../configuration/spec-duration.ts";
import { BackendTls, tlsPlan } from "./tls/backend-tls.ts";

/** How a backend's endpoints are connected to. */
export interface WayToEndpoints {
  /** What connections depend on, besides the address: they are kept while it is the same. */
  readonly content: unknown;
  to(host: string, port: number): EndpointTarget;
}

/** What a backend says about its connections. Notes what cannot be had as it says. Files are read `within` these directories, or anywhere. */
export function wayTo(
  kind: string,
  spec: BackendSpec,
  within: readonly string[] | undefined,
  around: { readonly clock: Clock; readonly settings: BackendSettings; readonly note: Around["note"] },
): WayToEndpoints {
  const { clock, settings, note } = around;
  const canRead = settings.isReadable ?? isReadable;
  const asked = tlsPlan(spec.tls, shownCertificate(spec.authentication, note), note);
  const plan = asked && { ...asked, ...(within !== undefined && { within }) };
  for (const file of Object.values(plan?.files ?? {})) {
    if (within !== undefined && !isConfined(file, within)) {
      note({ field: fieldNaming(spec, file), message: confinedMessage(file), severity: "error" });
      continue;
    }
    const message = `${file} cannot be read now: connections fail until it can`;
    if (!canRead(file)) note({ field: "spec.tls", message, severity: "warning" });
  }
  const protocol = protocolOf(kind, spec, note);
  const { connectionPool } = spec;
  const pool = {
    maxConnections: connectionPool?.maxConnsPerHost,
    maxIdle: connectionPool?.maxIdleConns,
    idleMs: specMs(connectionPool?.idleConnTimeout) || undefined,
    maxPending: connectionPool?.maxPendingRequests,
  };
  const offered = plan?.protocols?.filter((name) => name !== "h2");
  const spoken =
    plan && (protocol === "http2" ? { ...plan, protocols: ["h2"] } : { ...plan, protocols: offered ?? [] });
  const lookup = settings.allowAnyAddress ? settings.lookup : guardedLookup(settings.lookup);
  return {
    content: { protocol, pool, tls: spoken, allowAnyAddress: settings.allowAnyAddress },
    to(host, port) {
      const tls = spoken && new BackendTls(spoken, host, clock);
      return { host, port, protocol, tls: tls && (() => tls.options()), lookup, pool };
    },
  };
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    // Why it cannot be read is the same to whoever wrote the object.
    return false;
  }
}

/** One protocol a backend: which of several its hosts would choose is not known before the first connection. */
function protocolOf(kind: string, { protocol, tls }: BackendSpec, note: Around["note"]): "http1" | "http2" {
  if (kind === "GRPCBackend" || protocol === "http2") return "http2";
  const alpn = tls?.enabled === true ? (tls.alpn ?? []) : [];
  if (protocol === "http1" || !alpn.includes("h2")) return "http1";
  if (alpn.length > 1) {
    const message = "of several protocols h2 is spoken, and hosts have to choose it: write protocol to say otherwise";
    note({ field: "spec.tls.alpn", message, severity: "warning" });
  }
  return "http2";
}
