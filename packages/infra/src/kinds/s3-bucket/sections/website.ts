import type { s3 } from "@gatewright/aws";
import type { Json } from "@gatewright/kube";
import type { SectionOf } from "../bucket-spec.ts";
import { compact } from "./compact.ts";

/** A site as S3 takes it. */
export function websiteToAws(site: SectionOf<"website">): s3.WebsiteConfiguration {
  const { indexDocument, errorDocument, redirectAllRequestsTo: all, routingRules } = site;
  return {
    ...(indexDocument !== undefined && { IndexDocument: { Suffix: indexDocument } }),
    ...(errorDocument !== undefined && { ErrorDocument: { Key: errorDocument } }),
    ...(all && { RedirectAllRequestsTo: { HostName: all.hostName, Protocol: all.protocol } }),
    ...(routingRules && {
      RoutingRules: routingRules.map(({ condition, redirect }) => ({
        ...(condition && {
          Condition: {
            HttpErrorCodeReturnedEquals: condition.httpErrorCodeReturnedEquals,
            KeyPrefixEquals: condition.keyPrefixEquals,
          },
        }),
        Redirect: {
          HostName: redirect.hostName,
          HttpRedirectCode: redirect.httpRedirectCode,
          Protocol: redirect.protocol,
          ReplaceKeyPrefixWith: redirect.replaceKeyPrefixWith,
          ReplaceKeyWith: redirect.replaceKeyWith,
        },
      })),
    }),
  };
}

/** A site as specs say it. */
export function websiteToSpec(site: s3.WebsiteConfiguration): Json {
  const { RedirectAllRequestsTo: all, RoutingRules: rules = [] } = site;
  return compact({
    indexDocument: site.IndexDocument?.Suffix,
    errorDocument: site.ErrorDocument?.Key,
    redirectAllRequestsTo: compact({ hostName: all?.HostName, protocol: all?.Protocol }),
    routingRules: rules.map(({ Condition: condition, Redirect: redirect }) =>
      compact({
        condition: compact({
          httpErrorCodeReturnedEquals: condition?.HttpErrorCodeReturnedEquals,
          keyPrefixEquals: condition?.KeyPrefixEquals,
        }),
        redirect: compact({
          hostName: redirect.HostName,
          httpRedirectCode: redirect.HttpRedirectCode,
          protocol: redirect.Protocol,
          replaceKeyPrefixWith: redirect.ReplaceKeyPrefixWith,
          replaceKeyWith: redirect.ReplaceKeyWith,
        }),
      }),
    ),
  });
}
