import type { Answer } from "../exchange/answer.ts";
import { localAnswer } from "../exchange/local-answer.ts";
import type { Call } from "../pipeline/call.ts";
import type { Filter } from "../pipeline/filter.ts";
import type { Around } from "./around.ts";
import { certificateNames, nameRule } from "./certificate-names.ts";
import { clientAuthority } from "./client-authority.ts";
import type { ClientAuthorityAround } from "./client-authority.ts";
import { closedFilter } from "./closed-filter.ts";

/** What `spec.tls` demands of requests. Which certificate is shown, and which versions are spoken, is the listener's. */
export interface RouteTlsSpec {
  readonly sniHosts?: readonly string[] | undefined;
  readonly clientValidation?:
    | {
        readonly enabled?: boolean | undefined;
        readonly caFile?: string | undefined;
        /** Only `false` lets clients without a certificate pass. */
        readonly requireClientCert?: boolean | undefined;
        readonly allowedCNs?: readonly string[] | undefined;
        readonly allowedSANs?: readonly string[] | undefined;
      }
    | undefined;
}

type ClientValidationAround = ClientAuthorityAround & Pick<Around, "clock">;

/**
 * Refuses requests that came by the wrong name (421: the client shall connect anew) or without the certificate that the route demands
 * (403). A certificate has to be issued by `caFile`, to have one of `allowedCNs` where there are any, and one of `allowedSANs` where
 * there are any. Without anything to demand there is no filter.
 */
export function clientValidationFilter(spec: RouteTlsSpec, around: ClientValidationAround): Filter | undefined {
  const serverName = nameRule(spec.sniHosts?.map((name) => name.toLowerCase()));
  const { clientValidation: validation } = spec;
  const demand = validation?.enabled === true ? certificateDemand(validation, around) : undefined;
  if (demand === "closed") return closedFilter("tls");
  if (serverName === undefined && demand === undefined) return undefined;
  return {
    name: "tls",
    request(call) {
      const { tls } = call.client;
      if (serverName !== undefined && tls !== undefined && !serverName(tls.serverName?.toLowerCase() ?? ""))
        return localAnswer(421, "misdirected", "this connection was made for another name");
      return demand?.(call);
    },
  };
}

function certificateDemand(
  validation: NonNullable<RouteTlsSpec["clientValidation"]>,
  around: ClientValidationAround,
): ((call: Call) => Answer | undefined) | "closed" {
  const authority = clientAuthority(validation.caFile ?? "", "spec.tls.clientValidation.caFile", around);
  if (authority === undefined) return "closed";
  const byCommonName = nameRule(validation.allowedCNs);
  const byAlternative = nameRule(validation.allowedSANs);
  const optional = validation.requireClientCert === false;
  return (call) => {
    const certificate = call.client.tls?.certificate;
    if (certificate === undefined) return optional ? undefined : refused("a client certificate is needed");
    const names = certificateNames(certificate);
    const allowed =
      authority.issued(certificate, around.clock.now()) &&
      (byCommonName === undefined || names.commonNames.some(byCommonName)) &&
      (byAlternative === undefined || names.alternatives.some(({ value }) => byAlternative(value)));
    return allowed ? undefined : refused("this client certificate is not allowed here");
  };
}

function refused(message: string): Answer {
  return localAnswer(403, "client_certificate", message);
}
