import type { CancelTimer } from "@gatewright/ports";
import { berthAddress, berthPort } from "../elbv2/berth.ts";
import type { Elbv2 } from "../elbv2/elbv2.ts";
import type { ListenerRecord } from "../elbv2/records.ts";
import type { Certificates } from "../neighbours.ts";
import type { AwsWorld } from "../world.ts";
import type { AccessEntry } from "./access-entry.ts";
import { HealthChecks } from "./health-checks.ts";
import { listenerViews } from "./listener-views.ts";
import { createHttp1Pool } from "./outbound-http1.ts";
import { Http2Pool } from "./outbound-http2.ts";
import type { Serving } from "./serve.ts";
import { openStreamFront } from "./stream-front.ts";
import { TargetChoice } from "./target-choice.ts";
import { targetAddresses } from "./target-address.ts";
import type { TargetAddress } from "./target-address.ts";
import { targetsInUse } from "./targets-in-use.ts";
import { TlsContexts } from "./tls-contexts.ts";
import { openWebFront } from "./web-front.ts";
import type { Front } from "./web-front.ts";

export interface BalancerOptions {
  readonly world: Pick<AwsWorld, "clock" | "random" | "pace">;
  readonly elb: Elbv2;
  readonly certificates: Certificates;
  /** Where targets really are. Default: IP addresses as they are; instances nowhere, so that they are unhealthy. */
  readonly targetAddress?: TargetAddress;
  /** Told of every request that was answered. */
  readonly onRequest?: (entry: AccessEntry) => void;
  /** How long requests may go on after their listener is gone. Default: 5 s. */
  readonly graceMs?: number;
}

/** A listener and where it listens on this machine. */
export interface Endpoint {
  readonly listener: string;
  readonly host: string;
  readonly port: number;
  /** Why it does not listen, if it does not: the port is taken, or not allowed. */
  readonly problem?: string;
}

interface Wanted {
  readonly listener: ListenerRecord;
  readonly host: string;
  readonly port: number;
}

interface Open {
  readonly endpoint: Endpoint;
  readonly front: Front | undefined;
}

const RETRY_MS = 5000;
const DEFAULT_GRACE_MS = 5000;

/** Serves what ELBv2 was asked for: opens a port for each listener of an active load balancer and checks targets. */
export class Balancer {
  readonly #options: BalancerOptions;
  readonly #open = new Map<string, Open>();
  readonly #views: ReturnType<typeof listenerViews>;
  readonly #checks: HealthChecks;
  readonly #contexts: TlsContexts;
  readonly #serving: Serving;
  readonly #closePools: () => void;
  readonly #leaving = new Set<Promise<void>>();
  #work: Promise<void> = Promise.resolve();
  #stale = false;
  #closed = false;
  #unwatch: () => void = () => {};
  #cancelTimer: CancelTimer = () => {};

  /** Does nothing until it is started. */
  constructor(options: BalancerOptions) {
    this.#options = options;
    const { world, elb } = options;
    const addressOf = targetAddresses(elb.store, elb.addressing, options.targetAddress ?? (() => undefined));
    this.#checks = new HealthChecks({ world, addressOf });
    this.#views = listenerViews(elb.store);
    this.#contexts = new TlsContexts(options.certificates);
    const http1 = createHttp1Pool();
    const http2 = new Http2Pool();
    this.#closePools = () => {
      http1.plain.destroy();
      http1.secure.destroy();
      http2.close();
    };
    const choice = new TargetChoice({ store: elb.store, health: this.#checks, ...world });
    this.#serving = {
      world,
      store: elb.store,
      addressing: elb.addressing,
      onRequest: options.onRequest ?? (() => {}),
      forwarding: { world, store: elb.store, choice, http1, http2, addressOf },
    };
  }

