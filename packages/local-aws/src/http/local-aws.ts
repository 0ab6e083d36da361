import type { WireRequest, WireResponse } from "@gatewright/aws-wire";
import { uuid } from "@gatewright/ports";
import { CallJournal } from "../call-journal.ts";
import { ConnectionLost } from "../faults.ts";
import type { Faults } from "../faults.ts";
import { Limiter } from "../limits/limiter.ts";
import { AWS_LIMITS } from "../limits/service-limits.ts";
import type { LimitTable } from "../limits/service-limits.ts";
import type { IssuedCredentials } from "../neighbours.ts";
import type { Service } from "../service.ts";
import type { AwsWorld } from "../world.ts";
import { adminRoute } from "./admin-route.ts";
import { answerCall } from "./answer-call.ts";
import type { Answered, CallGround } from "./answer-call.ts";
import { answerPage } from "./answer-page.ts";
import { bodyLimit } from "./body-limit.ts";
import { EarlierAnswers } from "./earlier-answers.ts";
import { encodeRefusal } from "./encode-refusal.ts";
import { createKeyRing, LAPTOP_KEY } from "./key-ring.ts";
import type { AccountKey } from "./key-ring.ts";
import { listen } from "./listen.ts";
import type { Listening, ListenOptions } from "./listen.ts";
import { pickService } from "./pick-service.ts";
import { resourceHint } from "./resource-hint.ts";
import { serveServices } from "./served-service.ts";
import type { ServedService } from "./served-service.ts";
import { unserved } from "./unserved.ts";

export interface LocalAwsOptions {
  readonly world: Pick<AwsWorld, "clock" | "random">;
  readonly services: readonly Service[];
  /** Keys that sign. Default: the one that everyone on a laptop knows, `test` with the secret `test`. */
  readonly keys?: readonly AccountKey[];
  /** Keys that STS gives out. */
  readonly issued?: IssuedCredentials;
  /** How fast calls may be made. Default: as AWS has it. */
  readonly limits?: "aws" | "off" | LimitTable;
  readonly faults?: Faults;
  /** How old an answer may be that a stale read is given. Default: any age. */
  readonly staleMs?: number;
  readonly journal?: CallJournal;
  /** Hears once of each fault of our own; clients learn of it only that it was one. */
  readonly onFault: (error: unknown, where: string) => void;
}

/** AWS on this machine: the given services over their wire, for sockets and for callers in this process alike. */
export interface LocalAws {
  /** Answers a request. Rejects with {@link ConnectionLost} alone, when a fault wants the connection to end or the signal aborts while one lasts. */
  handle(request: WireRequest, signal: AbortSignal): Promise<WireResponse>;
  /** Serves on a loopback address, by default 127.0.0.1:4566. */
  listen(options?: ListenOptions): Promise<Listening>;
  /** Every call that was made. */
  readonly journal: CallJournal;
}

/** Puts services behind one front: signatures, limits, faults and the journal are the same for all. */
export async function createLocalAws(options: LocalAwsOptions): Promise<LocalAws> {
  const { world, journal = new CallJournal(), limits = "aws", staleMs = Number.POSITIVE_INFINITY, onFault } = options;
  const served = await serveServices(options.services);
  const ground: CallGround = {
    clock: world.clock,
    keys: createKeyRing(options.keys ?? [LAPTOP_KEY], options.issued),
    limiter: new Limiter(world.clock, limits === "aws" ? AWS_LIMITS : limits === "off" ? {} : limits),
    faults: options.faults ?? {},
    earlier: options.faults ? new EarlierAnswers(world.clock, staleMs) : { answer: (_call, _may, make) => make() },
    onFault,
  };
  const names = served.map(({ model }) => model.name);
  const tooLarge = (head: WireRequest, requestId: string): WireResponse => {
    const target = pickService(served, head);
    return target ? encodeRefusal(target, target.dialect.tooLarge(), requestId) : unserved(head, names, requestId);
  };
  const front: LocalAws = {
    journal,
    async handle(request, signal) {
      const admin = adminRoute(request, journal);
      if (admin) return admin;
      const requestId = uuid(world.random);
      const target = pickService(served, request);
      if (!target) return unserved(request, names, requestId);
      return recorded(journal, ground, target, requestId, () =>
        answerPage(target, request, requestId, () => answerCall(ground, target, request, requestId, signal)),
      );
    },
    listen: (how = {}) =>
      listen((request, signal) => front.handle(request, signal), {
        ...how,
        bodyLimit: (head) => bodyLimit(pickService(served, head)),
        tooLarge: (head) => tooLarge(head, uuid(world.random)),
        now: () => world.clock.now(),
        onFault: (error) => onFault(error, "http"),
      }),
  };
  return front;
}

async function recorded(
  journal: CallJournal,
  { clock }: CallGround,
  { service }: ServedService,
  requestId: string,
  answer: () => Promise<Answered>,
): Promise<WireResponse> {
  const time = clock.now();
  const started = clock.monotonic();
  const { response, code, call, lost } = await answer();
  journal.add({
    time,
    requestId,
    account: call?.account ?? "",
    region: call?.region ?? "",
    service: service.name,
    operation: call?.operation ?? "",
    code,
    status: response.status,
    milliseconds: clock.monotonic() - started,
    resource: call && resourceHint(call.input),
  });
  if (lost) throw new ConnectionLost();
  return response;
}
