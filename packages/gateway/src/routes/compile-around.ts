import type { Clock, Random } from "@gatewright/ports";
import type { Limits } from "../configuration/settings/limits.ts";
import type { BackendHandle, Destination } from "../live/backend-book.ts";
import type { FetchJson } from "../outbound/fetch-json.ts";

/** What routes are compiled with. */
export interface CompileAround {
  readonly clock: Clock;
  readonly random: Random;
  /** What holds where a route says nothing. */
  readonly limits: Pick<Limits, "maxBodyBytes" | "requestTimeoutMs">;
  /** Where GraphQLRoutes are that do not say it. */
  readonly graphqlPath: string;
  /** To issuers of tokens and policy engines. */
  readonly fetchJson: FetchJson;
  /** The text of a file on the gateway's machine. Throws. */
  readonly readFile: (path: string) => string;
  /** The same as bytes. */
  readonly readBytes: (path: string) => Uint8Array;
  /** Where routes may name files that do not come from files themselves. Default: nowhere. */
  readonly fileDirectories?: readonly string[];
  /** The backend for a destination; the route holds it until it is compiled anew or goes. */
  readonly backend: (destination: Destination) => BackendHandle;
}
