import { isIP } from "node:net";
import type { BackendSpec } from "@gatewright/resources";
import {
  CertificateValidationContext_TrustChainVerification,
  SubjectAltNameMatcher_SanType,
  TlsParameters_TlsProtocol,
  UpstreamTlsContextSchema,
} from "@gatewright/gateway-wire/xds";
import type { CommonTlsContextSchema } from "@gatewright/gateway-wire/xds";
import type { BackendDraft } from "../backend-draft.ts";
import { dataSource, FILES_MESSAGE, namesFile } from "../certificates.ts";
import type { CertificatePair } from "../certificates.ts";
import { packed } from "../packed.ts";
import type { Init } from "../packed.ts";

type BackendTlsSpec = NonNullable<BackendSpec["tls"]>;
type Validation = NonNullable<Init<typeof CommonTlsContextSchema>["validationContextType"]>;

const VERSIONS = { TLS12: TlsParameters_TlsProtocol.TLSv1_2, TLS13: TlsParameters_TlsProtocol.TLSv1_3 } as const;

/** Where images of Envoy have them: it has no other word for those of the system. */
const SYSTEM_AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt";

export interface TlsAround {
  readonly addresses: readonly string[];
  readonly http2: boolean;
  /** The certificate that the backend's `authentication` shows. */
  readonly shown: CertificatePair | undefined;
}

/** Encryption on the way to a backend. Whom it trusts is said in any case: Envoy, told nothing, trusts everybody. */
export function backendTls(spec: BackendTlsSpec, { addresses, http2, shown }: TlsAround, draft: BackendDraft): void {
  if (!spec.enabled) return;
  const { certFile = "", keyFile = "", caFile = "", serverName = "" } = spec;
  for (const [field, text] of Object.entries({ certFile, keyFile, caFile }))
    if (namesFile(text)) return draft.close(`tls.${field}`, FILES_MESSAGE);
  if (spec.vault?.enabled === true) draft.lacks("tls.vault", "certificates are in files");
  const isOpen = spec.mode === "INSECURE" || spec.insecureSkipVerify === true;
  const [first = ""] = addresses;
  const name = serverName === "" ? first : serverName;
  if (!isOpen && serverName === "" && new Set(addresses).size > 1)
    return draft.close("tls.serverName", "hosts of several names have to have one in common: write it here");
  const pair = certFile !== "" && keyFile !== "" ? { certFile, keyFile } : shown;
  const context = packed(UpstreamTlsContextSchema, {
    ...(isIP(name) === 0 && { sni: name }),
    commonTlsContext: {
      tlsParams: {
        tlsMinimumProtocolVersion: VERSIONS[spec.minVersion ?? "TLS12"],
        tlsMaximumProtocolVersion: VERSIONS[spec.maxVersion ?? "TLS13"],
        cipherSuites: [...(spec.cipherSuites ?? [])],
      },
      alpnProtocols: [...(spec.alpn ?? [http2 ? "h2" : "http/1.1"])],
      ...(pair !== undefined && {
        tlsCertificates: [{ certificateChain: dataSource(pair.certFile), privateKey: dataSource(pair.keyFile) }],
      }),
      validationContextType: isOpen ? TRUSTING : verified(caFile, name),
    },
  });
  draft.cluster.transportSocket = {
    name: "envoy.transport_sockets.tls",
    configType: { case: "typedConfig", value: context },
  };
}

const TRUSTING: Validation = {
  case: "validationContext",
  value: { trustChainVerification: CertificateValidationContext_TrustChainVerification.ACCEPT_UNTRUSTED },
};

/** A certificate of these authorities, or those of the system, that has the name. */
function verified(caFile: string, name: string): Validation {
  const sanType = isIP(name) === 0 ? SubjectAltNameMatcher_SanType.DNS : SubjectAltNameMatcher_SanType.IP_ADDRESS;
  return {
    case: "validationContext",
    value: {
      trustedCa: dataSource(caFile === "" ? SYSTEM_AUTHORITIES : caFile),
      matchTypedSubjectAltNames: [{ sanType, matcher: { matchPattern: { case: "exact", value: name } } }],
    },
  };
}
