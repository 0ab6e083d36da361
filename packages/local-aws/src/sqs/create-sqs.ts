import type { Operations } from "@gatewright/aws-wire/types/sqs";
import type { QueueInlets, TaggedResources } from "../neighbours.ts";
import { service } from "../service.ts";
import type { Service } from "../service.ts";
import type { AwsWorld } from "../world.ts";
import { handleOperations } from "./handle-operations.ts";
import { moveOperations } from "./move-operations.ts";
import { queueInlets } from "./queue-inlets.ts";
import { queueOperations } from "./queue-operations.ts";
import { receiveOperations } from "./receive-operations.ts";
import { sendOperations } from "./send-operations.ts";
import { SqsStore } from "./store.ts";
import { sweep } from "./sweep.ts";
import { taggedQueues, tagOperations } from "./tag-operations.ts";
import { Waiters } from "./waiters.ts";

export interface SqsOptions {
  /** What URLs of queues begin with; asked whenever one is told. Default: `http://127.0.0.1:4566`. */
  readonly endpoint?: () => string;
  /** What all messages may take together, about; sends beyond it are refused. Default: 512 MiB. */
  readonly mostBytes?: number;
}

export interface Sqs {
  readonly service: Service;
  readonly tagged: TaggedResources;
  readonly inlets: QueueInlets;
  /** Forgets what is over: old messages, names that rest, deduplication. Call it about once a minute. */
  tick(): Promise<void>;
  /** Lets receivers that wait go, empty-handed, so that a server can end at once. None waits from then on. */
  stop(): void;
}

const DEFAULT_ENDPOINT = "http://127.0.0.1:4566";
const DEFAULT_BYTES = 512 * 1024 * 1024;

/** SQS: standard and FIFO queues, whose messages survive restarts. */
export function createSqs(world: AwsWorld, options: SqsOptions = {}): Sqs {
  const { endpoint = () => DEFAULT_ENDPOINT, mostBytes = DEFAULT_BYTES } = options;
  const store = new SqsStore(world);
  const waiters = new Waiters(world.clock);
  const ground = {
    world,
    store,
    waiters,
    urlOf: ({ account, name }: { readonly account: string; readonly name: string }) =>
      `${endpoint()}/${account}/${name}`,
    mostBytes,
  };
  return {
    service: service<Operations>("sqs", {
      ...queueOperations(ground),
      ...tagOperations(store),
      ...sendOperations(ground),
      ...receiveOperations(ground),
      ...handleOperations(ground),
      ...moveOperations(ground),
    }),
    tagged: taggedQueues(store),
    inlets: queueInlets(ground),
    tick: () => sweep(store, world.clock.now()),
    stop: () => waiters.stop(),
  };
}
