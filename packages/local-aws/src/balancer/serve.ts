import type { AwsWorld } from "../world.ts";
import { addedHeaders, listenerAttribute } from "../elbv2/listener-attributes.ts";
import { berthPort } from "../elbv2/berth.ts";
import type { Addressing } from "../elbv2/berth.ts";
import type { RuleRecord } from "../elbv2/records.ts";
import type { ElbStore } from "../elbv2/store.ts";
import type { AccessEntry } from "./access-entry.ts";
import { askedUrl } from "./asked-url.ts";
import type { Asked } from "./asked-url.ts";
import { forwardRequest } from "./forward.ts";
import type { Forwarding } from "./forward.ts";
import { routingAction } from "./listener-views.ts";
import type { ListenerView } from "./listener-views.ts";
import type { AnswerHead, Header, Inbound } from "./message.ts";
import { answerOurselves } from "./own-answer.ts";
import { redirectLocation } from "./redirect-location.ts";

export interface Serving {
  readonly world: Pick<AwsWorld, "clock" | "random">;
  readonly store: ElbStore;
  readonly addressing: Addressing;
  readonly forwarding: Forwarding;
  readonly onRequest: (entry: AccessEntry) => void;
}

const LONGEST_TARGET = 16_384;
const LONGEST_HEADER = 16_384;

/** Answers one request: by its rules, from a target or by ourselves. Never throws; the answer has ended when it resolves. */
export async function serveRequest(serving: Serving, view: ListenerView, inbound: Inbound): Promise<void> {
  const { head, peer } = inbound;
  const facts: { status: number; rule?: RuleRecord; more?: Partial<AccessEntry> } = { status: 0 };
  const told = withListenerHeaders(inbound, view, (status) => {
    facts.status = status;
  });
  const asked = askedUrl(head, peer);
  try {
    facts.more = await decide(serving, view, told, asked, facts);
  } catch (error) {
    // An answer that cannot be written as it is. The client must not wait for it.
    inbound.abort();
    facts.more = { problem: (error as Error).message };
  }
  serving.onRequest({
    at: serving.world.clock.now(),
    loadBalancer: view.loadBalancer.arn,
    listener: view.listener.arn,
    client: peer.address,
    method: head.method,
    host: asked?.host ?? "",
    path: asked?.path ?? "",
    status: facts.status === 0 ? 460 : facts.status,
    ...(facts.rule !== undefined && { rule: facts.rule.arn }),
    ...facts.more,
  });
}

async function decide(
  serving: Serving,
  view: ListenerView,
  inbound: Inbound,
  asked: Asked | undefined,
  facts: { rule?: RuleRecord },
): Promise<Partial<AccessEntry>> {
  const { target, headers } = inbound.head;
  if (target.length > LONGEST_TARGET) {
    answerOurselves(inbound, 414);
    return { problem: "the target is too long" };
  }
  if (asked === undefined || headers.some(([name, value]) => name.length + value.length > LONGEST_HEADER)) {
    answerOurselves(inbound, 400);
    return { problem: "the request is malformed" };
  }
  const rule = view.route(asked);
  if (rule !== undefined) facts.rule = rule;
  return await act(serving, view, inbound, asked, rule);
}

async function act(
  serving: Serving,
  view: ListenerView,
  inbound: Inbound,
  asked: Asked,
  rule: RuleRecord | undefined,
): Promise<Partial<AccessEntry>> {
  const action = rule && routingAction(rule);
  switch (action?.Type) {
    case "fixed-response": {
      const { StatusCode = "503", MessageBody = "", ContentType = "text/plain" } = action.FixedResponseConfig ?? {};
      answerOurselves(inbound, Number(StatusCode), { body: MessageBody, contentType: `${ContentType}; charset=utf-8` });
      return {};
    }
    case "redirect": {
      const config = action.RedirectConfig;
      if (config === undefined) break;
      answerOurselves(inbound, config.StatusCode === "HTTP_301" ? 301 : 302, {
        headers: [["Location", locationFor(serving, view, inbound, asked, config)]],
      });
      return {};
    }
    case "forward":
      return await forwardRequest(serving.forwarding, view, action, inbound);
    default:
  }
  answerOurselves(inbound, 503);
  return { problem: "no rule routes" };
}

/**
 * AWS names the listener's port. A client that came by the port which stands for it on this machine is sent to such a port again,
 * so that redirects from HTTP to HTTPS lead somewhere.
 */
function locationFor(
  { addressing }: Serving,
  { listener, loadBalancer }: ListenerView,
  inbound: Inbound,
  asked: Asked,
  config: Parameters<typeof redirectLocation>[0],
): string {
  const onMachine = (port: number): number => berthPort(loadBalancer.berth, port, addressing);
  const direct = asked.port !== undefined && asked.port !== listener.port && asked.port === onMachine(listener.port);
  return redirectLocation(
    config,
    {
      protocol: inbound.peer.tls === undefined ? "http" : "https",
      host: asked.host,
      port: listener.port,
      path: asked.path,
      query: asked.query,
    },
    (port) => (direct ? onMachine(port) : port),
  );
}

/** The same request, whose answers get what the listener adds to all of them. */
export function withListenerHeaders(
  inbound: Inbound,
  { listener }: ListenerView,
  answered: (status: number) => void,
): Inbound {
  const hideServer = listenerAttribute(listener, "routing.http.response.server.enabled") === "false";
  const added = addedHeaders(listener);
  return {
    ...inbound,
    answer(head, trailers) {
      answered(head.status);
      return inbound.answer({ ...head, headers: complete(head, added, hideServer) }, trailers);
    },
  };
}

function complete({ headers }: AnswerHead, added: readonly Header[], hideServer: boolean): readonly Header[] {
  if (added.length === 0 && !hideServer) return headers;
  const kept = headers.filter(
    ([name, value]) => !(hideServer && name.toLowerCase() === "server" && value.startsWith("awselb/")),
  );
  const present = new Set(kept.map(([name]) => name.toLowerCase()));
  return [...kept, ...added.filter(([name]) => !present.has(name))];
}
