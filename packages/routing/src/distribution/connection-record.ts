import type { Catalogue } from "../model/catalogue.ts";
import type { Deliverable, DeliverableKey } from "../model/deliverable.ts";
import { AppliedTimes } from "./applied-times.ts";
import type {
  ConnectionView,
  GatewayIdentity,
  KnownRemarks,
  Remark,
  Selection,
  Standing,
} from "./connected-gateway.ts";
import { isRefused, refusalAmong } from "./known-refusals.ts";
import type { KnownRefusals } from "./known-refusals.ts";

interface RecordParts {
  readonly catalogue: Catalogue;
  readonly selection: Selection;
  readonly known: KnownRemarks | undefined;
  /** Of `known`; shared by all that it is known of. */
  readonly knownRefusals: KnownRefusals | undefined;
  readonly now: number;
}

/** What is kept of a connection: two numbers, and what the gateway remarked. Read at any time, it tells how it is then. */
export class ConnectionRecord implements ConnectionView {
  readonly id: string;
  readonly gateway: GatewayIdentity;
  readonly connectedAt: number;
  lastHeardAt: number;
  sent = 0;
  readonly #catalogue: Catalogue;
  readonly #selection: Selection;
  readonly #known: KnownRemarks | undefined;
  readonly knownRefusals: KnownRefusals | undefined;
  readonly #namespaces: ReadonlySet<string>;
  readonly #remarks = new Map<DeliverableKey, readonly Remark[]>();
  readonly #times: AppliedTimes;
  #acknowledged = 0;
  #problem: { readonly through: number; readonly message: string } | undefined;

  constructor(id: string, gateway: GatewayIdentity, { catalogue, selection, known, knownRefusals, now }: RecordParts) {
    this.id = id;
    this.gateway = gateway;
    this.connectedAt = now;
    this.lastHeardAt = now;
    this.#catalogue = catalogue;
    this.#selection = selection;
    this.#known = known;
    this.knownRefusals = knownRefusals;
    this.#namespaces = new Set(gateway.namespaces);
    this.#times = new AppliedTimes(now);
  }

  get acknowledged(): number {
    return this.#acknowledged;
  }

  get problem(): string {
    return this.#problem?.message ?? "";
  }

  /** Changes after this one are yet to come to it; undefined when it needs all there is anyway. */
  get needsSince(): number | undefined {
    return this.#acknowledged || this.sent || undefined;
  }

  get refused(): number {
    let refused = 0;
    for (const _ of this.#refusals()) refused++;
    return refused;
  }

  refusals(most: number): readonly Remark[] {
    return [...this.#refusals()].toSorted((one, other) => (one.key < other.key ? -1 : 1)).slice(0, most);
  }

  get behind(): number {
    const changes = this.#catalogue.since(this.#acknowledged);
    let behind = 0;
    if (changes === undefined) {
      for (const deliverable of this.#catalogue.all()) if (this.selects(deliverable)) behind++;
      return behind;
    }
    for (const { deliverable } of changes) if (deliverable !== undefined && this.selects(deliverable)) behind++;
    return behind;
  }

  selects(deliverable: Deliverable): boolean {
    if (this.#namespaces.size > 0 && !this.#namespaces.has(deliverable.namespace)) return false;
    return this.#selection(this.gateway, deliverable);
  }

  standing(key: DeliverableKey, deliverable: Deliverable, revision: number): Standing {
    const known = this.#known?.(deliverable) ?? [];
    if (isRefused(known, deliverable)) return { state: "refused", remarks: known };
    if (revision > this.#acknowledged) return { state: "pending" };
    const own = this.#remarks.get(key)?.filter(({ version }) => version === deliverable.version) ?? [];
    const said = known.length === 0 ? own : [...known, ...own];
    if (isRefused(said, deliverable)) return { state: "refused", remarks: said };
    if (this.#problem !== undefined && revision <= this.#problem.through) {
      const { message } = this.#problem;
      const remark: Remark = { key, version: deliverable.version, refused: true, field: "spec", message };
      return { state: "refused", remarks: [remark, ...said] };
    }
    return { state: "applied", since: this.#times.of(revision), remarks: said };
  }

  /** Of each that it refuses why: of what it said, and of what is known beforehand. Few, so that all need not be looked through. */
  *#refusals(): Generator<Remark> {
    for (const [key, remarks] of this.#remarks) {
      const deliverable = this.#catalogue.get(key)?.deliverable;
      const why = deliverable && refusalAmong(remarks, deliverable);
      if (why !== undefined) yield why;
    }
    for (const deliverable of this.knownRefusals?.all() ?? []) {
      const why = this.selects(deliverable) ? refusalAmong(this.#known?.(deliverable) ?? [], deliverable) : undefined;
      if (why !== undefined) yield why;
    }
  }

  /** Which keys this is news of; undefined: of more than can be told. */
  acknowledge(
    revision: number,
    remarks: readonly Remark[],
    problem: string | undefined,
    now: number,
  ): Set<DeliverableKey> | undefined {
    const before = this.#acknowledged;
    const general = problem !== undefined || this.#problem !== undefined;
    this.#problem = problem === undefined ? undefined : { through: revision, message: problem };
    if (revision > before) {
      this.#acknowledged = revision;
      this.#times.add(revision, now);
    }
    const told = this.remark(remarks);
    const changes = before === 0 || general ? undefined : this.#catalogue.since(before);
    if (changes === undefined) return undefined;
    for (const change of changes) if (change.revision <= revision) told.add(change.key);
    return told;
  }

  remark(remarks: readonly Remark[]): Set<DeliverableKey> {
    const grouped = Map.groupBy(remarks, ({ key }) => key);
    for (const [key, about] of grouped) this.#remarks.set(key, about);
    for (const [key, about] of this.#remarks) {
      const entry = this.#catalogue.get(key);
      const current = about.some(({ version }) => version === entry?.deliverable.version);
      if (!current && (entry === undefined || entry.revision <= this.#acknowledged)) this.#remarks.delete(key);
    }
    return new Set(grouped.keys());
  }
}
