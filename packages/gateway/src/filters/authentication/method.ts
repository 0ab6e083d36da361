import type { FetchJson } from "../../outbound/fetch-json.ts";
import type { Call, Identity } from "../../pipeline/call.ts";
import type { Around } from "../around.ts";

/**
 * What a method found: who it is; nothing that it looks at; something that proves nothing; or something that it cannot judge at the
 * moment.
 */
export type Outcome = Identity | "absent" | "refused" | "unavailable";

/** One way to prove who one is. Any of a route's methods is enough. */
export interface Method {
  /** For WWW-Authenticate. `refused`: a credential was sent, and is not good. */
  challenge(refused: boolean): string;
  /** Throws and rejects for nothing that a client can send. */
  judge(call: Call): Outcome | Promise<Outcome>;
  /** Removes from a request that passes what was meant for the gateway only. */
  strip?(call: Call): void;
}

/** What methods are made with. */
export interface AuthenticationAround extends Around {
  readonly fetchJson: FetchJson;
  /** The text of a file on the gateway's machine. Throws. */
  readonly readFile: (path: string) => string;
}

/** What the one Authorization field of a request has for a scheme. */
export function credentials(call: Call, scheme: string): { readonly text: string } | "absent" | "refused" {
  const { fields } = call.head;
  const first = fields.get("authorization");
  if (first === undefined) return "absent";
  const space = first.indexOf(" ");
  if (space === -1 || first.slice(0, space).toLowerCase() !== scheme) return "absent";
  // Two credentials: the backend could believe the other one.
  if (fields.all("authorization").length > 1) return "refused";
  return { text: first.slice(space + 1).trim() };
}
