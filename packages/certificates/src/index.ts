export { createAuthority, loadAuthority } from "./authority.ts";
export type { Authority, AuthorityRequest, KeyPair, LeafRequest, Validity } from "./authority.ts";
export { certificateFacts, isIssuedBy, isPair } from "./certificate-facts.ts";
export type { CertificateFacts } from "./certificate-facts.ts";
export { createEllipticKey } from "./elliptic-key.ts";
export type { AlternativeNames, Side } from "./extensions.ts";
export { canonicalHost } from "./ip-octets.ts";
export { certificatesIn } from "./pem.ts";
export type { Subject } from "./subject.ts";
