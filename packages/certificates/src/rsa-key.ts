import { generateKeyPair } from "node:crypto";
import type { KeyObject } from "node:crypto";

/** A fresh RSA key of 2048 bits. Its primes come from the machine's own randomness: no other can be given. */
export function createRsaKey(): Promise<KeyObject> {
  return new Promise((resolve, reject) => {
    generateKeyPair("rsa", { modulusLength: 2048 }, (error, _publicKey, privateKey) => {
      if (error === null) resolve(privateKey);
      else reject(error);
    });
  });
}
