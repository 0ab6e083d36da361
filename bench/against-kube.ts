import { PartMissingError } from "../testbed/index.ts";
import { medianFigure, print, shown } from "./figure.ts";
import type { Figure } from "./figure.ts";
import { serveKube } from "./kube-apiserver.ts";
import { many, median, pause } from "./load.ts";
import { ownMb, processorMs, residentMb, serve, withHome, withServer } from "./served.ts";
import type { Served } from "./served.ts";
import { FAN_OUT_WRITES, WATCHERS, apply, create, define, fanOut, get, list, listTable, measure } from "./work.ts";

const ROUNDS = 5;
const WARM_UP = 1000;
const LISTED = 10_000;

/** Ours and the real one, TLS and tokens on both, durable on both, in turns. Ratios are embedded / real. */
export async function againstKube(): Promise<void> {
  console.log(`embedded / kube-apiserver with etcd; TLS, durable; medians of ${ROUNDS} in turns`);
  try {
    await compareStarts();
    await compareRequests();
  } catch (error) {
    if (!(error instanceof PartMissingError)) throw error;
    console.log(`not compared with kube-apiserver: ${error.message}`);
  }
}

/** What a server costs that nobody has asked for anything yet. */
interface Start {
  readonly ms: number;
  readonly processorMs: number;
  readonly residentMb: number;
  /** Of the resident memory that which is no page of a file. */
  readonly ownMb: number;
}

async function startOf(starting: Promise<Served>): Promise<Start> {
  return withServer(starting, async (served) => {
    const used = processorMs(served);
    await pause(2000);
    return { ms: served.startMs, processorMs: used, residentMb: residentMb(served), ownMb: ownMb(served) };
  });
}

async function compareStarts(): Promise<void> {
  const ours: Start[] = [];
  const theirs: Start[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    theirs.push(await startOf(serveKube()));
    ours.push(await withHome((home) => startOf(serve(home, ["--tls"]))));
  }
  const row = (name: string, unit: string, pick: (start: Start) => number): void => {
    const [us, kube] = [median(ours.map(pick)), median(theirs.map(pick))];
    print(name, `${us.toFixed(0)} ${unit} / ${kube.toFixed(0)} ${unit}: ${(us / kube).toFixed(3)} x`);
  };
  row("first start, spawn to /readyz ok, by the clock", "ms", ({ ms }) => ms);
  row("first start, processor time", "ms", (start) => start.processorMs);
  row("idle, resident memory", "MB", (start) => start.residentMb);
  row("idle, resident memory without pages of files", "MB", (start) => start.ownMb);
}

/** A figure taken again and again: `round` keeps the objects of one round apart from those of others. */
type Measurement = (served: Served, round: number) => Promise<Figure>;

async function compareRequests(): Promise<void> {
  let made = WARM_UP;
  /** Creates in every round, each time with names of its own. */
  const creating = (count: number, width: number): Measurement => {
    const from = made;
    made += count * ROUNDS;
    return (served, round) => measure(served, count, width, create, from + round * count);
  };
  const writes: readonly (readonly [string, Measurement])[] = [
    ["creates, 16 clients", creating(1000, 16)],
    ["creates, one client", creating(200, 1)],
  ];
  const missing = LISTED - made;
  const reads: readonly (readonly [string, Measurement])[] = [
    ["gets, 16 clients", (served) => measure(served, 2000, 16, get)],
    ["server-side applies, 16 clients", (served, round) => measure(served, 500, 16, apply, round * 500)],
    [`lists of ${LISTED}`, (served) => measure(served, 3, 1, list)],
    [`lists of ${LISTED} as a Table`, (served) => measure(served, 1, 1, listTable)],
    [`events to ${WATCHERS} watchers`, (served, round) => fanOut(served, LISTED + round * FAN_OUT_WRITES)],
  ];
  await withHome((home) =>
    withServer(serve(home, ["--tls"]), (us) =>
      withServer(serveKube(), async (kube) => {
        for (const served of [us, kube]) {
          await define(served);
          await many(WARM_UP, 16, (i) => create(served, i));
        }
        for (const [name, take] of writes) await compare(name, take, us, kube);
        for (const served of [us, kube]) await many(missing, 16, (i) => create(served, made + i));
        for (const [name, take] of reads) await compare(name, take, us, kube);
      }),
    ),
  );
}

async function compare(name: string, take: Measurement, us: Served, kube: Served): Promise<void> {
  const ours: Figure[] = [];
  const theirs: Figure[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await take(us, round));
    theirs.push(await take(kube, round));
  }
  const [mine, real] = [medianFigure(ours), medianFigure(theirs)];
  const rate = `${(mine.perSecond / real.perSecond).toFixed(2)} x the rate`;
  const processor = `${(mine.microseconds / real.microseconds).toFixed(2)} x the processor time`;
  print(name, `${shown(mine)} / ${shown(real)}: ${rate}, ${processor}`);
}
