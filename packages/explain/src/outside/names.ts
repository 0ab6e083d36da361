import { lookup, Resolver } from "node:dns/promises";
import type { Clock } from "@gatewright/ports";
import { sleep } from "@gatewright/ports";
import type { DnsAnswer } from "../probes.ts";

/** There is nothing of the kind: an answer, not a failure. */
const NOTHING: ReadonlySet<unknown> = new Set(["ENODATA", "ENOTFOUND"]);
const TIMEOUT_MS = 2_000;

/** The server answers that it has nothing to do with the name: it is in none of its zones. */
const NOT_MINE = "EREFUSED";

/** Names that no DNS server is asked for: they are always this machine. */
const LOCALHOST = /^(?:.*\.)?localhost\.?$/i;

/** What DNS said. None: there is no such name. Undefined: DNS did not answer. */
type Found = readonly string[] | "refused" | undefined;

/** How names become addresses. */
export interface Names {
  /** `refused`: the server has no zone of the name. */
  addresses(hostname: string, signal: AbortSignal): Promise<Found>;
  records(name: string, type: DnsAnswer["type"], signal: AbortSignal): Promise<readonly string[] | undefined>;
}

/** Asks one server, or with none the machine as other programs do. Nothing is remembered. */
export function createNames(server: string | undefined, clock: Clock): Names {
  const ask = (name: string, type: DnsAnswer["type"], signal: AbortSignal): Promise<Found> =>
    within(clock, signal, async () => {
      const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 });
      if (server !== undefined) resolver.setServers([server]);
      const cancel = (): void => resolver.cancel();
      signal.addEventListener("abort", cancel, { once: true });
      try {
        return await answered(() => asked(resolver, name, type));
      } finally {
        signal.removeEventListener("abort", cancel);
      }
    });
  return {
    async records(name, type, signal) {
      const found = await ask(name, type, signal);
      return found === "refused" ? undefined : found;
    },
    async addresses(hostname, signal) {
      if (server === undefined || LOCALHOST.test(hostname)) {
        const found = () => answered(async () => (await lookup(hostname, { all: true })).map(({ address }) => address));
        return within(clock, signal, found);
      }
      const four = await ask(hostname, "A", signal);
      return four === undefined || four.length > 0 ? four : ask(hostname, "AAAA", signal);
    },
  };
}

function asked(resolver: Resolver, name: string, type: DnsAnswer["type"]): Promise<readonly string[]> {
  switch (type) {
    case "A":
      return resolver.resolve4(name);
    case "AAAA":
      return resolver.resolve6(name);
    case "CNAME":
      return resolver.resolveCname(name);
  }
}

async function answered(ask: () => Promise<readonly string[]>): Promise<Found> {
  try {
    return await ask();
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code === NOT_MINE) return "refused";
    return NOTHING.has(code) ? [] : undefined;
  }
}

/** The system's own way cannot be cancelled: it is left alone when time is over. */
async function within<T>(clock: Clock, signal: AbortSignal, work: () => Promise<T>): Promise<T | undefined> {
  signal.throwIfAborted();
  const over = new AbortController();
  const ended = sleep(clock, 2 * TIMEOUT_MS + 500, AbortSignal.any([signal, over.signal])).then(
    () => undefined,
    () => undefined,
  );
  try {
    return await Promise.race([work(), ended]);
  } finally {
    over.abort();
  }
}
