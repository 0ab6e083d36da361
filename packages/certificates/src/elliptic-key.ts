import { createECDH, createPrivateKey } from "node:crypto";
import type { KeyObject } from "node:crypto";
import type { Random } from "@gatewright/ports";

const ORDER = BigInt("0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551");

/** A fresh P-256 key whose secret is drawn from `random`. */
export function createEllipticKey(random: Random): KeyObject {
  for (;;) {
    const secret = Buffer.from(random.bytes(32));
    const scalar = BigInt(`0x${secret.toString("hex")}`);
    // Fewer than one draw in 2^32 is outside of the range that the curve allows.
    if (scalar === 0n || scalar >= ORDER) continue;
    const ecdh = createECDH("prime256v1");
    ecdh.setPrivateKey(secret);
    const point = ecdh.getPublicKey();
    const coordinate = (from: number): string => point.subarray(from, from + 32).toString("base64url");
    const jwk = { kty: "EC", crv: "P-256", d: secret.toString("base64url"), x: coordinate(1), y: coordinate(33) };
    return createPrivateKey({ key: jwk, format: "jwk" });
  }
}
