import { createAws } from "@gatewright/aws";
import type { Aws } from "@gatewright/aws";
import { composeServices, createLocalAws, createMemoryState } from "@gatewright/local-aws";
import type { AccountKey, Faults, LocalAws } from "@gatewright/local-aws";
import { ManualClock, nextTurn, seededRandom } from "@gatewright/ports";
import type { Ground } from "../../engine/session.ts";
import type { KindStage } from "./kind-stage.ts";

export interface KindWorldOptions {
  /** Default: eu-west-1. */
  readonly region?: string;
  readonly faults?: Faults;
  /** Default: things take as long as on AWS, in virtual time, and reads are never behind. */
  readonly pace?: { readonly durations: number; readonly lag: boolean };
  /** What the services are made with. */
  readonly services?: Parameters<typeof composeServices>[1];
  /** Whether SDKs can come in through a socket. Default: false. */
  readonly listening?: boolean;
}

/** A local AWS in this process, on virtual time, for tests of kinds without the engine. */
export interface KindWorld extends KindStage {
  readonly clock: ManualClock;
  readonly local: LocalAws;
  /** The same AWS, as other regions or accounts see it. */
  groundOf(place: { readonly region?: string; readonly key?: AccountKey }): Ground;
}

export const ACCOUNT = "000000000000";
/** A key of another account of the same AWS. */
export const STRANGER: AccountKey = { accessKeyId: "other", secretAccessKey: "other", account: "111111111111" };

const OWN: AccountKey = { accessKeyId: "test", secretAccessKey: "test", account: ACCOUNT };
const TURNS = 6;
const STEP_MS = 500;

/** Starts one. */
export async function kindWorld(options: KindWorldOptions = {}): Promise<KindWorld> {
  const { region = "eu-west-1", faults, pace = { durations: 1, lag: false } } = options;
  const clock = new ManualClock();
  const world = { clock, random: seededRandom(1), state: createMemoryState(), pace };
  const services = composeServices(world, options.services);
  const local = await createLocalAws({
    world,
    services: services.all,
    issued: services.issued,
    keys: [OWN, STRANGER],
    limits: "off",
    ...(faults && { faults }),
    onFault: (error) => {
      throw error;
    },
  });
  const listening = options.listening === true ? await local.listen({ port: 0 }) : undefined;
  const groundOf: KindWorld["groundOf"] = (place) => {
    const { region: where = region, key = OWN } = place;
    return { ...groundBasics(key.account, where), aws: awsOf(local, clock, where, key) };
  };
  const advance = async (ms: number): Promise<void> => {
    for (let turn = 0; turn < TURNS; turn++) await nextTurn();
    clock.advance(ms);
  };
  return {
    clock,
    local,
    groundOf,
    ground: groundOf({}),
    sdk: () => ({
      endpoint: listening?.url ?? "http://not.listening.invalid",
      region,
      credentials: { accessKeyId: OWN.accessKeyId, secretAccessKey: OWN.secretAccessKey },
      forcePathStyle: true,
      maxAttempts: 1,
      systemClockOffset: clock.now() - Date.now(),
    }),
    async passing(work) {
      let settled = false;
      const end = (): void => void (settled = true);
      work.then(end, end);
      for (let turn = 0; !settled; turn++) {
        await nextTurn();
        if (!settled && turn % TURNS === TURNS - 1) clock.advance(STEP_MS);
      }
      return work;
    },
    async pass(ms) {
      for (let passed = 0; passed < ms; passed += STEP_MS) await advance(Math.min(STEP_MS, ms - passed));
    },
    async [Symbol.asyncDispose]() {
      await listening?.close();
    },
  };
}

function groundBasics(account: string, region: string): Omit<Ground, "aws"> {
  const partition = region.startsWith("cn-") ? "aws-cn" : region.startsWith("us-gov-") ? "aws-us-gov" : "aws";
  return {
    key: `${account}/${region}`,
    account,
    region,
    partition,
    defaultTags: {},
    signal: new AbortController().signal,
  };
}

function awsOf(local: LocalAws, clock: ManualClock, region: string, key: AccountKey): Aws {
  return createAws({
    region,
    credentials: async () => ({ accessKeyId: key.accessKeyId, secretAccessKey: key.secretAccessKey }),
    send: (_endpoint, request, signal) => local.handle(request, signal),
    clock,
    random: seededRandom(2),
  });
}
