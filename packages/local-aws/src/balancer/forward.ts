import { pipeline } from "node:stream/promises";
import type { Action } from "@gatewright/aws-wire/types/elbv2";
import { loadBalancerAttribute } from "../elbv2/load-balancer-attributes.ts";
import type { TargetGroupRecord, TargetRecord } from "../elbv2/records.ts";
import type { ElbStore } from "../elbv2/store.ts";
import type { AwsWorld } from "../world.ts";
import type { AccessEntry } from "./access-entry.ts";
import { forwardedHeaders } from "./forwarded-headers.ts";
import { idleTimeout } from "./listener-views.ts";
import type { ListenerView } from "./listener-views.ts";
import type { Header, Inbound, RequestHead, TargetAnswer } from "./message.ts";
import { sendHttp1 } from "./outbound-http1.ts";
import type { Http1Destination, Http1Pool } from "./outbound-http1.ts";
import { sendHttp2 } from "./outbound-http2.ts";
import type { Http2Pool } from "./outbound-http2.ts";
import { answerOurselves } from "./own-answer.ts";
import { cookieValues, isTokenOf, pickGroup } from "./pick-target.ts";
import type { ProbedAt } from "./probe.ts";
import { quietWatch } from "./quiet.ts";
import { stickyCookies } from "./target-choice.ts";
import type { ChosenTarget, TargetChoice } from "./target-choice.ts";
import { TargetError } from "./target-error.ts";

/** What forwarding stands on. */
export interface Forwarding {
  readonly world: Pick<AwsWorld, "clock" | "random">;
  readonly store: ElbStore;
  readonly choice: TargetChoice;
  readonly http1: Http1Pool;
  readonly http2: Http2Pool;
  readonly addressOf: (group: TargetGroupRecord, target: TargetRecord) => ProbedAt | undefined;
}

/** Where a request goes, decided. */
export interface Destination {
  readonly group: TargetGroupRecord;
  readonly chosen: ChosenTarget;
  readonly to: Http1Destination;
  readonly head: RequestHead;
  /** What the answer gets so that the client comes back to the same group and target. */
  readonly cookies: readonly Header[];
}

/** Decides where a request goes. Throws a `TargetError` when it can go nowhere. */
export function decideDestination(
  forwarding: Forwarding,
  view: ListenerView,
  action: Action,
  inbound: Pick<Inbound, "head" | "peer">,
): Destination {
  const { store, world, choice } = forwarding;
  const now = world.clock.now();
  const config = action.ForwardConfig ?? {};
  const sticky = config.TargetGroupStickinessConfig;
  const seconds = sticky?.Enabled === true ? (sticky.DurationSeconds ?? 3600) : 0;
  const tokens = seconds > 0 ? cookieValues(inbound.head.headers, "AWSALBTG") : [];
  const bound = config.TargetGroups?.find(
    ({ TargetGroupArn: arn = "", Weight = 1 }) =>
      Weight > 0 && tokens.some((token) => isTokenOf(token, arn, now, seconds)),
  )?.TargetGroupArn;
  const arn = bound ?? pickGroup(config, world.random);
  const group = arn === undefined ? undefined : store.groups.get(arn);
  if (group === undefined) throw new TargetError(503, "no target group has a weight");
  const chosen = choice.choose(group, inbound.head.headers);
  if (chosen === undefined) throw new TargetError(503, "the target group has no targets");
  const at = forwarding.addressOf(group, chosen.target);
  if (at === undefined) {
    chosen.done();
    throw new TargetError(502, "no address is known for the target");
  }
  const setting = (key: string): string => loadBalancerAttribute(view.loadBalancer, `routing.http.${key}`);
  return {
    group,
    chosen,
    to: { ...at, secure: group.settings.Protocol === "HTTPS" },
    head: {
      ...inbound.head,
      headers: forwardedHeaders(inbound.head, inbound.peer, {
        listenerPort: view.listener.port,
        xffMode: setting("xff_header_processing.mode"),
        xffPort: setting("xff_client_port.enabled") === "true",
        tlsHeaders: setting("x_amzn_tls_version_and_cipher_suite.enabled") === "true",
        dropInvalid: setting("drop_invalid_header_fields.enabled") === "true",
        ...world,
      }),
    },
    cookies: [...(seconds > 0 ? stickyCookies("AWSALBTG", group.arn, now, seconds) : []), ...chosen.cookies],
  };
}

