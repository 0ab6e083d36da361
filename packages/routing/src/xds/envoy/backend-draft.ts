import type { ClusterSchema } from "@gatewright/gateway-wire/xds";
import type { BackendTraits } from "./destinations.ts";
import type { Init } from "./packed.ts";
import type { Shortfall } from "./route-draft.ts";

/** A backend while its features add to it. */
export class BackendDraft {
  readonly cluster: Init<typeof ClusterSchema> = {};
  /** What its routes have to know. */
  readonly requestHeaders: (readonly [name: string, value: string])[] = [];
  readonly shortfalls: Shortfall[] = [];
  hash: BackendTraits["hash"];
  sticky: BackendTraits["sticky"];
  closed: string | undefined;

  /** The backend works, but for this. */
  lacks(field: string, message: string): void {
    this.shortfalls.push({ field: `spec.${field}`, message: `on Envoy: ${message}` });
  }

  /** Without this its hosts would get what they must not, or be trusted without reason: routes to it are closed. */
  close(field: string, message: string): void {
    this.closed ??= message;
    this.shortfalls.push({ field: `spec.${field}`, message: `on Envoy: ${message}; routes to it answer 503 there` });
  }
}
