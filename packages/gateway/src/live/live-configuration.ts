import { createAddressBackend, createBackend } from "../backends/create-backend.ts";
import type { BackendAround, GivenBackend } from "../backends/create-backend.ts";
import type { CheckedObject } from "../configuration/checked-object.ts";
import { checkObject } from "../configuration/check-object.ts";
import type { Finding, GivenObject, ObjectKind } from "../configuration/objects.ts";
import type { ConfigurationTarget, ObjectName } from "../configuration/target.ts";
import type { Keeping } from "../kept/state-keeper.ts";
import { StateKeeper } from "../kept/state-keeper.ts";
import { compileRoute } from "../routes/compile-route.ts";
import type { CompileAround } from "../routes/compile-around.ts";
import type { RouteCertificate } from "../routes/route-certificate.ts";
import type { MatchRow } from "../table/match-row.ts";
import { RoutingTable } from "../table/routing-table.ts";
import { dividedLimits } from "./divided-limits.ts";
import { BackendBook } from "./backend-book.ts";
import type { BackendHandle, BackendKind } from "./backend-book.ts";
import { RouteCertificates } from "./route-certificates.ts";
import { TableLeases } from "./table-leases.ts";

/** What a configuration is made live with. */
export interface LiveAround extends Omit<CompileAround, "backend"> {
  readonly backends: Pick<BackendAround, "settings" | "connect">;
  /** How many serve the same configuration. Default: 1. */
  readonly workers?: number;
}

/** An object that is here, and what was made of it. */
interface Held {
  /** As it was given last, good or not. */
  readonly given: GivenObject;
  readonly content: string;
  readonly findings: readonly Finding[];
  /** What serves: of this version, or of the last good one. Undefined: nothing does. */
  readonly live: Live | undefined;
}

interface Live extends Made {
  /** The version that this was made of. */
  readonly given: GivenObject;
}

interface Made {
  readonly rows: readonly MatchRow[];
  readonly handles: readonly BackendHandle[];
  readonly keeping: Keeping;
  readonly certificate?: RouteCertificate | undefined;
}

/** One change's effect on what serves, gathered before the table is swapped. */
interface Edit {
  readonly remove: MatchRow[];
  readonly add: MatchRow[];
  readonly endings: (() => void)[];
  backendsChanged: boolean;
}

/**
 * The configuration that serves. A change costs what it changes: an object that is as it was is not compiled again, tables share
 * what they have in common, and state is kept where its specification is the same. One bad object is left out and named; if it was
 * good before, it goes on as it was.
 */
export class LiveConfiguration implements ConfigurationTarget {
  readonly leases: TableLeases;
  /** Those that routes bring. */
  readonly certificates = new RouteCertificates();
  readonly #keeper = new StateKeeper();
  readonly #book: BackendBook;
  readonly #around: LiveAround;
  readonly #held = new Map<string, Held>();
  #table = RoutingTable.empty();

