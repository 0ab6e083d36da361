import { certificateFacts } from "@gatewright/certificates";
import type { KeyPair } from "@gatewright/certificates";
import { formatTime } from "@gatewright/kube";

/** What is wrong with serving by this certificate now; undefined when nothing is. */
export function servingProblem(pair: KeyPair | undefined, listening: boolean, now: number): string | undefined {
  if (pair === undefined) return "there is no certificate yet";
  const { notBefore, notAfter } = certificateFacts(pair.certificate);
  if (now < notBefore) return `the certificate holds from ${formatTime(notBefore)} on`;
  if (now > notAfter) return `the certificate ended at ${formatTime(notAfter)}`;
  return listening ? undefined : "it does not listen";
}