  /** Begins to serve; resolves when every listener of an active load balancer listens, or is known not to. Closes on abort. */
  async start(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { elb } = this.#options;
    signal.addEventListener("abort", () => void this.close(), { once: true });
    elb.checkedBy(this.#checks);
    this.#unwatch = elb.store.watch(() => this.#changed());
    this.#changed();
    await this.settled();
  }

  /** Resolves when all changes up to now are served. */
  async settled(): Promise<void> {
    await this.#work;
  }

  endpoints(): readonly Endpoint[] {
    return [...this.#open.values()].map(({ endpoint }) => endpoint);
  }

  /** Takes no more connections and lets requests end. Safe to call again. */
  async close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = true;
      this.#unwatch();
      this.#cancelTimer();
      this.#checks.close();
      this.#options.elb.checkedBy(undefined);
      this.#work = this.#work.then(async () => {
        for (const [key, open] of this.#open) this.#shut(key, open);
        await Promise.all(this.#leaving);
        this.#closePools();
      });
    }
    await this.#work;
  }

  get #grace(): number {
    return this.#options.graceMs ?? DEFAULT_GRACE_MS;
  }

  /** Changes that come while work is under way are taken together by the next round. */
  #changed(): void {
    if (this.#stale || this.#closed) return;
    this.#stale = true;
    this.#work = this.#work.then(() => this.#follow());
  }

  async #follow(): Promise<void> {
    this.#stale = false;
    if (this.#closed) return;
    const { elb, world } = this.#options;
    this.#cancelTimer();
    this.#checks.follow(targetsInUse(elb.store));
    const now = world.clock.now();
    const active = elb.store.loadBalancers.list().flatMap(([, one]) => (one.activeAt <= now ? [one] : []));
    const wanted: ReadonlyMap<string, Wanted> = new Map(
      active.flatMap((balancer) =>
        elb.store.listenersOf(balancer.arn).map((listener) => {
          const host = berthAddress(balancer.berth, elb.addressing);
          const port = berthPort(balancer.berth, listener.port, elb.addressing);
          return [`${listener.arn}|${listener.protocol}|${host}|${port}`, { listener, host, port }] as const;
        }),
      ),
    );
    const gone = [...this.#open].filter(([key, { front }]) => !wanted.has(key) || front === undefined);
    for (const [key, open] of gone) this.#shut(key, open);
    const missing = [...wanted].filter(([key]) => !this.#open.has(key));
    await Promise.all(missing.map(([key, { listener, host, port }]) => this.#openFront(key, listener, host, port)));
    this.#wakeForNext(now);
  }

  /** Requests under way go on; the port is free for another listener at once. */
  #shut(key: string, { front }: Open): void {
    this.#open.delete(key);
    if (front === undefined) return;
    const left = front.close(this.#grace).finally(() => this.#leaving.delete(left));
    this.#leaving.add(left);
  }

  async #openFront(key: string, listener: ListenerRecord, host: string, port: number): Promise<void> {
    const { arn, protocol } = listener;
    const open = protocol === "HTTP" || protocol === "HTTPS" ? openWebFront : openStreamFront;
    const endpoint = { listener: arn, host, port };
    try {
      if (protocol.includes("UDP")) throw new Error(`${protocol} listeners are not served`);
      const front = await open({
        host,
        port,
        secure: protocol === "HTTPS" || protocol === "TLS",
        view: () => this.#views(arn),
        contexts: this.#contexts,
        serving: this.#serving,
      });
      this.#open.set(key, { endpoint, front });
    } catch (error) {
      this.#open.set(key, { endpoint: { ...endpoint, problem: (error as Error).message }, front: undefined });
    }
  }

  #wakeForNext(now: number): void {
    const { elb, world } = this.#options;
    const next = elb.store.loadBalancers.list().flatMap(([, { activeAt }]) => (activeAt > now ? [activeAt - now] : []));
    const retry = [...this.#open.values()].some(({ front }) => front === undefined) ? [RETRY_MS] : [];
    if (next.length + retry.length === 0) return;
    this.#cancelTimer = world.clock.timer(Math.min(...next, ...retry), () => this.#changed());
  }
}
