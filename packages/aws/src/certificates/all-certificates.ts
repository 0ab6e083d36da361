import type { ListCertificatesRequest } from "@gatewright/aws-wire/types/acm";

/** Lists them all, in pages as large as can be. Other keys than RSA's smaller ones are only told when they are named. */
export const ALL_CERTIFICATES: ListCertificatesRequest = {
  MaxItems: 1_000,
  Includes: {
    keyTypes: ["RSA_1024", "RSA_2048", "RSA_3072", "RSA_4096", "EC_prime256v1", "EC_secp384r1", "EC_secp521r1"],
  },
};