/** Forwards a request and brings the answer back. Gives what the access log says of it. */
export async function forwardRequest(
  forwarding: Forwarding,
  view: ListenerView,
  action: Action,
  inbound: Inbound,
): Promise<Partial<AccessEntry>> {
  let destination: Destination;
  try {
    destination = decideDestination(forwarding, view, action, inbound);
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    answerOurselves(inbound, error.status);
    return { problem: error.message };
  }
  const { group, chosen, to } = destination;
  const entry = { group: group.arn, target: `${to.host}:${to.port}` };
  try {
    return { ...entry, ...(await exchange(forwarding, view, destination, inbound)) };
  } finally {
    chosen.done();
  }
}

async function exchange(
  forwarding: Forwarding,
  view: ListenerView,
  { group, to, head, cookies }: Destination,
  inbound: Inbound,
): Promise<Partial<AccessEntry>> {
  const stop = new AbortController();
  let slow = false;
  using quiet = quietWatch(forwarding.world.clock, idleTimeout(view), () => {
    slow = true;
    stop.abort();
  });
  const leave = (): void => stop.abort();
  if (inbound.gone.aborted) leave();
  inbound.gone.addEventListener("abort", leave, { once: true });
  inbound.body.on("data", quiet.touch);
  if (!inbound.hasBody) inbound.body.resume();
  else inbound.body.pause();
  let answer: TargetAnswer;
  try {
    const version = group.settings.ProtocolVersion;
    answer =
      version === "GRPC" || version === "HTTP2"
        ? await sendHttp2(forwarding.http2, to, head, inbound, stop.signal)
        : await sendHttp1(forwarding.http1, to, head, inbound, stop.signal);
  } catch (error) {
    inbound.gone.removeEventListener("abort", leave);
    if (inbound.gone.aborted) return { problem: "the client left" };
    const failure =
      error instanceof TargetError ? error : new TargetError(502, "the target could not be asked", { cause: error });
    answerOurselves(inbound, slow ? 504 : failure.status);
    return { problem: slow ? "the target was silent for too long" : failure.message };
  }
  try {
    return await bringBack(answer, cookies, inbound, quiet.touch);
  } finally {
    inbound.gone.removeEventListener("abort", leave);
    if (!inbound.body.readableEnded) inbound.body.resume();
  }
}

/** Brings an answer back, whole or visibly broken off. Gives what the access log says of it; never throws. */
export async function bringBack(
  answer: TargetAnswer,
  cookies: readonly Header[],
  inbound: Inbound,
  touched: () => void,
): Promise<Partial<AccessEntry>> {
  const targetStatus = answer.head.status;
  try {
    await pass(answer, cookies, inbound, touched);
    return { targetStatus };
  } catch {
    // One of the two ends broke off, or the answer was none that can be passed on: the client must not wait for more.
    inbound.abort();
    answer.body.destroy();
    return { targetStatus, problem: "the answer broke off" };
  }
}

async function pass(
  answer: TargetAnswer,
  cookies: readonly Header[],
  inbound: Inbound,
  touched: () => void,
): Promise<void> {
  const head = { ...answer.head, headers: [...answer.head.headers, ...cookies] };
  if (head.empty) {
    answer.body.on("error", () => {}); // The answer is complete; how its stream ends is nobody's concern.
    answer.body.resume();
    inbound.answer(head).end();
    return;
  }
  answer.body.on("data", touched);
  answer.body.pause();
  await pipeline(answer.body, inbound.answer(head, answer.trailers));
}