  constructor(around: LiveAround) {
    this.#around = around;
    this.leases = new TableLeases(this.#table);
    this.#book = new BackendBook(({ host, port, kind }) => {
      const keeping = this.#keeper.keeping();
      const protocol = kind === "GRPCBackend" ? "http2" : "http1";
      const backend = createAddressBackend(
        { host, port, protocol },
        this.#backendAround(keeping, () => {}),
      );
      return { backend, release: () => keeping.release() };
    });
  }

  /** The table that requests meet now. */
  get table(): RoutingTable {
    return this.#table;
  }

  replace(objects: readonly GivenObject[]): readonly Finding[] {
    const wanted = new Set(objects.map(keyOf));
    const removed = [...this.#held].flatMap(([key, { given }]) => (wanted.has(key) ? [] : [given]));
    return this.change(objects, removed);
  }

  change(set: readonly GivenObject[], removed: readonly ObjectName[]): readonly Finding[] {
    const edit: Edit = { remove: [], add: [], endings: [], backendsChanged: false };
    const findings: Finding[] = [];
    for (const name of removed) this.#remove(keyOf(name), edit);
    // Backends first: routes that come with them need not look for them twice.
    for (const given of set) if (isBackend(given)) findings.push(...this.#set(given, edit));
    for (const given of set) if (!isBackend(given)) findings.push(...this.#set(given, edit));
    if (edit.backendsChanged) this.#book.refresh();
    if (edit.remove.length > 0 || edit.add.length > 0) this.#table = this.#table.edited(edit);
    if (this.#table !== this.leases.table || edit.endings.length > 0) this.leases.swap(this.#table, edit.endings);
    return findings;
  }

  held(): readonly GivenObject[] {
    return Array.from(this.#held.values(), ({ given }) => given);
  }

  /** What serves: of each object the last version that was good. */
  good(): readonly GivenObject[] {
    return [...this.#held.values()].flatMap(({ live }) => live?.given ?? []);
  }

  /** Everything that is wrong with what is held, or not supported. */
  findings(): readonly Finding[] {
    return [...this.#held.values()].flatMap(({ findings }) => findings);
  }

  /** Everything that requests are sent to. */
  backends(): ReturnType<BackendBook["describe"]> {
    return this.#book.describe();
  }

  /** Ends timers and connections. Nothing may be asked afterwards. */
  dispose(): void {
    this.#keeper.dispose();
  }

  #remove(key: string, edit: Edit): void {
    const held = this.#held.get(key);
    if (held === undefined) return;
    this.#held.delete(key);
    this.#unlist(held.given, edit);
    this.#end(held.live, edit);
    this.certificates.set(key, undefined, undefined);
  }

  #set(given: GivenObject, edit: Edit): readonly Finding[] {
    const key = keyOf(given);
    const content = JSON.stringify([given.spec, given.createdAt]);
    const before = this.#held.get(key);
    if (before?.content === content) {
      const findings = before.findings.map((finding) => ({ ...finding, version: given.version }));
      this.#held.set(key, { ...before, given, findings });
      return findings;
    }
    const { checked, findings: problems } = checkObject(given);
    const made = checked && this.#make(dividedLimits(checked, this.#around.workers ?? 1), edit);
    const findings = [...problems, ...(made?.findings ?? [])];
    if (made?.live === undefined) {
      this.#held.set(key, { given, content, findings, live: before?.live });
      return findings;
    }
    this.#end(before?.live, edit);
    edit.add.push(...made.live.rows);
    this.certificates.set(key, made.live.certificate, given.createdAt);
    this.#held.set(key, { given, content, findings, live: { ...made.live, given } });
    return findings;
  }

  #make(
    checked: CheckedObject,
    edit: Edit,
  ): { readonly findings: readonly Finding[]; readonly live: Made | undefined } {
    const keeping = this.#keeper.keeping();
    if (isBackend(checked)) {
      const findings: Finding[] = [];
      const { kind, namespace, name, version } = checked;
      const given: GivenBackend = checked;
      const backend = createBackend(
        given,
        this.#backendAround(keeping, ({ field, message, severity }) =>
          findings.push({ kind, namespace, name, version, severity, field, message }),
        ),
      );
      if (findings.some(({ severity }) => severity === "error")) {
        edit.endings.push(keeping.release());
        return { findings, live: undefined };
      }
      const [first, second] = given.spec.hosts;
      const address = first === undefined || second !== undefined ? undefined : `${first.address}:${first.port}`;
      this.#book.list({ kind, namespace, name, address, backend });
      edit.backendsChanged = true;
      return { findings, live: { rows: [], handles: [], keeping } };
    }
    const { rows, findings, handles, certificate } = compileRoute(checked, keeping.state, {
      ...this.#around,
      backend: (destination) => this.#book.handle(destination),
    });
    if (rows.length > 0) return { findings, live: { rows, handles, keeping, certificate } };
    edit.endings.push(...handles.map((handle) => this.#book.forget(handle)), keeping.release());
    return { findings, live: undefined };
  }

  #unlist({ kind, namespace, name }: ObjectName, edit: Edit): void {
    if (!isBackendKind(kind)) return;
    this.#book.unlist({ kind, namespace, name });
    edit.backendsChanged = true;
  }

  #end(live: Live | undefined, edit: Edit): void {
    if (live === undefined) return;
    edit.remove.push(...live.rows);
    edit.endings.push(...live.handles.map((handle) => this.#book.forget(handle)), live.keeping.release());
  }

  #backendAround(keeping: Keeping, note: BackendAround["note"]): BackendAround {
    const { clock, random, fetchJson, backends } = this.#around;
    return { clock, random, fetchJson, kept: keeping.state, note, ...backends };
  }
}

function isBackendKind(kind: ObjectKind): kind is BackendKind {
  return kind === "Backend" || kind === "GRPCBackend" || kind === "GraphQLBackend";
}

function isBackend<T extends { readonly kind: ObjectKind }>(object: T): object is T & { readonly kind: BackendKind } {
  return isBackendKind(object.kind);
}

function keyOf({ kind, namespace, name }: ObjectName): string {
  return `${kind} ${namespace}/${name}`;
}
