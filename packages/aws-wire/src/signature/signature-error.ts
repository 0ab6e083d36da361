/** Why a signature was refused. What each service calls it is its own business. */
export type SignatureFault =
  /** There is no signature at all. */
  | { readonly kind: "missing" }
  /** It is of version 2, which no region that is younger than ten years takes. */
  | { readonly kind: "old version" }
  /** A part of it is missing or has not the right form. */
  | { readonly kind: "incomplete"; readonly what: string; readonly presigned: boolean }
  | { readonly kind: "unknown key"; readonly accessKeyId: string }
  | { readonly kind: "wrong token" }
  | { readonly kind: "token expired" }
  | { readonly kind: "mismatch"; readonly accessKeyId: string }
  /** Signed too long ago, or ahead of time: both moments in milliseconds. */
  | { readonly kind: "skewed"; readonly signed: number; readonly now: number }
  | { readonly kind: "presigned expired"; readonly expired: number; readonly now: number }
  | { readonly kind: "unsigned headers"; readonly names: readonly string[] }
  /** The body is another one than its digest says. */
  | { readonly kind: "wrong body"; readonly claimed: string; readonly computed: string }
  /** The chunks of a body that is sent in signed pieces are not what they should be. */
  | { readonly kind: "wrong chunks"; readonly what: string };

/** A request whose signature does not prove who sent it. */
export class SignatureError extends Error {
  readonly fault: SignatureFault;

  constructor(fault: SignatureFault) {
    super(`the signature is refused: ${fault.kind}`);
    this.name = "SignatureError";
    this.fault = fault;
  }
}
