import { join } from "node:path";
import type { CancelTimer, Clock, Random } from "@gatewright/ports";
import { Balancer } from "./balancer/balancer.ts";
import type { Endpoint } from "./balancer/balancer.ts";
import type { TargetAddress } from "./balancer/target-address.ts";
import type { CallJournal } from "./call-journal.ts";
import { composeServices } from "./compose-services.ts";
import type { ComposeOptions } from "./compose-services.ts";
import { claimNet } from "./elbv2/claim-net.ts";
import { startDnsServer } from "./dns/dns-server.ts";
import { createLocalAws } from "./http/local-aws.ts";
import type { LocalAwsOptions } from "./http/local-aws.ts";
import type { SeededZone } from "./route53/seed-zone.ts";
import { openFileBlobs } from "./s3/file-blobs.ts";
import { createMemoryState } from "./state/memory-state.ts";
import { openDiskState } from "./state/disk-state.ts";
import type { Pace } from "./world.ts";

export interface LocalCloudOptions extends Pick<ComposeOptions, "sts" | "elb"> {
  /** Where everything is kept. Default: nowhere, it ends with the process. */
  readonly folder?: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Default: fifty times as fast as AWS, and without lag. */
  readonly pace?: Pace;
  /** Default: 127.0.0.1:4566. */
  readonly api?: { readonly host?: string; readonly port?: number };
  /** Default: 127.0.0.1:1053. */
  readonly dns?: { readonly host?: string; readonly port?: number };
  readonly keys?: LocalAwsOptions["keys"];
  readonly limits?: LocalAwsOptions["limits"];
  /** Trouble that calls meet. Default: none. */
  readonly faults?: LocalAwsOptions["faults"];
  /** Where targets of load balancers really are. Default: IP addresses as they are; instances nowhere. */
  readonly targetAddress?: TargetAddress;
  /** Zones that exist from the start. */
  readonly zones?: readonly SeededZone[];
  readonly onFault: LocalAwsOptions["onFault"];
}

/** AWS on this machine, serving: its API, DNS, and load balancers that listen. */
export interface LocalCloud extends AsyncDisposable {
  /** What SDKs and the `aws` CLI take as endpoint URL. */
  readonly url: string;
  readonly dns: { readonly host: string; readonly port: number };
  readonly journal: CallJournal;
  /** PEM of the authority behind all certificates of ACM. */
  caCertificate(): Promise<string>;
  /** Where load balancers listen. */
  endpoints(): readonly Endpoint[];
  close(): Promise<void>;
}

const LAPTOP_PACE: Pace = { durations: 0.02, lag: false };
const TICK_MS = 1_000;
/** In ticks. */
const SWEEP_EVERY = 60;

/** Starts everything. Rejects when a port is taken or another process uses the folder. */
export async function startLocalCloud(options: LocalCloudOptions, signal?: AbortSignal): Promise<LocalCloud> {
  signal?.throwIfAborted();
  const { folder, clock, random, onFault } = options;
  const disk = folder === undefined ? undefined : await openDiskState({ directory: join(folder, "state"), clock });
  const closers: (() => Promise<unknown>)[] = disk ? [() => disk.close()] : [];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const world = { clock, random, state: disk ?? createMemoryState(), pace: options.pace ?? LAPTOP_PACE };
    const blobs = folder === undefined ? undefined : await openFileBlobs(join(folder, "objects"), random);
    let url = "";
    const { addressing, release } = await claimNet();
    closers.push(release);
    const services = composeServices(world, {
      endpoint: () => url,
      ...(options.sts && { sts: options.sts }),
      elb: { addressing, ...options.elb },
      s3: { onFault, ...(blobs && { blobs }) },
    });
    await blobs?.sweep(services.s3.usedBlobs(), signal);
    const front = await createLocalAws({
      world,
      services: services.all,
      issued: services.issued,
      onFault,
      ...(options.keys && { keys: options.keys }),
      ...(options.limits !== undefined && { limits: options.limits }),
      ...(options.faults && { faults: options.faults }),
    });
    for (const zone of options.zones ?? []) await services.route53.seedZone(zone);
    const dns = await startDnsServer({
      zones: services.route53.zones,
      clock,
      onError: (error) => onFault(error, "dns"),
      ...options.dns,
    });
    closers.push(() => dns.close());
    const stopping = new AbortController();
    const balancer = new Balancer({
      world,
      elb: services.elb,
      certificates: services.acm.certificates,
      ...(options.targetAddress && { targetAddress: options.targetAddress }),
    });
    await balancer.start(stopping.signal);
    closers.push(() => balancer.close());
    const stopTicking = ticking(clock, onFault, async (count) => {
      await services.acm.tick(stopping.signal);
      if (count % SWEEP_EVERY === 0) await services.sqs.tick();
    });
    closers.push(async () => {
      stopping.abort();
      await stopTicking();
    });
    const listening = await front.listen(options.api);
    closers.push(() => listening.close());
    // Receivers that wait for messages would hold the front open.
    closers.push(async () => services.sqs.stop());
    ({ url } = listening);
    return {
      url,
      dns,
      journal: front.journal,
      caCertificate: () => services.acm.caCertificate(),
      endpoints: () => balancer.endpoints(),
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Does what is due about once a second, never twice at once. Returns how to stop it and wait for its end. */
function ticking(
  clock: Clock,
  onFault: LocalCloudOptions["onFault"],
  work: (count: number) => Promise<void>,
): () => Promise<void> {
  let cancel: CancelTimer = () => {};
  let running: Promise<void> = Promise.resolve();
  let stopped = false;
  const schedule = (count: number): void => {
    cancel = clock.timer(TICK_MS, () => {
      running = work(count)
        .catch((error: unknown) => (stopped ? undefined : onFault(error, "tick")))
        .then(() => (stopped ? undefined : schedule(count + 1)));
    });
  };
  schedule(1);
  return () => {
    stopped = true;
    cancel();
    return running;
  };
}
