import { BodySyntaxError } from "@gatewright/kube";
import { specMs } from "../../configuration/spec-duration.ts";
import type { Answer } from "../../exchange/answer.ts";
import { bytesSource } from "../../exchange/bodies.ts";
import { Fields } from "../../exchange/fields.ts";
import { localAnswer } from "../../exchange/local-answer.ts";
import type { Around } from "../../filters/around.ts";
import { wholeBody } from "../../filters/whole-body.ts";
import type { Call } from "../../pipeline/call.ts";
import type { AggregateSpec, AggregateTarget } from "./aggregate-spec.ts";
import { askTarget } from "./ask-target.ts";
import { mergeAnswers } from "./merge-answers.ts";
import type { TargetAnswer } from "./merge-answers.ts";

/** Asks one target. The call is a copy that belongs to it; the answer's body has not been opened. */
export type AskTarget = (target: AggregateTarget, call: Call) => Answer | Promise<Answer>;

const DEFAULT_PARALLEL = 8;
const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_REQUEST_BYTES = 4 * 1024 * 1024;
const FIELD = "spec.aggregate";

/**
 * Asks many and makes one answer of theirs, in the order of the targets, whoever answers first. `failMode` says how many are needed:
 * 502 without them. `x-aggregate` tells how many there were. Bodies are kept in memory, 4 MiB a target at most.
 */
export function aggregateAction(
  spec: AggregateSpec,
  around: Around & { readonly ask: AskTarget },
): (call: Call) => Promise<Answer> {
  const targets = (spec.targets ?? []).map((target) => ({
    target,
    timeoutMs: specMs(target.timeout) || DEFAULT_TIMEOUT_MS,
  }));
  const merge = mergeAnswers(spec.merge, (field, message) =>
    around.note({ field: `${FIELD}.merge.${field}`, message, severity: "error" }),
  );
  const needed = neededOf(spec, targets.length, around);
  warn(spec, around);
  const parallel = Math.max(spec.maxParallel ?? DEFAULT_PARALLEL, 1);
  return async (call) => {
    const body = call.body === undefined ? undefined : await wholeBody(call.body, MAX_REQUEST_BYTES, "request");
    if (body !== undefined && !Buffer.isBuffer(body)) return body;
    const answers = await gathered(targets.length, needed, parallel, call, (at, onAbort) => {
      const { target, timeoutMs } = targets[at]!;
      return askTarget({ target, timeoutMs, call, body, ask: around.ask, clock: around.clock, onAbort });
    });
    if (answers.length < needed) return localAnswer(502, "aggregate_failed", "not enough backends answered");
    try {
      const { text, contentType } = merge(answers);
      const share = `${answers.length}/${targets.length}`;
      const fields = new Fields(["content-type", contentType, "x-aggregate", share]);
      return { status: 200, fields, body: bytesSource(Buffer.from(text)) };
    } catch (error) {
      if (!(error instanceof BodySyntaxError)) throw error;
      return localAnswer(502, "aggregate_failed", "the answers of the backends cannot be made one");
    }
  };
}

/** How many answers are needed. */
function neededOf(spec: AggregateSpec, targets: number, around: Around): number {
  switch (spec.failMode ?? "all") {
    case "all":
      return targets;
    case "any":
      return 1;
    case "quorum": {
      const given = spec.quorumCount ?? 0;
      return given > 0 ? Math.min(given, targets) : Math.floor(targets / 2) + 1;
    }
    default:
      around.note({ field: `${FIELD}.failMode`, message: "has to be all, any or quorum", severity: "error" });
      return targets;
  }
}

function warn(spec: AggregateSpec, around: Around): void {
  const warning = (field: string, message: string): void =>
    around.note({ field: `${FIELD}.${field}`, message, severity: "warning" });
  if (spec.perMessageMerge === true) warning("perMessageMerge", "has no effect: whole answers are merged");
  if (spec.spool?.enabled === true && spec.spool.backend === "redis")
    warning("spool.backend", "redis is not supported: answers are kept in memory");
  if (around.routeId.startsWith("GRPCRoute "))
    around.note({ field: FIELD, message: "answers of gRPC cannot be merged", severity: "error" });
}

/** Asks so many at the same time until all answered, or too many failed. Answers come in the order of the targets. */
async function gathered(
  count: number,
  needed: number,
  parallel: number,
  call: Call,
  ask: (at: number, onAbort: (abort: (reason: Error) => void) => void) => Promise<TargetAnswer | undefined>,
): Promise<TargetAnswer[]> {
  const answers: (TargetAnswer | undefined)[] = [];
  const aborts = new Set<(reason: Error) => void>();
  let failed = 0;
  let next = 0;
  let gone: Error | undefined;
  const abortAll = (reason: Error): void => {
    gone ??= reason;
    for (const abort of aborts) abort(reason);
  };
  call.onAbort(abortAll);
  const work = async (): Promise<void> => {
    while (next < count && gone === undefined) {
      const at = next++;
      let mine: ((reason: Error) => void) | undefined;
      const answer = await ask(at, (abort) => {
        mine = abort;
        aborts.add(abort);
      });
      if (mine !== undefined) aborts.delete(mine);
      answers[at] = answer;
      if (answer === undefined && count - ++failed < needed) abortAll(new Error("too many backends failed"));
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallel, count) }, work));
  return answers.filter((answer) => answer !== undefined);
}
