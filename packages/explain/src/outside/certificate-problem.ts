/** What a failed check of a certificate means, by Node's code for it. */
export function certificateProblem(code: string): string {
  switch (code) {
    case "CERT_HAS_EXPIRED":
      return "CertificateExpired";
    case "CERT_NOT_YET_VALID":
      return "CertificateNotYetValid";
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return "CertificateOtherName";
    default:
      return "CertificateNotTrusted";
  }
}
