import type { Finding } from "../../configuration/objects.ts";
import type { MatchRow } from "../../table/match-row.ts";
import { pathElements, placeholder } from "../../table/path-elements.ts";
import { wholePattern } from "../../table/whole-pattern.ts";
import type { CompiledRoute } from "../compiled-route.ts";
import type { RouteRows, RowSubject } from "./row-subject.ts";
import { hostsOf } from "./row-hosts.ts";

/** The rows of one object while they are made, and what is to be said about it. */
export class RowDraft {
  readonly #route: CompiledRoute;
  readonly #subject: RowSubject;
  readonly #hosts: readonly string[] | undefined;
  readonly #createdAt: number;
  readonly #rows: MatchRow[] = [];
  readonly #findings: Finding[] = [];

  constructor(route: CompiledRoute, subject: RowSubject, hosts: readonly string[] | undefined) {
    this.#route = route;
    this.#subject = subject;
    this.#hosts = hosts;
    const createdAt = Date.parse(subject.createdAt ?? "");
    this.#createdAt = Number.isNaN(createdAt) ? Infinity : createdAt;
  }

  /** Adds what one entry of `match` asks for, once for each host. `field` is the entry, `host` the one that it names itself. */
  add(field: string, place: number, host: string | undefined, entry: RowEntry): void {
    if (entry.path.type === "template")
      for (const element of pathElements(entry.path.value)) {
        const pattern = placeholder(element)?.pattern;
        if (pattern !== undefined) this.checkPattern(field, pattern);
      }
    const hosts = hostsOf(this.#hosts, host);
    if (hosts.length === 0) this.warn(field, `never matches: ${host ?? ""} is none of the route's hosts`);
    for (const one of hosts)
      this.#rows.push({ ...entry, route: this.#route, host: one, createdAt: this.#createdAt, place });
  }

  /** Whether a pattern is RE2; says so if it is not. */
  checkPattern(field: string, pattern: string): boolean {
    const compiled = wholePattern(pattern);
    if (!("problem" in compiled)) return true;
    this.#say("error", field, `is not a regular expression of RE2: ${compiled.problem}`);
    return false;
  }

  warn(field: string, message: string): void {
    this.#say("warning", field, message);
  }

  fail(field: string, message: string): void {
    this.#say("error", field, message);
  }

  done(): RouteRows {
    const failed = this.#findings.some(({ severity }) => severity === "error");
    return { rows: failed ? [] : this.#rows, findings: this.#findings };
  }

  #say(severity: Finding["severity"], field: string, message: string): void {
    const { kind, namespace, name } = this.#route;
    this.#findings.push({ kind, namespace, name, version: this.#subject.version, severity, field, message });
  }
}

/** What an entry of `match` says besides the host. */
export type RowEntry = Omit<MatchRow, "route" | "host" | "createdAt" | "place">;
