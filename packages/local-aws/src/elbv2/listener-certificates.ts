import type { Certificate, Operations } from "@gatewright/aws-wire/types/elbv2";
import { AwsError } from "../aws-error.ts";
import type { Handlers } from "../service.ts";
import { checkCertificate, holdCertificateLimit } from "./certificate-limits.ts";
import type { Ground } from "./ground.ts";
import { page } from "./page.ts";
import type { ListenerRecord } from "./records.ts";
import { invalid } from "./refusals.ts";

type Names = "AddListenerCertificates" | "RemoveListenerCertificates" | "DescribeListenerCertificates";

/** The certificates of a listener besides its default one. One a call, as AWS takes them. */
export function listenerCertificateOperations(ground: Ground): Handlers<Pick<Operations, Names>> {
  const { store } = ground;
  return {
    async AddListenerCertificates(input, context) {
      const listener = secure(store.listener(context, input.ListenerArn));
      const arn = single(input.Certificates);
      checkCertificate(ground, arn);
      const next = {
        ...listener,
        extraCertificates: [...listener.extraCertificates.filter((other) => other !== arn), arn],
      };
      holdCertificateLimit(ground, store.loadBalancer(context, listener.loadBalancer), next);
      await store.commit((commit) => commit.put(store.listeners, listener.arn, next));
      return { Certificates: [{ CertificateArn: arn, IsDefault: false }] };
    },

    async RemoveListenerCertificates(input, context) {
      const listener = secure(store.listener(context, input.ListenerArn));
      const arn = single(input.Certificates);
      if (!listener.extraCertificates.includes(arn)) {
        if (listener.certificate === arn) {
          throw new AwsError(
            "OperationNotPermitted",
            `The default certificate '${arn}' of a listener cannot be removed`,
          );
        }
        // Taking away what is not there is no error on AWS.
        return {};
      }
      const next = { ...listener, extraCertificates: listener.extraCertificates.filter((other) => other !== arn) };
      await store.commit((commit) => commit.put(store.listeners, listener.arn, next));
      return {};
    },

    DescribeListenerCertificates(input, context) {
      const listener = store.listener(context, input.ListenerArn);
      const all: readonly Certificate[] = [
        ...(listener.certificate === undefined ? [] : [{ CertificateArn: listener.certificate, IsDefault: true }]),
        ...listener.extraCertificates.map((CertificateArn) => ({ CertificateArn, IsDefault: false })),
      ];
      const { items, nextMarker } = page(
        all,
        ({ CertificateArn = "", IsDefault }) => `${IsDefault === true ? 0 : 1}|${CertificateArn}`,
        input,
      );
      return { Certificates: items, ...(nextMarker !== undefined && { NextMarker: nextMarker }) };
    },
  };
}

function secure(listener: ListenerRecord): ListenerRecord {
  if (listener.certificate === undefined) {
    throw new AwsError("OperationNotPermitted", `A listener with protocol '${listener.protocol}' has no certificates`);
  }
  return listener;
}

function single(certificates: readonly Certificate[]): string {
  const [first] = certificates;
  if (certificates.length !== 1 || first?.CertificateArn === undefined) {
    throw invalid("You must specify exactly one certificate");
  }
  if (first.IsDefault !== undefined) throw invalid("IsDefault cannot be specified for a certificate");
  return first.CertificateArn;
}
