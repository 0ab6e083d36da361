import type { Deliverable, DeliverableKey, SourceKey, SourceRef } from "./deliverable.ts";
import { sourceKey } from "./deliverable.ts";

/** Something of which only the name is known. */
export function nameAlone(named: Pick<Deliverable, "kind" | "namespace" | "name">, version = ""): Deliverable {
  const { kind, namespace, name } = named;
  return { kind, namespace, name, version, spec: {}, createdAt: "", labels: {}, source: { kind, namespace, name } };
}

/**
 * Objects that are there, of which nothing can be made and of which nobody here knows what was good: what gateways have of them stays
 * there. Where a route stays, so do the backends of Services in its namespace: it may lead to them.
 */
export class UnknownSources {
  readonly #sources = new Map<SourceKey, SourceRef>();
  /** Backends of Services that somebody was told to keep. */
  readonly #spared = new Map<DeliverableKey, Deliverable>();

  add(source: SourceRef): void {
    this.#sources.set(sourceKey(source), source);
  }

  keeps(key: DeliverableKey): boolean {
    if (this.#sources.has(key)) return true;
    const backend = serviceBackend(key);
    if (backend === undefined || !this.#hasRoute(backend.namespace)) return false;
    this.#spared.set(key, backend);
    return true;
  }

  /** Something is known of a source again, or it is gone. Returns what gateways may have that is not kept any more. */
  forget(source: SourceRef): readonly Deliverable[] {
    const { kind, namespace, name } = source;
    if (!this.#sources.delete(sourceKey(source))) return [];
    const own = kind === "Ingress" ? [] : [nameAlone({ kind, namespace, name })];
    if (this.#hasRoute(namespace)) return own;
    const spared = [...this.#spared].filter(([, backend]) => backend.namespace === namespace);
    for (const [key] of spared) this.#spared.delete(key);
    return [...own, ...spared.map(([, backend]) => backend)];
  }

  #hasRoute(namespace: string): boolean {
    for (const source of this.#sources.values()) {
      if (source.namespace === namespace && !source.kind.endsWith("Backend")) return true;
    }
    return false;
  }
}

/** The backend of a Service, whose name has a colon: `Backend shop/web:8080`. */
function serviceBackend(key: DeliverableKey): Deliverable | undefined {
  const [, kind, namespace = "", name = ""] =
    /^(Backend|GRPCBackend|GraphQLBackend) ([^/]*)\/([^:]*:.*)$/.exec(key) ?? [];
  if (kind !== "Backend" && kind !== "GRPCBackend" && kind !== "GraphQLBackend") return undefined;
  return nameAlone({ kind, namespace, name });
}
