import type { Operations, SslPolicy } from "@gatewright/aws-wire/types/elbv2";
import { AwsError } from "../aws-error.ts";
import type { Handlers } from "../service.ts";
import { page } from "./page.ts";

const MODERN = ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"];
const GCM = ["128-GCM-SHA256", "256-GCM-SHA384"].flatMap((mode) => [`ECDHE-ECDSA-AES${mode}`, `ECDHE-RSA-AES${mode}`]);
const CBC = ["128-SHA256", "256-SHA384"].flatMap((mode) => [`ECDHE-ECDSA-AES${mode}`, `ECDHE-RSA-AES${mode}`]);
const SHA1 = ["128-SHA", "256-SHA"].flatMap((mode) => [`ECDHE-ECDSA-AES${mode}`, `ECDHE-RSA-AES${mode}`]);
const RSA = ["AES128-GCM-SHA256", "AES128-SHA256", "AES256-GCM-SHA384", "AES256-SHA256"];
const RSA_SHA1 = ["AES128-SHA", "AES256-SHA"];

const TLS13 = ["TLSv1.3"];
const TLS12 = ["TLSv1.2"];
const SINCE_TLS11 = ["TLSv1.1", "TLSv1.2"];
const SINCE_TLS10 = ["TLSv1", "TLSv1.1", "TLSv1.2"];
const up = (protocols: readonly string[]): readonly string[] => [...protocols, ...TLS13];

/** What an HTTPS listener has when nothing is said. */
export const DEFAULT_SSL_POLICY = "ELBSecurityPolicy-2016-08";

const POLICIES: ReadonlyMap<string, readonly [protocols: readonly string[], ciphers: readonly string[]]> = new Map([
  ["ELBSecurityPolicy-TLS13-1-3-2021-06", [TLS13, MODERN]],
  ["ELBSecurityPolicy-TLS13-1-2-2021-06", [up(TLS12), [...MODERN, ...GCM, ...CBC]]],
  ["ELBSecurityPolicy-TLS13-1-2-Res-2021-06", [up(TLS12), [...MODERN, ...GCM]]],
  ["ELBSecurityPolicy-TLS13-1-2-Ext1-2021-06", [up(TLS12), [...MODERN, ...GCM, ...CBC, ...RSA]]],
  ["ELBSecurityPolicy-TLS13-1-2-Ext2-2021-06", [up(TLS12), [...MODERN, ...GCM, ...CBC, ...SHA1, ...RSA, ...RSA_SHA1]]],
  ["ELBSecurityPolicy-TLS13-1-1-2021-06", [up(SINCE_TLS11), [...MODERN, ...GCM, ...CBC, ...SHA1, ...RSA, ...RSA_SHA1]]],
  ["ELBSecurityPolicy-TLS13-1-0-2021-06", [up(SINCE_TLS10), [...MODERN, ...GCM, ...CBC, ...SHA1, ...RSA, ...RSA_SHA1]]],
  ["ELBSecurityPolicy-TLS13-1-3-PQ-2025-09", [TLS13, MODERN]],
  ["ELBSecurityPolicy-TLS13-1-2-PQ-2025-09", [up(TLS12), [...MODERN, ...GCM, ...CBC]]],
  ["ELBSecurityPolicy-TLS13-1-2-Res-PQ-2025-09", [up(TLS12), [...MODERN, ...GCM]]],
  [DEFAULT_SSL_POLICY, [SINCE_TLS10, [...GCM, ...CBC, ...SHA1, ...RSA, ...RSA_SHA1]]],
  ["ELBSecurityPolicy-TLS-1-2-2017-01", [TLS12, [...GCM, ...CBC, ...RSA]]],
  ["ELBSecurityPolicy-TLS-1-2-Ext-2018-06", [TLS12, [...GCM, ...CBC, ...SHA1, ...RSA, ...RSA_SHA1]]],
  ["ELBSecurityPolicy-TLS-1-1-2017-01", [SINCE_TLS11, [...GCM, ...CBC, ...SHA1, ...RSA, ...RSA_SHA1]]],
  ["ELBSecurityPolicy-2015-05", [SINCE_TLS10, [...GCM, ...CBC, ...SHA1, ...RSA, ...RSA_SHA1]]],
  ["ELBSecurityPolicy-FS-2018-06", [SINCE_TLS10, [...GCM, ...CBC, ...SHA1]]],
  ["ELBSecurityPolicy-FS-1-1-2019-08", [SINCE_TLS11, [...GCM, ...CBC, ...SHA1]]],
  ["ELBSecurityPolicy-FS-1-2-2019-08", [TLS12, [...GCM, ...CBC, ...SHA1]]],
  ["ELBSecurityPolicy-FS-1-2-Res-2019-08", [TLS12, [...GCM, ...CBC]]],
  ["ELBSecurityPolicy-FS-1-2-Res-2020-10", [TLS12, GCM]],
]);

/** Refuses a policy that does not exist. */
export function checkSslPolicy(name: string): void {
  if (!POLICIES.has(name)) throw new AwsError("SSLPolicyNotFound", `SSL policy '${name}' not found`);
}

/** The least version of TLS that a policy lets in. Here never below 1.2. */
export function leastTls(name: string | undefined): "TLSv1.2" | "TLSv1.3" {
  const protocols = name === undefined ? undefined : POLICIES.get(name)?.[0];
  return protocols?.length === 1 && protocols[0] === "TLSv1.3" ? "TLSv1.3" : "TLSv1.2";
}

/** Tells the security policies. */
export function sslPolicyOperations(): Handlers<Pick<Operations, "DescribeSSLPolicies">> {
  return {
    DescribeSSLPolicies(input) {
      for (const name of input.Names ?? []) checkSslPolicy(name);
      const wanted = [...POLICIES.keys()].filter((name) => input.Names?.includes(name) ?? true);
      const { items, nextMarker } = page(wanted, (name) => name, input);
      return { SslPolicies: items.map(shape), ...(nextMarker !== undefined && { NextMarker: nextMarker }) };
    },
  };
}

function shape(name: string): SslPolicy {
  const [protocols, ciphers] = POLICIES.get(name) ?? [[], []];
  return {
    Name: name,
    SslProtocols: protocols,
    Ciphers: ciphers.map((cipher, index) => ({ Name: cipher, Priority: index + 1 })),
    SupportedLoadBalancerTypes: ["application", "network"],
  };
}
