import type { LookupFunction } from "node:net";
import type { Clock, Random } from "@gatewright/ports";
import type { ObjectKind } from "../configuration/objects.ts";
import type { Around } from "../filters/around.ts";
import { keptBuckets, limitKey, noteStore } from "../filters/rate-limit.ts";
import type { KeptState } from "../kept/kept-state.ts";
import type { Call } from "../pipeline/call.ts";
import type { FetchJson } from "../outbound/fetch-json.ts";
import type { Upstream } from "../upstream/upstream.ts";
import { refusedHost } from "./address-guard.ts";
import type { BackendSpec, CircuitBreakerSpec, OutlierDetectionSpec } from "./backend-spec.ts";
import { backendFilters } from "./backend-filters.ts";
import type { Backend } from "./backend.ts";
import { balancerOf } from "./balancing/balancer-of.ts";
import { Sticky } from "./balancing/sticky.ts";
import { LiveCircuit } from "./circuit.ts";
import type { Connect, EndpointTarget } from "./connect.ts";
import { EndpointRecord } from "./endpoint-record.ts";
import { healthPlan } from "./health/health-plan.ts";
import { keptChecker } from "./health/kept-checker.ts";
import { LiveBackend } from "./live-backend.ts";
import { Member } from "./member.ts";
import { EJECTION_DEFAULTS } from "./outlier-ejection.ts";
import type { EjectionSettings } from "./outlier-ejection.ts";
import { specMs } from "../configuration/spec-duration.ts";
import { upstreamChanges } from "./upstream-changes.ts";
import { wayTo } from "./way-to-endpoints.ts";

/** An object that is a backend, checked against its kind's schema. */
export interface GivenBackend {
  readonly kind: Extract<ObjectKind, `${string}Backend`>;
  readonly namespace: string;
  readonly name: string;
  readonly spec: BackendSpec;
  /** It may name any file. */
  readonly isLocal?: true;
}

/** What the gateway's settings say about backends. */
export interface BackendSettings {
  /** Whether link-local addresses, metadata services and the like may be dialled. */
  readonly allowAnyAddress: boolean;
  /** Keys the cookies of sticky backends: the same in all gateways that share clients. */
  readonly stickySecret: string;
  /** Resolves names; the system does unless said. */
  readonly lookup?: LookupFunction;
  /** Whether a file can be read. Default: as the system says. */
  readonly isReadable?: (file: string) => boolean;
  /** Where backends may name files that do not come from files themselves. Default: nowhere. */
  readonly fileDirectories?: readonly string[];
}

/** What backends are made with. */
export interface BackendAround {
  readonly clock: Clock;
  readonly random: Random;
  readonly kept: KeptState;
  readonly settings: BackendSettings;
  readonly connect: Connect;
  /** The way to issuers of tokens. */
  readonly fetchJson: FetchJson;
  readonly note: Around["note"];
}

/**
 * Makes a backend. What is known about an endpoint, its connections, its checks, the circuit and the counts are kept state, each by
 * the part of the specification that it depends on: adding a host or changing a limit resets nothing else.
 */
export function createBackend(given: GivenBackend, around: BackendAround): Backend {
  const { kind, namespace, name, spec, isLocal } = given;
  const within = isLocal === true ? undefined : (around.settings.fileDirectories ?? []);
  return assemble(`${kind} ${namespace}/${name}`, kind, spec, within, around);
}

/** A destination that no object names, and how it is spoken to where something is said about that. */
export interface GivenAddress extends Pick<BackendSpec, "tls" | "authentication"> {
  readonly host: string;
  readonly port: number;
  readonly protocol: "http1" | "http2";
}

/** A backend for a destination that no object names. */
export function createAddressBackend(given: GivenAddress, around: BackendAround): Backend {
  const { host, port, protocol, tls, authentication } = given;
  const kind = protocol === "http2" ? "GRPCBackend" : "Backend";
  const spec = {
    hosts: [{ address: host, port }],
    protocol,
    ...(tls !== undefined && { tls }),
    ...(authentication !== undefined && { authentication }),
  };
  const within = around.settings.fileDirectories ?? [];
  return assemble(`address ${endpointAddress(host, port)}`, kind, spec, within, around);
}

