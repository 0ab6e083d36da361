import type { ApiObject, Resource } from "@gatewright/kube";
import type { Known } from "./known.ts";
import type { Probes } from "./probes.ts";
import type { Reader, Seen, SeenAll } from "./reader.ts";

/** Where an explanation's facts come from. */
export interface Sources {
  readonly reader: Reader;
  /** Default: nobody looks from outside. */
  readonly probes?: Probes;
  readonly now: number;
}

/** More than any chain has. What is beyond stays unknown. */
const MOST_ROUNDS = 16;
const MOST_READS = 400;

/**
 * What a pure function says once it knows all that it asks for: it is called again and again, and what it asked for meanwhile is read
 * at once, so a chain costs as many rounds as it is deep. The same question is read once only: all of the answer is about one moment,
 * as far as a cluster has one.
 */
export async function gather<R>(sources: Sources, explain: (known: Known) => R, signal?: AbortSignal): Promise<R> {
  const facts = new Map<string, unknown>();
  for (let round = 0; ; round++) {
    const open = new Map<string, () => Promise<unknown>>();
    const said = explain(knownFrom(sources, facts, open, signal));
    if (open.size === 0 || round === MOST_ROUNDS || facts.size > MOST_READS) return said;
    await Promise.all(Array.from(open, async ([question, read]) => facts.set(question, await read())));
  }
}

function knownFrom(
  { reader, probes, now }: Sources,
  facts: ReadonlyMap<string, unknown>,
  open: Map<string, () => Promise<unknown>>,
  signal: AbortSignal | undefined,
): Known {
  const ask = <T>(question: string, read: () => Promise<T>, meanwhile: T): T => {
    if (facts.has(question)) return facts.get(question) as T;
    open.set(question, read);
    return meanwhile;
  };
  return {
    now,
    get: <T extends ApiObject>(resource: Resource<T>, { namespace, name }: { namespace?: string; name: string }) => {
      const ref = resource.namespaced && namespace !== undefined ? { namespace, name } : { name };
      const question = `get ${resource.plural}.${resource.group} ${JSON.stringify([namespace, name])}`;
      return ask<Seen<T>>(question, () => reader.get(resource, ref, signal), { state: "unknown", problem: UNREAD });
    },
    list: <T extends ApiObject>(resource: Resource<T>, selection: Parameters<Known["list"]>[1]) => {
      const { namespace, labelSelector, fieldSelector } = selection;
      const question = `list ${resource.plural}.${resource.group} ${JSON.stringify([namespace, labelSelector, fieldSelector])}`;
      const read = () => reader.list(resource, selection, signal);
      return ask<SeenAll<T>>(question, read, { state: "unknown", problem: UNREAD });
    },
    dns: (name, type) => probes && ask(`dns ${type} ${name}`, () => probes.resolve(name, type, signal), undefined),
    podPort: (pod, port) =>
      probes && ask(`pod ${pod.namespace}/${pod.name} ${port}`, () => probes.podPort(pod, port, signal), undefined),
    trial: (url) => probes && ask(`request ${url}`, () => probes.request(url, signal), undefined),
  };
}

const UNREAD = { reason: "NoAnswer", attempt: "", message: "it was not read" } as const;
