import type { Immutable } from "@gatewright/kube";
import type { Gateway } from "@gatewright/resources";
import type { Cause } from "../chain.ts";
import { conditionLink } from "../link.ts";
import { objectLink } from "./object-link.ts";

/** A Gateway of the Gateway API, and its listeners: of those that say no, or of one hostname only. */
export function gatewayLink(gateway: Immutable<Gateway>, now: number, hostname?: string): Cause {
  const { metadata, spec, status } = gateway;
  const concerned = new Set(
    (spec.listeners ?? [])
      .filter((listener) => hostname === undefined || listener.hostname === hostname)
      .map(({ name }) => name),
  );
  const listeners = (status?.listeners ?? [])
    .filter(({ name }) => concerned.has(name))
    .flatMap(({ name, conditions }) => {
      const failed = conditions.find(({ type, status: held }) => type !== "Conflicted" && held !== "True");
      if (failed === undefined) return [];
      const title = `Listener ${name}`;
      return [
        conditionLink({ title, condition: failed, generation: metadata.generation, words: ["gateway-api"], now }),
      ];
    });
  const accepted = objectLink(gateway, { type: "Accepted", words: ["gateway-api"], now, on: listeners });
  const programmed = objectLink(gateway, { type: "Programmed", words: ["gateway-api"], now, on: listeners });
  return accepted.state === "ok" ? programmed : accepted;
}

/** Where its load balancer is; empty while it has none. */
export function gatewayAddress({ status }: Immutable<Gateway>): string {
  return status?.addresses?.[0]?.value ?? "";
}
