import { createAws, createBudgets, createZones } from "@gatewright/aws";
import type { Aws, CallRates, ChangeProgress, RecordChange, RecordSet, Zones, ZoneSettings } from "@gatewright/aws";
import { composeServices, createLocalAws, createMemoryState } from "@gatewright/local-aws";
import type { Faults, JournalEntry, LocalAws } from "@gatewright/local-aws";
import { ManualClock, nextTurn, seededRandom } from "@gatewright/ports";

const ACCOUNT = "000000000000";

type Page = Awaited<ReturnType<Aws["route53"]["listResourceRecordSets"]>>;

const shown = ({
  Name,
  Type,
  SetIdentifier,
  ResourceRecords,
  AliasTarget,
}: Page["ResourceRecordSets"][number]): string =>
  [Name, Type, SetIdentifier, ...(ResourceRecords ?? []).map(({ Value }) => Value), AliasTarget?.DNSName]
    .filter((part) => part !== undefined)
    .join(" ");

/** Zones on a local Route 53 with the rates and the slowness of AWS, in virtual time. */
export interface ZonesWorld {
  readonly zones: Zones;
  readonly aws: Aws;
  readonly clock: ManualClock;
  readonly local: LocalAws;
  /** Owners that were told, in order. */
  readonly told: string[];
  /** Lets time pass until something is so. */
  until(isSo: () => boolean): Promise<void>;
  /** Lets time pass until the promise settles. */
  passing<T>(work: Promise<T>): Promise<T>;
  pass(ms: number): Promise<void>;
  /** What the zone has, but for its own NS and SOA: `a.example.com. A 10.0.0.1`. */
  records(zoneId: string): Promise<readonly string[]>;
  calls(operation: string, code?: string): readonly JournalEntry[];
  /** Ends the run; nothing may be left. */
  stop(): Promise<void>;
}

export interface WorldOptions {
  readonly faults?: Faults;
  readonly limits?: "aws" | "off";
  readonly rates?: CallRates;
  readonly settings?: Partial<ZoneSettings>;
  readonly zones?: Readonly<Record<string, string>>;
  readonly gate?: () => void;
}

export async function zonesWorld(options: WorldOptions = {}): Promise<ZonesWorld> {
  const clock = new ManualClock();
  const world = { clock, random: seededRandom(1), state: createMemoryState(), pace: { durations: 1, lag: false } };
  const services = composeServices(world);
  for (const [id, name] of Object.entries(options.zones ?? { Z1: "example.com" })) {
    await services.route53.seedZone({ id, name, account: ACCOUNT });
  }
  const local = await createLocalAws({
    world,
    services: services.all,
    limits: options.limits ?? "aws",
    faults: options.faults ?? {},
    onFault: (error) => {
      throw error;
    },
  });
  const own = {
    region: "eu-west-1",
    credentials: async () => ({ accessKeyId: "test", secretAccessKey: "test" }),
    send: (_endpoint: URL, request: Parameters<LocalAws["handle"]>[0], signal: AbortSignal) =>
      local.handle(request, signal),
    clock,
    random: seededRandom(2),
  };
  const budgets = createBudgets(clock, options.rates);
  const aws = createAws({ ...own, budgets, ...(options.gate && { gate: options.gate }) });
  const zones = createZones({
    aws,
    clock,
    random: seededRandom(3),
    ...(options.settings && { settings: options.settings }),
  });
  const told: string[] = [];
  zones.onProgress((owner) => void told.push(owner));
  const ending = new AbortController();
  const running = zones.run(ending.signal);

  const turn = async (ms: number): Promise<void> => {
    for (let turns = 0; turns < 5; turns++) await nextTurn();
    clock.advance(ms);
  };
  const until = async (isSo: () => boolean): Promise<void> => {
    for (let turns = 0; !isSo(); turns++) {
      if (turns > 20_000) throw new Error("it never came to be");
      await turn(200);
    }
  };
  const passing = async <T>(work: Promise<T>): Promise<T> => {
    let settled = false;
    const end = (): void => void (settled = true);
    work.then(end, end);
    await until(() => settled);
    return work;
  };
  return {
    zones,
    aws,
    clock,
    local,
    told,
    until,
    passing,
    async pass(ms) {
      for (let passed = 0; passed < ms; passed += 200) await turn(200);
    },
    async records(zoneId) {
      const all: string[] = [];
      const plain = createAws(own);
      let start: object | undefined = {};
      while (start !== undefined) {
        const page: Page = await passing(
          plain.route53.listResourceRecordSets({ HostedZoneId: zoneId, MaxItems: "300", ...start }),
        );
        for (const set of page.ResourceRecordSets) if (set.Type !== "NS" && set.Type !== "SOA") all.push(shown(set));
        start = page.IsTruncated
          ? {
              StartRecordName: page.NextRecordName,
              StartRecordType: page.NextRecordType,
              StartRecordIdentifier: page.NextRecordIdentifier,
            }
          : undefined;
      }
      return all.toSorted();
    },
    calls: (operation, code) =>
      local.journal.calls({ service: "route53", operation, ...(code !== undefined && { code }) }),
    async stop() {
      ending.abort();
      await running;
    },
  };
}

export const address = (name: string, value = "10.0.0.1", ttl = 60): RecordSet => ({
  name,
  type: "A",
  ttl,
  values: [value],
});
export const create = (record: RecordSet): RecordChange => ({ action: "create", record });
export const remove = (record: RecordSet): RecordChange => ({ action: "delete", record });
export const swap = (from: RecordSet, to: RecordSet): RecordChange => ({ action: "replace", from, to });

/** Asks for changes as a controller would. */
export function ask(zones: Zones, ...changes: readonly RecordChange[]): ChangeProgress {
  return zones.change({ zoneId: "Z1", changes, owner: "a" });
}

/** Lets time pass until an order is so far. */
export async function comes<State extends ChangeProgress["state"]>(
  world: ZonesWorld,
  state: State,
  asking: () => ChangeProgress,
): Promise<Extract<ChangeProgress, { readonly state: State }>> {
  await world.until(() => asking().state === state);
  return asking() as Extract<ChangeProgress, { readonly state: State }>;
}
