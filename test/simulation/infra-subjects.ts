import type { Aws } from "@gatewright/aws";
import { ALL_KINDS } from "@gatewright/infra";
import type { JsonObject } from "@gatewright/kube";
import type { createMemoryState } from "@gatewright/local-aws";
import type { SystemResource } from "@gatewright/runtime/simulation";

type State = ReturnType<typeof createMemoryState>;
type Pairs = readonly (readonly [name: string, value: string])[];

/** A kind of AWS resource as it is put through the scenario of AWS resources. */
export interface InfraSubject {
  /** As in ALL_KINDS. */
  readonly kind: string;
  /** What the spec of the resource of this name has at least. */
  readonly base: (name: string) => JsonObject;
  /** Pieces of specs that are set one after the other, and back. Merge patches: null takes away. */
  readonly changes: readonly [JsonObject, JsonObject, JsonObject];
  /** A reference to the object `web` of the same kind, where there can be one. */
  readonly refers?: JsonObject;
  /** Makes a resource that is nobody's. */
  readonly make: (aws: Aws, name: string, signal: AbortSignal) => Promise<void>;
  /** All that there is: the name of each with what it is like, tags as pairs. */
  readonly found: (state: State) => Iterable<readonly [id: string, name: string, content: JsonObject, tags: Pairs]>;
}

interface QueueRecord {
  readonly name: string;
  readonly attributes: Pairs;
  readonly tags: Pairs;
  readonly deletedAt?: number;
}

const sqsQueue: InfraSubject = {
  kind: "SQSQueue",
  base: (queueName) => ({ queueName }),
  changes: [
    { visibilityTimeout: 60, delaySeconds: 3 },
    { visibilityTimeout: 45, redriveAllowPolicy: { redrivePermission: "allowAll" } },
    { delaySeconds: null, messageRetentionPeriod: 3600 },
  ],
  refers: { deadLetterQueue: { queueRef: { name: "web" }, maxReceiveCount: 3 } },
  async make(aws, QueueName, signal) {
    await aws.sqs.createQueue({ QueueName }, { signal });
  },
  *found(state) {
    for (const [id, { name, attributes, tags, deletedAt }] of state.records<QueueRecord>("sqs/queues").list()) {
      if (deletedAt === undefined) yield [id, name, { attributes: sorted(attributes) }, tags];
    }
  },
};

/** Kinds that are simulated. */
export const SUBJECTS: readonly InfraSubject[] = [sqsQueue].filter(({ kind }) =>
  ALL_KINDS.some(({ resource }) => resource.kind === kind),
);

/** The resources of a kind as oracles see them, by what they are. Uids are drawn anew in each run. */
export function infraResources(subject: InfraSubject): (state: State) => ReadonlyMap<string, SystemResource> {
  return (state) =>
    new Map(
      [...subject.found(state)].map(([id, name, content, tags]) => {
        const shown = tags.filter(([key]) => key !== "gatewright.dev/uid");
        return [id, { name: `${subject.kind} ${name}`, content: { ...content, tags: sorted(shown) } }];
      }),
    );
}

function sorted(pairs: Pairs): string[][] {
  return pairs.map((pair) => [...pair]).sort(([a = ""], [b = ""]) => (a < b ? -1 : 1));
}
