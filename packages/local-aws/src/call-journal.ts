/** One call and what became of it. */
export interface JournalEntry {
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
  readonly requestId: string;
  readonly account: string;
  readonly region: string;
  readonly service: string;
  /** Empty when the request named none that is known. */
  readonly operation: string;
  /** `OK`, or the code of the error. */
  readonly code: string;
  readonly status: number;
  readonly milliseconds: number;
  /** The name, id or ARN that the call was about, as far as the input tells. */
  readonly resource: string | undefined;
}

/** What to look for: every field that is given must be equal. */
export type JournalFilter = Partial<
  Pick<JournalEntry, "account" | "region" | "service" | "operation" | "code" | "resource">
>;

const LABELS = ["service", "operation", "code"] as const;

/** The latest calls, and counters of all of them, so that a test can say what something cost. */
export class CallJournal {
  readonly #limit: number;
  #entries: JournalEntry[] = [];
  #forgotten = 0;
  readonly #counts = new Map<string, { entry: JournalEntry; calls: number; seconds: number }>();

  /** Keeps at least the latest `limit` calls, at most twice as many. */
  constructor(limit = 10_000) {
    this.#limit = limit;
  }

  add(entry: JournalEntry): void {
    this.#entries.push(entry);
    if (this.#entries.length > 2 * this.#limit) {
      this.#forgotten += this.#entries.length - this.#limit;
      this.#entries = this.#entries.slice(-this.#limit);
    }
    const key = LABELS.map((label) => entry[label]).join(" ");
    const counted = this.#counts.get(key);
    if (counted) {
      counted.calls++;
      counted.seconds += entry.milliseconds / 1000;
    } else this.#counts.set(key, { entry, calls: 1, seconds: entry.milliseconds / 1000 });
  }

  /** Calls since the journal was last cleared, oldest first. */
  calls(filter: JournalFilter = {}): readonly JournalEntry[] {
    const wanted = Object.entries(filter) as [keyof JournalFilter, string | undefined][];
    return this.#entries.filter((entry) =>
      wanted.every(([field, value]) => value === undefined || entry[field] === value),
    );
  }

  /** How many calls are not in the journal any more. */
  get forgotten(): number {
    return this.#forgotten;
  }

  /** Forgets all calls. Counters go on, as counters do. */
  clear(): void {
    this.#entries = [];
    this.#forgotten = 0;
  }

  /** Counters in the text format of Prometheus. */
  metrics(): string {
    const counted = [...this.#counts.values()];
    return (
      metric("local_aws_calls_total", "Calls by outcome.", counted, ({ calls }) => calls) +
      metric("local_aws_call_seconds_total", "Time spent in calls.", counted, ({ seconds }) => seconds)
    );
  }
}

function metric<T extends { readonly entry: JournalEntry }>(
  name: string,
  help: string,
  counted: readonly T[],
  value: (each: T) => number,
): string {
  const lines = counted.map((each) => {
    const labels = LABELS.map((label) => `${label}=${JSON.stringify(each.entry[label])}`).join(",");
    return `${name}{${labels}} ${value(each)}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} counter\n${lines.join("")}`;
}
