import type { CORSRule, ServerSideEncryptionRule, WebsiteConfiguration } from "@gatewright/aws-wire/types/s3";
import { invalidArgument, invalidRequest, malformedXml } from "./refusals.ts";

const ALGORITHMS = ["AES256", "aws:kms", "aws:kms:dsse"];
const METHODS = ["GET", "PUT", "POST", "DELETE", "HEAD"];
const MOST_CORS_RULES = 100;
const MOST_ROUTING_RULES = 50;

/** The rules as they are kept, or a refusal. */
export function checkEncryption(rules: readonly ServerSideEncryptionRule[]): readonly ServerSideEncryptionRule[] {
  const [rule, ...more] = rules;
  if (rule === undefined || more.length > 0) throw malformedXml();
  const {
    ApplyServerSideEncryptionByDefault: byDefault,
    BucketKeyEnabled: bucketKey,
    BlockedEncryptionTypes: blocked,
  } = rule;
  if (byDefault === undefined && bucketKey === undefined && blocked === undefined) throw malformedXml();
  if (byDefault && !ALGORITHMS.includes(byDefault.SSEAlgorithm)) throw malformedXml();
  if (byDefault?.SSEAlgorithm === "AES256" && byDefault.KMSMasterKeyID !== undefined) {
    throw invalidArgument(
      "a KMSMasterKeyID is not applicable if the default sse algorithm is not aws:kms or aws:kms:dsse",
    );
  }
  return [
    {
      ApplyServerSideEncryptionByDefault: byDefault ?? { SSEAlgorithm: "AES256" },
      BucketKeyEnabled: bucketKey ?? false,
      ...(blocked && { BlockedEncryptionTypes: blocked }),
    },
  ];
}

export function checkCors(rules: readonly CORSRule[]): readonly CORSRule[] {
  if (rules.length === 0 || rules.length > MOST_CORS_RULES) throw malformedXml();
  for (const { AllowedMethods: methods, AllowedOrigins: origins, AllowedHeaders: headers = [], ID: id = "" } of rules) {
    if (methods.length === 0 || origins.length === 0 || id.length > 255) throw malformedXml();
    for (const method of methods) {
      if (!METHODS.includes(method)) {
        throw invalidRequest(`Found unsupported HTTP method in CORS config. Unsupported method is ${method}`);
      }
    }
    for (const [what, values] of [
      ["AllowedOrigin", origins],
      ["AllowedHeader", headers],
    ] as const) {
      const bad = values.find((value) => value.split("*").length > 2);
      if (bad !== undefined) throw invalidRequest(`${what} "${bad}" can not have more than one wildcard.`);
    }
  }
  return rules;
}

export function checkWebsite(website: WebsiteConfiguration): WebsiteConfiguration {
  const {
    RedirectAllRequestsTo: redirect,
    IndexDocument: index,
    ErrorDocument: error,
    RoutingRules: rules = [],
  } = website;
  if (redirect) {
    if (index || error || rules.length > 0) {
      throw invalidRequest("RedirectAllRequestsTo cannot be provided in conjunction with other Routing Rules.");
    }
    if (redirect.Protocol !== undefined && !/^https?$/.test(redirect.Protocol)) throw malformedXml();
    return website;
  }
  if (index === undefined) {
    throw invalidArgument(
      "A value for IndexDocument Suffix must be provided if RedirectAllRequestsTo is empty",
      "IndexDocument",
      "null",
    );
  }
  if (index.Suffix === "" || index.Suffix.includes("/"))
    throw invalidArgument("The IndexDocument Suffix is not well formed", "IndexDocument", index.Suffix);
  if (rules.length > MOST_ROUTING_RULES) {
    throw invalidRequest(
      `${rules.length} routing rules provided, the number of routing rules in a website configuration is limited to 50.`,
    );
  }
  for (const { Redirect: target } of rules) {
    if (target.ReplaceKeyWith !== undefined && target.ReplaceKeyPrefixWith !== undefined) {
      throw invalidRequest("You can only define ReplaceKeyPrefix or ReplaceKey but not both.");
    }
    const code = target.HttpRedirectCode;
    if (code !== undefined && !/^3(0[1-578])$/.test(code)) {
      throw invalidRequest(`The provided HTTP redirect code (${code}) is not valid. Valid codes are 3XX except 300.`);
    }
  }
  return website;
}
