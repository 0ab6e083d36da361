import type { GatewayModel, ListenerModel } from "../model/model.ts";
import type { AwsListener } from "./aws-stack.ts";
import { planRules } from "./plan-rules.ts";
import { changedAttributes } from "./same.ts";
import type { Step } from "./step.ts";

/** Listeners that nobody wants go first, so that their ports and places are free. */
export function planListeners(
  model: GatewayModel,
  actual: readonly AwsListener[],
  arnOf: (group: string) => string | undefined,
): readonly Step[] {
  const wanted = new Set(model.listeners.map(({ port }) => port));
  return [
    ...actual
      .filter(({ shape }) => !wanted.has(shape.Port ?? 0))
      .map(({ arn }): Step => ({ do: "deleteListener", arn })),
    ...model.listeners.flatMap((listener) => {
      const there = actual.find(({ shape }) => shape.Port === listener.port);
      return [
        ...(there === undefined ? created(listener) : changed(listener, there)),
        ...planRules(listener, there, arnOf),
      ];
    }),
  ];
}

function created(listener: ListenerModel): readonly Step[] {
  const { port, attributes, certificates } = listener;
  return [
    { do: "createListener", listener },
    ...certificates.slice(1).map((certificate): Step => ({ do: "addCertificate", port, certificate })),
    ...(attributes.length > 0 ? [{ do: "setListenerAttributes" as const, port, attributes }] : []),
  ];
}

/**
 * The default certificate first, then those that go, then those that come, one a call. So a listener with as many as it may have
 * can exchange them, and for a moment a hostname may have none.
 */
function changed(listener: ListenerModel, { arn, shape, extraCertificates, attributes }: AwsListener): readonly Step[] {
  const { port, certificates } = listener;
  const [first, ...extra] = certificates;
  const differs =
    shape.Protocol !== listener.protocol ||
    (listener.sslPolicy !== undefined && shape.SslPolicy !== listener.sslPolicy) ||
    (first !== undefined && shape.Certificates?.[0]?.CertificateArn !== first) ||
    (listener.mutualAuthentication !== undefined &&
      shape.MutualAuthentication?.Mode !== listener.mutualAuthentication.Mode);
  const settings = changedAttributes(listener.attributes, attributes);
  return [
    ...(differs ? [{ do: "modifyListener" as const, arn, listener }] : []),
    ...extraCertificates
      .filter((each) => !extra.includes(each))
      .map((certificate): Step => ({ do: "removeCertificate", arn, certificate })),
    ...extra
      .filter((each) => !extraCertificates.includes(each))
      .map((certificate): Step => ({ do: "addCertificate", port, certificate })),
    ...(settings.length > 0 ? [{ do: "setListenerAttributes" as const, port, attributes: settings }] : []),
  ];
}
