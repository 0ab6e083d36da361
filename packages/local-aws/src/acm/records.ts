/** What stands between the request and the certificate, or what came of it. Time-outs and expiry are computed, not stored. */
export type Phase =
  /** `validated`: when each name was found to be the requester's, in the order of the names; null while it is not. */
  | { readonly is: "pending"; readonly validated: readonly (number | null)[] }
  | { readonly is: "issued"; readonly at: number; readonly facts: IssuedFacts }
  | { readonly is: "failed"; readonly at: number; readonly reason: string };

/** What is told of a certificate that exists as X.509. */
export interface IssuedFacts {
  /** `0a:1b:…`, lower case. */
  readonly serial: string;
  readonly subject: string;
  readonly issuer: string;
  readonly notBefore: number;
  readonly notAfter: number;
  readonly signatureAlgorithm: string;
  readonly keyUsages: readonly string[];
  readonly extendedKeyUsages: readonly { readonly name: string; readonly oid: string }[];
}

/** How far a renewal is. It begins before the expiry, or when somebody asks. */
export interface Renewal {
  readonly status: "PENDING_AUTO_RENEWAL" | "PENDING_VALIDATION" | "SUCCESS" | "FAILED";
  readonly updatedAt: number;
  /** Whether each name was found when it was looked for last, in the order of the names. */
  readonly found: readonly boolean[];
}

export type CertificateType = "AMAZON_ISSUED" | "IMPORTED" | "PRIVATE";
export type ValidationMethod = "DNS" | "EMAIL";

/** A certificate as it is told of; its key is kept apart. */
export interface CertificateRecord {
  readonly arn: string;
  readonly type: CertificateType;
  readonly createdAt: number;
  /** Lower case, the first is the domain name of the certificate. */
  readonly names: readonly string[];
  readonly keyAlgorithm: string;
  /** Undefined for those that nobody has to validate. */
  readonly validation?: {
    readonly method: ValidationMethod;
    /** Where mails go, by name, where that is not the name itself. */
    readonly domains: readonly (readonly [name: string, validationDomain: string])[];
  };
  readonly authorityArn?: string;
  readonly transparencyLogging: string;
  readonly export: string;
  readonly exported: boolean;
  readonly managedBy?: string;
  readonly phase: Phase;
  readonly renewal?: Renewal;
  readonly tags: readonly (readonly [key: string, value: string])[];
}

/** PEM texts of a certificate that was issued or imported. */
export interface Material {
  readonly certificate: string;
  /** What vouches for it; empty when nothing was given with an import. */
  readonly chain: string;
  readonly key: string;
}
