import type { GivenObject } from "../objects.ts";
import type { GatewaySettings } from "../settings/gateway-settings.ts";

/** What is wrong with a file. With an error, what the file said before still counts. */
export interface FileProblem {
  readonly file: string;
  /** Where the document begins. Undefined: it is about the file. */
  readonly line: number | undefined;
  readonly severity: "error" | "warning";
  readonly message: string;
}

/** What files say. Objects that did not change are the same values as before. */
export interface FileConfiguration {
  readonly settings: GatewaySettings;
  readonly objects: readonly GivenObject[];
  readonly problems: readonly FileProblem[];
}
