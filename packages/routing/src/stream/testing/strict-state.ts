import { operatorApi } from "@gatewright/gateway-wire";

const { ResourceType, UpdateType } = operatorApi;
type Spec = Readonly<Record<string, unknown>>;

/** What an update did to a gateway of AVAPIGW. Without `acknowledge` it was skipped. */
export interface Processed {
  readonly acknowledge: boolean;
  readonly success: boolean;
  readonly message: string;
  /** It was acknowledged and not applied: nobody is told. */
  readonly ignored: boolean;
}

/** How long after a registration snapshots with fewer resources are ignored. */
const REGRESSION_MS = 30_000;

/**
 * What a gateway of AVAPIGW does with updates, as far as an operator can see it: order, guards, and the check of the whole after each
 * change. What an operator must never do is in `violations`.
 */
export class StrictState {
  readonly violations: string[] = [];
  readonly #resources = new Map<string, { readonly type: operatorApi.ResourceType; readonly spec: Spec }>();
  #sequence = 0n;
  #version = "";
  #registeredAt = Number.NEGATIVE_INFINITY;

  get version(): string {
    return this.#version;
  }

  /** `API_ROUTE shop/orders`, in order. */
  get names(): string[] {
    return [...this.#resources.keys()].toSorted();
  }

  spec(name: string): Spec | undefined {
    return this.#resources.get(name)?.spec;
  }

  registered(now: number): void {
    this.#registeredAt = now;
  }

  process(update: operatorApi.ConfigurationUpdate, now: number): Processed {
    const full = update.type === UpdateType.FULL_SYNC;
    if (!full && update.sequence <= this.#sequence) {
      this.violations.push(`sequence ${update.sequence} after ${this.#sequence}`);
      return { acknowledge: false, success: false, message: "", ignored: true };
    }
    if (update.set.length + update.removed.length > 0)
      this.violations.push("a batch, which this gateway does not know");
    const problems = full ? this.#replace(update.snapshot, now) : this.#change(update);
    this.#sequence = update.sequence;
    this.#version = update.version;
    if (problems === undefined) return { acknowledge: true, success: true, message: "", ignored: true };
    return { acknowledge: true, success: problems.length === 0, message: problems.join("; "), ignored: false };
  }

  #replace(snapshot: operatorApi.ConfigurationSnapshot | undefined, now: number): string[] | undefined {
    if (snapshot === undefined) {
      this.violations.push("a full sync without a snapshot");
      return [];
    }
    const all = [
      ...snapshot.apiRoutes,
      ...snapshot.grpcRoutes,
      ...snapshot.graphqlRoutes,
      ...snapshot.backends,
      ...snapshot.grpcBackends,
      ...snapshot.graphqlBackends,
    ];
    const held = this.#resources.size;
    if (all.length === 0 && held > 0) return undefined;
    if (all.length < held && now - this.#registeredAt <= REGRESSION_MS) return undefined;
    this.#resources.clear();
    for (const resource of all) this.#set(resource);
    return this.#problems();
  }

  #change({ type, resource }: operatorApi.ConfigurationUpdate): string[] {
    if (
      resource === undefined ||
      (type !== UpdateType.ADDED && type !== UpdateType.MODIFIED && type !== UpdateType.DELETED)
    ) {
      this.violations.push(`an update of type ${UpdateType[type]} without use`);
      return [];
    }
    if (type === UpdateType.DELETED) {
      if (!this.#resources.delete(nameOf(resource)))
        this.violations.push(`${nameOf(resource)} is deleted, but not there`);
      return [];
    }
    const had = this.#resources.has(nameOf(resource));
    if (had !== (type === UpdateType.MODIFIED))
      this.violations.push(`${nameOf(resource)}: ${UpdateType[type]}, had: ${had}`);
    this.#set(resource);
    return this.#problems();
  }

  #set(resource: operatorApi.ConfigurationResource): void {
    const spec: unknown = JSON.parse(Buffer.from(resource.specJson).toString());
    this.#resources.set(nameOf(resource), { type: resource.type, spec: spec as Spec });
  }

  /** What the whole is refused for: a part of what the gateway's validator looks at. */
  #problems(): string[] {
    const problems: string[] = [];
    const names = new Set<string>();
    for (const [key, { type, spec }] of this.#resources) {
      const name = spec["name"];
      const unique = `${type} ${String(name)}`;
      if (typeof name !== "string" || name === "") problems.push(`${key}: name is required`);
      if (names.has(unique)) problems.push(`duplicate name: ${String(name)}`);
      names.add(unique);
      problems.push(...routeProblems(type, spec).map((problem) => `${String(name)}: ${problem}`));
    }
    return problems;
  }
}

function routeProblems(type: operatorApi.ResourceType, spec: Spec): string[] {
  const problems: string[] = [];
  const routes = (spec["route"] ?? []) as readonly { readonly weight?: number }[];
  const weights = routes.reduce((sum, { weight = 0 }) => sum + weight, 0);
  const [match, tls] = [spec["match"], spec["tls"]] as [readonly unknown[] | undefined, Spec | undefined];
  if (type === ResourceType.API_ROUTE && routes.length === 0 && !("redirect" in spec) && !("directResponse" in spec))
    problems.push("route, redirect or directResponse is required");
  if (type === ResourceType.GRPC_ROUTE && (match === undefined || match.length === 0))
    problems.push("match is required");
  if (routes.length > 1 && weights > 0 && weights !== 100) problems.push(`weights sum to ${weights}`);
  if (tls?.["sniHosts"] !== undefined && tls["certFile"] === undefined) problems.push("sniHosts need a certificate");
  return problems;
}

function nameOf({ type, namespace, name }: operatorApi.ConfigurationResource): string {
  return `${ResourceType[type]} ${namespace === "" ? name : `${namespace}/${name}`}`;
}