function assemble(
  id: string,
  kind: GivenBackend["kind"],
  spec: BackendSpec,
  within: readonly string[] | undefined,
  around: BackendAround,
): Backend {
  const { clock, kept, random, settings, note } = around;
  const allowed = spec.hosts.filter(({ address }) => settings.allowAnyAddress || refusedHost(address) === undefined);
  if (allowed.length < spec.hosts.length) {
    note({
      field: "spec.hosts",
      message: "hosts that are link-local, a metadata service, unspecified or multicast get no requests",
      severity: "warning",
    });
  }
  const balancer = balancerOf(spec.loadBalancer, id, random, settings.stickySecret);
  const backend = new LiveBackend({
    id,
    clock,
    balancer,
    circuit: keptCircuit(spec.circuitBreaker, id, around),
    ejection: ejectionSettings(spec.outlierDetection),
    rounds: kept.of("ejectionRounds", id, null, () => ({ state: { next: 0 } })),
    admits: admission(spec, id, around),
    refused: spec.hosts.length - allowed.length,
    filters: backendFilters(kind, spec, { note, routeId: id }),
  });
  const plan = healthPlan(kind, spec.healthCheck);
  if (plan?.question.by === "http" && !plan.question.path.startsWith("/"))
    note({
      field: `spec.healthCheck.${kind === "GRPCBackend" ? "httpPath" : "path"}`,
      message: "has to begin with a slash",
      severity: "error",
    });
  const way = wayTo(kind, spec, within, around);
  const changed = upstreamChanges(spec, id, around);
  backend.have(
    allowed.map(({ address: host, port, weight = 1 }) => {
      const address = endpointAddress(host, port);
      const target = way.to(host, port);
      const key = `${id} ${address}`;
      const record = kept.of("endpoint", key, null, () => ({ state: new EndpointRecord() }));
      const checker = plan && keptChecker(plan, key, target, way.content, around, () => record.pardon());
      let upstream = changed(keptPool(key, target, way.content, around));
      if (balancer instanceof Sticky) upstream = balancer.marking(address, upstream);
      return new Member({ address, weight }, upstream, record, checker, backend.ended);
    }),
  );
  return backend;
}

function keptPool(key: string, target: EndpointTarget, content: unknown, { kept, connect }: BackendAround): Upstream {
  return kept.of("pool", key, content, () => {
    const upstream = connect(target);
    return { state: upstream, dispose: () => upstream.close() };
  });
}

function keptCircuit(
  spec: CircuitBreakerSpec | undefined,
  id: string,
  { kept, clock }: BackendAround,
): LiveCircuit | undefined {
  if (spec?.enabled !== true) return undefined;
  const settings = {
    threshold: spec.threshold,
    openMs: specMs(spec.timeout, 30_000),
    halfOpenRequests: Math.max(1, spec.halfOpenRequests ?? 1),
  };
  return kept.of("circuit", id, settings, () => ({ state: new LiveCircuit(settings, clock) }));
}

function ejectionSettings(spec: OutlierDetectionSpec | undefined): EjectionSettings | undefined {
  if (spec?.enabled !== true) return undefined;
  return {
    ...EJECTION_DEFAULTS,
    consecutiveFailures: spec.consecutiveErrors ?? EJECTION_DEFAULTS.consecutiveFailures,
    intervalMs: specMs(spec.interval, EJECTION_DEFAULTS.intervalMs),
    baseMs: specMs(spec.baseEjectionTime, EJECTION_DEFAULTS.baseMs),
    maxPercent: spec.maxEjectionPercent ?? EJECTION_DEFAULTS.maxPercent,
  };
}

function admission(
  { rateLimit }: BackendSpec,
  id: string,
  around: BackendAround,
): ((call: Call) => boolean) | undefined {
  if (rateLimit?.enabled !== true) return undefined;
  const { kept, clock } = around;
  noteStore(rateLimit, "spec.rateLimit", around);
  const buckets = keptBuckets(rateLimit, kept, id);
  const keyOf = limitKey(rateLimit);
  return (call) => buckets.ask(keyOf(call), clock.monotonic()).allowed;
}

const endpointAddress = (host: string, port: number): string =>
  host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
