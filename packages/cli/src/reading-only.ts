import type { Transport } from "@gatewright/runtime";

/** Something tried to write to the cluster that may only read it: a mistake of ours. It was not sent. */
export class ReadingOnlyError extends Error {
  constructor(method: string, path: string) {
    super(`${method} ${path.split("?", 1)[0]} would write; nothing was sent`);
    this.name = "ReadingOnlyError";
  }
}

/** The same way to a server, for reads and dry runs alone. */
export function readingOnly(transport: Transport): Transport {
  return async (request) => {
    const { method, path } = request;
    const query = new URLSearchParams(path.slice(path.indexOf("?") + 1));
    const harmless = method === "GET" || query.getAll("dryRun").join() === "All";
    if (!harmless) throw new ReadingOnlyError(method, path);
    return transport(request);
  };
}
