import type { Connections, Remark } from "../../distribution/connected-gateway.ts";
import type { Change } from "../../model/catalogue.ts";
import type { Deliverable, DeliverableKey } from "../../model/deliverable.ts";
import { deliverableKey } from "../../model/deliverable.ts";
import { MutableCatalogue } from "../../model/mutable-catalogue.ts";
import type { DialectView } from "../dialect-view.ts";
import { isSendable } from "../dialect-view.ts";
import { overlaps, pathsOf } from "./overlap.ts";
import type { FieldRemark } from "./spec-parts.ts";
import { namedBackends, translate } from "./translate.ts";

/** The catalogue as gateways of AVAPIGW are given it. */
export interface AvapigwView extends DialectView {
  /** Past changes of `source` after this place are kept. */
  keepSince(needed: () => number): () => void;
}

interface ViewParts {
  readonly catalogue: MutableCatalogue;
  readonly connections: Pick<Connections, "touch">;
}

/**
 * Follows the catalogue until the signal aborts. Objects that gateways of AVAPIGW would refuse are left out, as one of them would make
 * them refuse all others; of an HTTP and a GraphQL route that overlap the GraphQL route is left out.
 */
export function avapigwView({ catalogue, connections }: ViewParts, signal: AbortSignal): AvapigwView {
  const view = new TranslatedCatalogue(catalogue);
  view.take(catalogue.since(0) ?? []);
  let seen = catalogue.revision;
  const follow = (): void => {
    const changes = catalogue.since(seen);
    seen = catalogue.revision;
    const touched = changes === undefined ? view.takeAll() : view.take(changes);
    if (touched.size > 0) connections.touch(touched);
  };
  const stops = [catalogue.subscribe(follow), catalogue.keepSince(() => seen)];
  signal.addEventListener("abort", () => stops.forEach((stop) => stop()), { once: true });
  return {
    dialect: "avapigw",
    takesBatches: false,
    source: view.source,
    known: (deliverable) => view.remarksOf(deliverable),
    originOf: (delivered) => view.originOf(delivered),
    keepSince: (needed) => view.source.keepSince(needed),
  };
}

class TranslatedCatalogue {
  readonly source = new MutableCatalogue();
  readonly #catalogue: MutableCatalogue;
  readonly #remarks = new Map<DeliverableKey, readonly FieldRemark[]>();
  readonly #origins = new WeakMap<Deliverable, Deliverable>();
  /** Which routes name a backend that is there, or may be. */
  readonly #namedBy = new Map<DeliverableKey, Set<DeliverableKey>>();
  readonly #graphql = new Set<DeliverableKey>();

  constructor(catalogue: MutableCatalogue) {
    this.#catalogue = catalogue;
  }

  originOf(delivered: Deliverable): Deliverable {
    return this.#origins.get(delivered) ?? delivered;
  }

  remarksOf(deliverable: Deliverable): readonly Remark[] {
    const key = deliverableKey(deliverable);
    return (this.#remarks.get(key) ?? []).map((remark) => ({ key, version: deliverable.version, ...remark }));
  }

  takeAll(): ReadonlySet<DeliverableKey> {
    const changes: Change[] = Array.from(this.#catalogue.all(), (deliverable) => {
      return { key: deliverableKey(deliverable), revision: 0, deliverable, previous: undefined };
    });
    const there = new Set(changes.map(({ key }) => key));
    for (const one of this.source.all()) {
      const origin = this.originOf(one);
      if (there.has(deliverableKey(origin))) continue;
      changes.push({ key: deliverableKey(origin), revision: 0, deliverable: undefined, previous: origin });
    }
    return this.take(changes);
  }

  /** Which of those that did not change themselves look different now. */
  take(changes: readonly Change[]): ReadonlySet<DeliverableKey> {
    const changed = new Set(changes.map(({ key }) => key));
    const concerned = new Set<DeliverableKey>();
    let overlapsMove = false;
    for (const { key, deliverable, previous } of changes) {
      const { kind } = deliverable ?? previous ?? { kind: undefined };
      this.#note(key, deliverable, previous);
      if (kind === "GraphQLRoute" || (kind === "APIRoute" && this.#graphql.size > 0)) overlapsMove = true;
      if (deliverable === undefined || previous === undefined)
        for (const route of this.#namedBy.get(key) ?? []) concerned.add(route);
      if (deliverable === undefined && previous !== undefined) this.#drop(key, previous);
      else concerned.add(key);
    }
    if (overlapsMove) for (const key of this.#graphql) concerned.add(key);
    for (const key of concerned) this.#translate(key);
    return new Set([...concerned].filter((key) => !changed.has(key)));
  }

  #note(key: DeliverableKey, deliverable: Deliverable | undefined, previous: Deliverable | undefined): void {
    for (const backend of previous === undefined ? [] : namedBackends(previous))
      this.#namedBy.get(deliverableKey(backend))?.delete(key);
    for (const backend of deliverable === undefined ? [] : namedBackends(deliverable)) {
      const named = this.#namedBy.get(deliverableKey(backend)) ?? new Set();
      this.#namedBy.set(deliverableKey(backend), named.add(key));
    }
    if (deliverable?.kind === "GraphQLRoute") this.#graphql.add(key);
    else this.#graphql.delete(key);
  }

  #drop(key: DeliverableKey, { kind, namespace, name }: Deliverable): void {
    this.#remarks.delete(key);
    this.source.remove({ kind, namespace, name });
  }

  #translate(key: DeliverableKey): void {
    const deliverable = this.#catalogue.get(key)?.deliverable;
    if (deliverable === undefined) return;
    const { kind, namespace, name } = deliverable;
    const { deliverables, remarks } = translate(
      deliverable,
      (backend) => this.#catalogue.get(deliverableKey(backend)) !== undefined,
    );
    const overlapping = kind === "GraphQLRoute" ? this.#overlapped(deliverable) : [];
    const large = deliverables.every(isSendable) ? [] : [TOO_LARGE];
    const all = [...remarks, ...overlapping, ...large];
    if (all.length === 0) this.#remarks.delete(key);
    else this.#remarks.set(key, all);
    const sent = all.some(({ refused }) => refused) ? [] : deliverables;
    for (const one of sent) this.#origins.set(one, deliverable);
    this.source.put({ kind, namespace, name }, sent);
  }

  /** Why a GraphQL route is left out. HTTP routes stay: there are more of them, and what they serve goes on. */
  #overlapped({ spec }: Deliverable): FieldRemark[] {
    const paths = pathsOf(spec, "path");
    for (const other of this.#catalogue.all()) {
      if (other.kind !== "APIRoute" || !overlaps(pathsOf(other.spec, "uri"), paths)) continue;
      const message = `gateways of AVAPIGW refuse it beside APIRoute ${other.namespace}/${other.name}, which takes some of the same paths`;
      return [{ refused: true, field: "spec.match", message }];
    }
    return [];
  }
}

const TOO_LARGE: FieldRemark = { refused: true, field: "spec", message: "is too large for a message to a gateway" };
