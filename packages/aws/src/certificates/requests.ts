import type { Clock } from "@gatewright/ports";
import { AwsCallError } from "../aws-call-error.ts";
import type { Aws } from "../create-aws.ts";
import { Agenda } from "./agenda.ts";
import { TOKEN_TAG } from "./book.ts";
import type { Book } from "./book.ts";
import type { CertificateOrder, RequestProgress } from "./certificate.ts";
import { readTagsOfTwins } from "./read-tags.ts";
import type { CertificateSettings } from "./settings.ts";
import type { TagReader } from "./tag-reader.ts";

interface Ground {
  readonly aws: Pick<Aws, "acm">;
  readonly clock: Clock;
  readonly book: Book;
  readonly tags: TagReader;
  readonly settings: CertificateSettings;
  /** The tags of own certificates are not known well enough. */
  readonly wantTags: () => void;
  readonly requested: (arn: string) => void;
  readonly changed: (arn: string, owners: readonly string[]) => void;
}

/** An order on its way. `queued`: to be tried. `resting`: failed, to be tried when somebody asks after a while. `over`: answered. */
interface Order {
  readonly order: CertificateOrder;
  readonly owners: Set<string>;
  phase: "queued" | "resting" | "over";
  progress: RequestProgress;
  askedAt: number;
  restUntil: number;
  failures: number;
}

const AT_ONCE = 8;
const PAUSE_MS = { failed: 5_000, refused: 300_000 } as const;
const LONGEST_PAUSE_MS = 3_600_000;
const GATE_MS = 5_000;
/** A common name has no more room. */
const LONGEST_FIRST_NAME = 64;

/** Requests certificates, each token once. */
export class Requests {
  readonly #ground: Ground;
  readonly #agenda: Agenda;
  readonly #orders = new Map<string, Order>();
  readonly #byArn = new Map<string, string>();
  /** Those that wait for tags. */
  readonly #held = new Set<string>();

  constructor(ground: Ground) {
    this.#ground = ground;
    this.#agenda = new Agenda(ground.clock, AT_ONCE, (token, signal) => this.#work(token, signal));
  }

  request(order: CertificateOrder): RequestProgress {
    const now = this.#ground.clock.monotonic();
    const known = this.#orders.get(order.token);
    if (known === undefined) {
      const owners = new Set([order.owner]);
      const progress = { state: "waiting" } as const;
      this.#orders.set(order.token, {
        order,
        owners,
        phase: "queued",
        progress,
        askedAt: now,
        restUntil: 0,
        failures: 0,
      });
      this.#agenda.put(order.token);
      return progress;
    }
    known.askedAt = now;
    known.owners.add(order.owner);
    if (known.phase === "resting" && now >= known.restUntil) {
      known.phase = "queued";
      this.#agenda.put(order.token);
    }
    return known.progress;
  }

  /** Who gave orders for a certificate. */
  ownersOf(arn: string): readonly string[] {
    return [...(this.#orders.get(this.#byArn.get(arn) ?? "")?.owners ?? [])];
  }

  /** Tags were read: what waited for that goes on. */
  resume(): void {
    for (const token of this.#held) this.#agenda.put(token);
    this.#held.clear();
  }

  /** Lets go of what nobody asked for in a while. */
  prune(): void {
    const limit = this.#ground.clock.monotonic() - this.#ground.settings.forgetMs;
    for (const [token, { askedAt, phase }] of this.#orders) {
      if (phase !== "queued" && askedAt < limit) this.#orders.delete(token);
    }
    for (const [arn, token] of this.#byArn) if (!this.#orders.has(token)) this.#byArn.delete(arn);
  }

  async run(signal: AbortSignal): Promise<void> {
    try {
      await this.#agenda.run(signal);
    } finally {
      this.#agenda.clear();
      this.#orders.clear();
      this.#byArn.clear();
      this.#held.clear();
    }
  }

  async #work(token: string, signal: AbortSignal): Promise<void> {
    const order = this.#orders.get(token);
    if (order === undefined || order.phase === "over") return;
    // Whoever still wants it asks again.
    if (order.phase === "resting") return this.#ground.changed("", [...order.owners]);
    const { aws, book, clock, settings, tags, wantTags } = this.#ground;
    if (tags.last === undefined || tags.last.at + settings.tagsMs < clock.monotonic()) {
      this.#held.add(token);
      return wantTags();
    }
    try {
      if (book.withToken(token) === undefined) await readTagsOfTwins(aws, book, order.order.names, signal);
      const before = book.withToken(token);
      if (before !== undefined) return this.#answered(order, before);
      await this.#call(order, signal);
    } catch (error) {
      signal.throwIfAborted();
      this.#failed(order, error);
    }
  }

  async #call(order: Order, signal: AbortSignal): Promise<void> {
    const { aws, book } = this.#ground;
    const { names, token, keyAlgorithm, tags } = order.order;
    const first = names.find((name) => name.length <= LONGEST_FIRST_NAME) ?? names[0] ?? "";
    const others = names.filter((name) => name !== first);
    const all = { ...tags, [TOKEN_TAG]: token };
    const { CertificateArn: arn } = await aws.acm.requestCertificate(
      {
        DomainName: first,
        ...(others.length > 0 && { SubjectAlternativeNames: others }),
        ValidationMethod: "DNS",
        KeyAlgorithm: keyAlgorithm,
        IdempotencyToken: token,
        Tags: Object.entries(all).map(([Key, Value]) => ({ Key, Value })),
      },
      { signal },
    );
    if (arn === undefined) throw unanswered();
    const [status, type] = ["PENDING_VALIDATION", "AMAZON_ISSUED"];
    book.requested({
      arn,
      status,
      type,
      names: [first, ...others],
      inUse: false,
      keyAlgorithm,
      tags: new Map(Object.entries(all)),
    });
    this.#answered(order, arn);
  }

  #answered(order: Order, arn: string): void {
    order.phase = "over";
    order.progress = { state: "requested", arn };
    this.#byArn.set(arn, order.order.token);
    this.#ground.requested(arn);
    this.#ground.changed(arn, [...order.owners]);
  }

  #failed(order: Order, error: unknown): void {
    const { token } = order.order;
    // What the gate threw: nothing was sent, and it is nobody's fault.
    if (!(error instanceof AwsCallError)) return this.#agenda.put(token, GATE_MS);
    const state = error.kind === "terminal" && !error.code.startsWith("AccessDenied") ? "refused" : "failed";
    const pause = Math.min(LONGEST_PAUSE_MS, PAUSE_MS[state] * 2 ** order.failures++);
    order.phase = "resting";
    order.progress = { state, error };
    order.restUntil = this.#ground.clock.monotonic() + pause;
    this.#ground.changed("", [...order.owners]);
    this.#agenda.put(token, pause);
  }
}

function unanswered(): AwsCallError {
  return new AwsCallError({
    kind: "retry",
    code: "MalformedAnswer",
    message: "no ARN was given",
    service: "acm",
    operation: "RequestCertificate",
  });
}
