import { isIP } from "node:net";
import { UsageError } from "../usage-error.ts";
import type { OperatorValues } from "./operator-options.ts";

/** Where the console is served. */
export interface ConsoleOptions {
  readonly address: { readonly host?: string; readonly port: number };
  readonly hosts: readonly string[];
  readonly files: { readonly certificateFile: string; readonly keyFile: string } | undefined;
}

/** What flags say of the console. Tokens of users go to it: beyond this machine it is served over TLS, or not at all. */
export function consoleOptions(values: OperatorValues): ConsoleOptions | undefined {
  const address = values.addressOrNone("console-bind-address");
  if (address === undefined) return undefined;
  const [certificateFile, keyFile] = [values.optional("console-cert-file"), values.optional("console-key-file")];
  if ((certificateFile === undefined) !== (keyFile === undefined))
    throw new UsageError("--console-cert-file and --console-key-file go together");
  const files = certificateFile === undefined || keyFile === undefined ? undefined : { certificateFile, keyFile };
  if (files === undefined && !isLoopback(address.host))
    throw new UsageError(
      "--console-bind-address without --console-cert-file is an address of this machine, such as 127.0.0.1:9445: tokens of users go there",
    );
  return { address, hosts: values.list("console-hosts"), files };
}

function isLoopback(host = ""): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}
