import type { Cause } from "../chain.ts";
import { link } from "../link.ts";
import type { Hop, Trial } from "../probes.ts";

const TITLES: Readonly<Record<Hop["step"], string>> = {
  resolve: "DNS",
  connect: "Connection",
  tls: "TLS",
  request: "Answer",
};

/** What a request from outside met, hop by hop. A hop that failed is the last. */
export function outsideLinks({ url, hops }: Trial): readonly Cause[] {
  const next = [{ text: "See each step of a request.", command: `gatewright try ${url}` }];
  return hops.map(({ step, ok, detail, reason }) =>
    link({ title: TITLES[step], state: ok ? "ok" : "broken", reason, message: detail, also: next }),
  );
}
