import { createAws, createBudgets } from "@gatewright/aws";
import type { Aws } from "@gatewright/aws";
import { loadModel } from "@gatewright/aws-wire";
import { AWS_LIMITS, composeServices, createLocalAws, createMemoryState, LAPTOP_KEY } from "@gatewright/local-aws";
import type { CallJournal } from "@gatewright/local-aws";
import { seededRandom } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";

/** Hostnames of one zone: a zone has at most 10,000 record sets, and each takes two. */
const ZONE_SIZE = 4_000;
const REGION = "eu-west-1";
const TICK_MS = 5_000;
const NEVER = new AbortController().signal;
/** How long a call takes there and back. */
const LATENCY_MS = 50;

/** AWS on virtual time, as slow and as limited as the real one, and a client of one account. */
export interface VirtualCloud {
  /** Keeps within the rates by itself. */
  readonly aws: Aws;
  /** Learns of the rates by being refused. */
  readonly impatient: Aws;
  /** Not held back by rates: for what the bench itself needs. */
  readonly admin: Aws;
  readonly journal: CallJournal;
  /** Whether a call is being answered: keys are made in real time. */
  busy(): boolean;
}

/** Where the hostname of a number is. */
export function zoneOf(index: number): { readonly id: string; readonly name: string } {
  const zone = Math.floor(index / ZONE_SIZE);
  return { id: `Z${zone}BENCH`, name: `bench-${zone}.example` };
}

/**
 * An account with zones for so many hostnames and one more. How long AWS takes for each thing is drawn by the seed. How many names a
 * certificate may have and how many load balancers there may be are quotas that accounts have raised.
 */
export async function virtualCloud(clock: Clock, count: number, seed: number): Promise<VirtualCloud> {
  // Virtual time does not wait for files.
  for (const service of ["acm", "route53", "elbv2", "tagging", "sts"] as const) await loadModel(service);
  const world = { clock, random: seededRandom(seed), state: createMemoryState(), pace: { durations: 1, lag: true } };
  const services = composeServices(world, {
    acm: { quotas: { namesPerCertificate: 100 } },
    elb: { quotas: { "application-load-balancers": 1_000 } },
  });
  for (let index = 0; index <= count; index += ZONE_SIZE)
    await services.route53.seedZone({ ...zoneOf(index), account: LAPTOP_KEY.account });
  const front = (limits: typeof AWS_LIMITS | "off") =>
    createLocalAws({
      world,
      services: services.all,
      limits,
      onFault: (error) => {
        throw error;
      },
    });
  let answering = 0;
  const [limited, free] = [await front(AWS_LIMITS), await front("off")];
  // ACM goes on by itself, whether somebody looks or not.
  const tick = (): void => {
    answering++;
    void services.acm.tick(NEVER).finally(() => answering--);
    clock.timer(TICK_MS, tick);
  };
  clock.timer(TICK_MS, tick);
  const client = ({ handle }: Pick<typeof limited, "handle">, latency: number, paced: boolean): Aws =>
    createAws({
      ...(paced && { budgets: createBudgets(clock) }),
      region: REGION,
      credentials: async () => LAPTOP_KEY,
      send: async (_endpoint, request, signal) => {
        await new Promise<void>((resolve) => void clock.timer(latency, resolve));
        answering++;
        return handle(request, signal).finally(() => answering--);
      },
      clock,
      random: seededRandom(2),
    });
  return {
    aws: client(limited, LATENCY_MS, true),
    impatient: client(limited, LATENCY_MS, false),
    admin: client(free, 1, false),
    journal: limited.journal,
    busy: () => answering > 0,
  };
}
