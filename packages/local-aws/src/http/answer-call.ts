import { MalformedError, SignatureError } from "@gatewright/aws-wire";
import type { WireRequest, WireResponse } from "@gatewright/aws-wire";
import type { Clock } from "@gatewright/ports";
import { AwsError } from "../aws-error.ts";
import type { Call } from "../call.ts";
import { ConnectionLost } from "../faults.ts";
import type { Faults } from "../faults.ts";
import type { Limiter } from "../limits/limiter.ts";
import { findViolations } from "../validation/find-violations.ts";
import { authenticate } from "./authenticate.ts";
import type { Authenticated } from "./authenticate.ts";
import type { KeyRing } from "./key-ring.ts";
import { bodyLimit } from "./body-limit.ts";
import type { EarlierAnswers } from "./earlier-answers.ts";
import { encodeRefusal } from "./encode-refusal.ts";
import type { ServedService } from "./served-service.ts";
import { strike } from "./strike.ts";
import { bucketInPath } from "./virtual-host.ts";

/** What every call stands on. */
export interface CallGround {
  readonly clock: Clock;
  readonly keys: KeyRing;
  readonly limiter: Limiter;
  readonly faults: Faults;
  readonly earlier: Pick<EarlierAnswers, "answer">;
  /** Hears of what went wrong on our side, once. */
  readonly onFault: (error: unknown, where: string) => void;
}

/** What became of a request. */
export interface Answered {
  readonly response: WireResponse;
  readonly code: string;
  /** Undefined when it was refused before it was known. */
  readonly call: Call | undefined;
  /** The client shall not get the answer. */
  readonly lost: boolean;
}

const NONE: WireResponse = { status: 0, headers: {}, body: new Uint8Array(0) };

/** Answers one request to one service. Never rejects. */
export async function answerCall(
  ground: CallGround,
  served: ServedService,
  wire: WireRequest,
  requestId: string,
  signal: AbortSignal,
): Promise<Answered> {
  const { codec, model } = served;
  let call: Call | undefined;
  try {
    const who = identify(ground, served, wire);
    const known = (call = decode(served, who));
    const struck = {
      clock: ground.clock,
      dialect: served.dialect,
      caller: who.caller,
      action: `${model.signingName === "tagging" ? "tag" : model.signingName}:${call.operation}`,
      signal,
    };
    if (!ground.limiter.admit(call)) throw served.dialect.throttled();
    const before = await strike(ground.faults.before?.(call), struck);
    const output = await ground.earlier.answer(call, before === "stale", () =>
      perform(served, known, who, requestId, signal),
    );
    const after = await strike(ground.faults.after?.(call), struck);
    const response = codec.encodeResponse(model, call.operation, output, requestId);
    return { response, code: "OK", call, lost: before === "lost" || after === "lost" };
  } catch (error) {
    const gone = signal.aborted && error === signal.reason;
    if (error instanceof ConnectionLost || gone) return { response: NONE, code: "ConnectionLost", call, lost: true };
    const told = inWords(ground, served, error, call?.operation ?? "");
    return { response: encodeRefusal(served, told, requestId), code: told.code, call, lost: false };
  }
}

function identify({ keys, clock }: CallGround, served: ServedService, wire: WireRequest): Authenticated {
  if (wire.body.length > bodyLimit(served)) throw served.dialect.tooLarge();
  const who = authenticate(served, wire, keys, clock.now());
  return served.model.name === "s3" ? { ...who, request: bucketInPath(who.request) } : who;
}

function decode({ service, codec, model, dialect }: ServedService, { caller, region, request }: Authenticated): Call {
  const decoded = codec.decodeRequest(model, request);
  if (!decoded) throw dialect.unknownOperation(namedOperation(request));
  // Of S3, a name in the query makes another operation of a request, which must not be done instead.
  const unserved = decoded.unknownQuery && dialect.unservedQuery?.(decoded.unknownQuery);
  if (unserved) throw unserved;
  const { account, accessKeyId } = caller;
  return { service: service.name, operation: decoded.operation, account, region, accessKeyId, input: decoded.input };
}

function namedOperation({ headers, path, body }: WireRequest): string {
  const target = headers["x-amz-target"]?.split(".")[1];
  const form = new URLSearchParams(Buffer.from(body.subarray(0, 64 * 1024)).toString());
  return (target ?? new URLSearchParams(path.split("?")[1] ?? "").get("Action") ?? form.get("Action") ?? "").slice(
    0,
    128,
  );
}

async function perform(
  { service, model, dialect }: ServedService,
  call: Call,
  { caller }: Authenticated,
  requestId: string,
  signal: AbortSignal,
): Promise<object> {
  const handler = service.operations.get(call.operation);
  if (!handler) throw dialect.unknownOperation(call.operation);
  const [first, ...rest] = findViolations(model, call.operation, call.input);
  if (first) throw dialect.invalid([first, ...rest]);
  return handler(call.input, { caller, account: call.account, region: call.region, requestId, signal });
}

/** What a client is told of an error. What nobody foresaw is told to the log, and to the client only that it was. */
function inWords(
  { onFault }: CallGround,
  { dialect, model }: ServedService,
  error: unknown,
  operation: string,
): AwsError {
  if (error instanceof AwsError) return error;
  if (error instanceof SignatureError) return dialect.badSignature(error.fault);
  if (error instanceof MalformedError) return dialect.malformed(error.message);
  onFault(error, `${model.name}:${operation}`);
  return dialect.internal();
}
