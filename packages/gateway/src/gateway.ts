import { readFileSync } from "node:fs";
import type { Clock, Random } from "@gatewright/ports";
import { randomString } from "@gatewright/ports";
import type { BackendState } from "./backends/backend.ts";
import type { Finding, GivenObject } from "./configuration/objects.ts";
import type { GatewaySettings } from "./configuration/settings/gateway-settings.ts";
import type { ConfigurationTarget, ObjectName } from "./configuration/target.ts";
import { connectEndpoint } from "./connect-endpoint.ts";
import { servedHosts } from "./configuration/settings/served-hosts.ts";
import { addressRanges } from "./listeners/address-ranges.ts";
import type { ListenerError } from "./listeners/listener-error.ts";
import type { BoundListener } from "./listeners/listeners.ts";
import { Listeners } from "./listeners/listeners.ts";
import { LiveConfiguration } from "./live/live-configuration.ts";
import { nodeFetchJson } from "./outbound/node-fetch-json.ts";
import type { Observer } from "./pipeline/observer.ts";
import { Pipeline } from "./pipeline/pipeline.ts";
import { explain } from "./table/explain.ts";
import type { Explanation } from "./table/explain.ts";
import type { Question } from "./table/route-table.ts";

/** What a gateway is made with. */
export interface GatewayParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly observer: Observer;
  /** A listener cannot do all that its settings say. The others go on. */
  readonly fault: (error: ListenerError) => void;
  /** A connection was refused before it became a request. */
  readonly refused?: (listener: string, reason: string) => void;
  /** Several workers share the ports. Default: false. */
  readonly shared?: boolean;
  /** How many workers there are: each lets its share of limited rates through. Default: 1. */
  readonly workers?: number;
  /** Signs sticky cookies, the same in all workers. Default: of the settings' file, or one of this gateway's own. */
  readonly stickySecret?: string;
  /** Whether the first whole configuration has come: until then, requests without a route are answered 503. Default: it has. */
  readonly configured?: () => boolean;
}

/** One data plane: listeners, a table, and what is behind it. */
export class Gateway implements ConfigurationTarget {
  readonly #parts: GatewayParts;
  readonly #live: LiveConfiguration;
  readonly #listeners: Listeners;
  #trusts: (address: string) => boolean = () => false;
  /** Of the objects that are held, whether they come from files. */
  readonly #local = new Map<string, boolean>();
  /** Of listeners that do not serve all hosts. */
  #hosts: ReadonlyMap<string, (host: string) => boolean> | undefined;

  constructor(settings: GatewaySettings, parts: GatewayParts) {
    const { clock, random, observer } = parts;
    this.#parts = parts;
    this.#live = new LiveConfiguration({
      clock,
      random,
      limits: settings.limits,
      graphqlPath: settings.graphqlPath,
      workers: parts.workers ?? 1,
      fetchJson: nodeFetchJson({ clock }),
      readFile: (path) => readFileSync(path, "utf8"),
      readBytes: (path) => readFileSync(path),
      fileDirectories: settings.files.allowDirectories,
      backends: {
        settings: {
          allowAnyAddress: settings.destinations.allowLinkLocal,
          stickySecret: parts.stickySecret ?? stickySecretOf(settings, random),
          fileDirectories: settings.files.allowDirectories,
        },
        connect: connectEndpoint(clock),
      },
    });
    const pipeline = new Pipeline({
      clock,
      observer,
      proxies: { trusts: (address) => this.#trusts(address) },
      lease: () => this.#live.leases.lease(),
      servedHosts: () => this.#hosts,
      ...(parts.configured !== undefined && { configured: parts.configured }),
    });
    this.#listeners = new Listeners(
      {
        clock,
        random,
        handle: (exchange) => pipeline.handle(exchange),
        fault: parts.fault,
        certificateFor: (host) => this.#live.certificates.of(host),
        ...(parts.refused !== undefined && { refused: parts.refused }),
      },
      settings.limits.drainTimeoutMs,
    );
  }

  /** Listens as these settings say. What cannot be listened on is returned; the rest serves. May be called again with new settings. */
  async listen(settings: GatewaySettings, signal: AbortSignal): Promise<readonly ListenerError[]> {
    this.#trusts = addressRanges(settings.trustedProxies);
    this.#hosts = hostsOf(settings, this.#hosts);
    const reusePort = this.#parts.shared === true;
    const wanted = settings.listeners.map((one) => ({ ...one, reusePort }));
    return this.#listeners.apply(wanted, signal);
  }

  get bound(): readonly BoundListener[] {
    return this.#listeners.bound;
  }

  /** Requests under way. */
  get active(): number {
    return this.#live.leases.active;
  }

  replace(objects: readonly GivenObject[]): readonly Finding[] {
    this.#forgetMoved(objects);
    this.#local.clear();
    this.#remember(objects);
    return this.#live.replace(objects);
  }

  change(...[set, removed]: Parameters<ConfigurationTarget["change"]>): readonly Finding[] {
    this.#forgetMoved(set);
    for (const name of removed) this.#local.delete(keyOf(name));
    this.#remember(set);
    return this.#live.change(set, removed);
  }

  /** An object that came from a file and now comes from elsewhere is another one, though it be the same word for word: nothing that was made for the one serves the other. */
  #forgetMoved(set: readonly GivenObject[]): void {
    const moved = set.filter((object) => {
      const was = this.#local.get(keyOf(object));
      return was !== undefined && was !== (object.isLocal === true);
    });
    if (moved.length > 0) this.#live.change([], moved);
  }

  #remember(set: readonly GivenObject[]): void {
    for (const object of set) this.#local.set(keyOf(object), object.isLocal === true);
  }

  held(): readonly GivenObject[] {
    return this.#live.held();
  }

  /** What serves: of each object the last version that was good. */
  good(): readonly GivenObject[] {
    return this.#live.good();
  }

  /** What is wrong with the objects that are held. */
  findings(): readonly Finding[] {
    return this.#live.findings();
  }

  backends(): readonly BackendState[] {
    return this.#live.backends();
  }

  /** Where such a request would go, and why not elsewhere. */
  explain(question: Question): Explanation {
    return explain(this.#live.table, question);
  }

  /** Accepts nothing more, lets requests finish for so long, then ends. */
  async close(graceMs: number, signal: AbortSignal): Promise<void> {
    await this.#listeners.close(graceMs, signal);
    this.#live.dispose();
  }
}

function keyOf({ kind, namespace, name }: ObjectName): string {
  return `${kind} ${namespace}/${name}`;
}

/** What signs sticky cookies: from the settings' file, or made up. */
export function stickySecretOf({ stickySecretFile }: GatewaySettings, random: Random): string {
  if (stickySecretFile !== undefined) return readFileSync(stickySecretFile, "utf8").trim();
  return randomString(random, "0123456789abcdef", 64);
}

/** Listeners that are gone may have connections yet: for those, what was said last counts. */
function hostsOf(
  { listeners }: GatewaySettings,
  before: ReadonlyMap<string, (host: string) => boolean> | undefined,
): ReadonlyMap<string, (host: string) => boolean> | undefined {
  const hosts = new Map(before);
  for (const { name, hosts: names } of listeners) {
    if (names === undefined) hosts.delete(name);
    else hosts.set(name, servedHosts(names));
  }
  return hosts.size === 0 ? undefined : hosts;
}
