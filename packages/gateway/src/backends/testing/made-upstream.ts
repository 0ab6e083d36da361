import type { Answer } from "../../exchange/answer.ts";
import type { Upstream, UpstreamExchange, UpstreamRequest } from "../../upstream/upstream.ts";
import type { EndpointTarget } from "../connect.ts";

/** A request that a made upstream was sent. The test answers it, or lets it fail. */
export interface SentRequest {
  readonly request: UpstreamRequest;
  readonly target: EndpointTarget;
  answer(answer: Answer): void;
  fail(error: Error): void;
  /** What it was cancelled with. */
  readonly cancelled: Error | undefined;
}

/** Endpoints of a test: what was sent to them, in order, and what they answer by themselves if they do. */
export class MadeUpstreams {
  readonly sent: SentRequest[] = [];
  /** Made, by address. */
  readonly made = new Map<string, Upstream & { closed: boolean }>();
  onSend: ((sent: SentRequest) => void) | undefined;

  readonly connect = (target: EndpointTarget): Upstream => {
    const { sent } = this;
    const react = (one: SentRequest): void => this.onSend?.(one);
    const upstream = {
      active: 0,
      connections: 0,
      closed: false,
      send(request: UpstreamRequest): UpstreamExchange {
        const { promise, resolve, reject } = Promise.withResolvers<Answer>();
        upstream.active++;
        let open = true;
        const end = (): boolean => {
          if (open) upstream.active--;
          const was = open;
          open = false;
          return was;
        };
        const one = {
          request,
          target,
          cancelled: undefined as Error | undefined,
          answer: (answer: Answer) => void (end() && resolve(answer)),
          fail: (error: Error) => void (end() && reject(error)),
        };
        sent.push(one);
        react(one);
        return {
          answer: promise,
          cancel(error) {
            one.cancelled ??= error;
            if (end()) reject(error);
          },
        };
      },
      close() {
        upstream.closed = true;
      },
    };
    this.made.set(`${target.host}:${target.port}`, upstream);
    return upstream;
  };
}
