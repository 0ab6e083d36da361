const UNTRUSTED: ReadonlySet<string> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** A failed connection in the words of kube-apiserver, which people search for. Unknown ones keep Node's own text. */
export function goNetworkError(
  error: unknown,
  dialled: { readonly hostname: string; readonly port: number },
  url: URL,
): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? error.code : undefined;
  const address = `${dialled.hostname.includes(":") ? `[${dialled.hostname}]` : dialled.hostname}:${dialled.port}`;
  switch (code) {
    case "ECONNREFUSED":
      return `dial tcp ${address}: connect: connection refused`;
    case "EHOSTUNREACH":
      return `dial tcp ${address}: connect: no route to host`;
    case "ENETUNREACH":
      return `dial tcp ${address}: connect: network is unreachable`;
    case "ETIMEDOUT":
      return `dial tcp ${address}: i/o timeout`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `dial tcp: lookup ${dialled.hostname}: no such host`;
    case "ECONNRESET":
      return "EOF";
    case "CERT_HAS_EXPIRED":
    case "CERT_NOT_YET_VALID":
      return "tls: failed to verify certificate: x509: certificate has expired or is not yet valid";
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return `tls: failed to verify certificate: x509: certificate is not valid for ${url.hostname}`;
    default:
      return typeof code === "string" && UNTRUSTED.has(code)
        ? "tls: failed to verify certificate: x509: certificate signed by unknown authority"
        : error.message;
  }
}
