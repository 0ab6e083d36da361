import type { s3 } from "@gatewright/aws";
import type { Json } from "@gatewright/kube";
import type { SectionOf } from "../bucket-spec.ts";
import { compact, sorted } from "./compact.ts";

/** Rules as S3 takes them. */
export function corsToAws(rules: SectionOf<"corsRules">): readonly s3.CORSRule[] {
  return rules.map((rule) => ({
    ID: rule.id,
    AllowedOrigins: rule.allowedOrigins,
    AllowedMethods: rule.allowedMethods,
    AllowedHeaders: rule.allowedHeaders,
    ExposeHeaders: rule.exposeHeaders,
    MaxAgeSeconds: rule.maxAgeSeconds,
  }));
}

/** Rules as specs say them. Their order counts; that of what is in them does not. */
export function corsToSpec(rules: readonly s3.CORSRule[]): Json {
  return rules.map((rule) =>
    compact({
      id: rule.ID,
      allowedOrigins: sorted(rule.AllowedOrigins),
      allowedMethods: sorted(rule.AllowedMethods),
      allowedHeaders: sorted(rule.AllowedHeaders),
      exposeHeaders: sorted(rule.ExposeHeaders),
      maxAgeSeconds: rule.MaxAgeSeconds,
    }),
  );
}
