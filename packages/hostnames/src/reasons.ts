/** Why a condition is as it is: what stands in conditions and events, and what a person can do. */
export interface Reason {
  readonly reason: string;
  /** What to do about it; empty where there is nothing to do but wait. */
  readonly remedy: string;
}

/** Every reason of requests and claims. The documentation's table is made from it. */
export const REASONS = {
  Serving: { reason: "Serving", remedy: "" },
  Claimed: { reason: "Claimed", remedy: "" },
  ClaimedByAnother: {
    reason: "ClaimedByAnother",
    remedy: "Choose another hostname, or ask its holder to give it up; this request is tried again when it is free.",
  },
  OverlapsAnother: {
    reason: "OverlapsAnother",
    remedy:
      "A wildcard and a name that it covers belong to one namespace. Choose another hostname, or ask the holder; this request is tried again when it is free.",
  },
  ValidationFailed: { reason: "ValidationFailed", remedy: "Write the hostname as the message says." },
  DomainNotAllowed: {
    reason: "DomainNotAllowed",
    remedy: "Choose a hostname in a domain that the message names, or ask the platform to allow this one.",
  },
  ZoneNotFound: {
    reason: "ZoneNotFound",
    remedy: "Write the id of a hosted zone of the account in zoneId. Looked for again every few minutes.",
  },
  HostnameNotInZone: {
    reason: "HostnameNotInZone",
    remedy: "Write the zone that the hostname is in, or a hostname in this zone.",
  },
  PrivateZone: {
    reason: "PrivateZone",
    remedy:
      "Public certificates are validated by public records. Use the public zone of the domain, or name a certificate that is there in certificate.arn.",
  },
  ZoneLookupFailed: {
    reason: "ZoneLookupFailed",
    remedy: "Tried again by itself. If it stays, look at the operator's rights to route53:GetHostedZone.",
  },
  NamespaceTerminating: { reason: "NamespaceTerminating", remedy: "Nothing is claimed in a namespace that goes." },
  Claiming: { reason: "Claiming", remedy: "" },
  Updating: { reason: "Updating", remedy: "" },
  ReleasingFirst: {
    reason: "ReleasingFirst",
    remedy: "Wait: the same hostname, as it was asked for before, is given up first.",
  },
  Deleting: { reason: "Deleting", remedy: "" },
  DeletionHeld: {
    reason: "DeletionHeld",
    remedy:
      "Unusually many hostnames are being deleted at once. If that is meant, annotate the edge namespace with gateway.opendi.com/allow-deletions-until and a time such as 2030-01-31T12:00:00Z.",
  },
  Expired: { reason: "Expired", remedy: "The request's ttl is over. Make it anew, with a longer ttl or none." },
  Attached: { reason: "Attached", remedy: "" },
  WaitingForGateway: {
    reason: "WaitingForGateway",
    remedy: "Wait: load balancers take a few minutes. If it stays, look whether the AWS Load Balancer Controller runs.",
  },
  GatewayNotProgrammed: {
    reason: "GatewayNotProgrammed",
    remedy:
      "The load balancer controller does not do what the Gateway asks for. Look at the Gateway's conditions and events in the edge namespace.",
  },
  OwnerMissing: {
    reason: "OwnerMissing",
    remedy: "The request of this claim is gone, so nothing is made for it. The claim goes by itself.",
  },
  LookingForCertificate: { reason: "LookingForCertificate", remedy: "" },
  Gathering: { reason: "Gathering", remedy: "" },
  Requesting: { reason: "Requesting", remedy: "" },
  Requested: { reason: "Requested", remedy: "" },
  CertificateRefused: {
    reason: "CertificateRefused",
    remedy:
      "ACM does not take the request: mostly a quota of the account, which Service Quotas can raise. Tried again every few minutes.",
  },
  CertificateUnusable: {
    reason: "CertificateUnusable",
    remedy: "Name an issued certificate that covers the hostname in certificate.arn, or leave arn out.",
  },
  CertificateMissing: {
    reason: "CertificateMissing",
    remedy: "Somebody deleted the certificate. Name another in certificate.arn, or let drift be repaired.",
  },
  CertificateFailed: {
    reason: "CertificateFailed",
    remedy:
      "ACM gave the certificate up for what the message says. Mend that; it is requested again after a while, a few times.",
  },
  HostnameTooLong: {
    reason: "HostnameTooLong",
    remedy:
      "A certificate's first name has 64 characters at most. Choose the strategy Wildcard below a short domain, or name a certificate in certificate.arn.",
  },
  PendingValidationRecords: { reason: "PendingValidationRecords", remedy: "" },
  RecordsCreated: { reason: "RecordsCreated", remedy: "" },
  PendingChange: { reason: "PendingChange", remedy: "" },
  RecordConflict: {
    reason: "RecordConflict",
    remedy: "Remove the record that is in the zone, or set dns.adopt to let it be replaced.",
  },
  RecordRefused: {
    reason: "RecordRefused",
    remedy: "Route 53 does not take the record for what the message says, often another record of the same name.",
  },
  RecordDrifted: {
    reason: "RecordDrifted",
    remedy: "Somebody else changed or removed a record. Put it back, or let drift be repaired.",
  },
  DriftRepaired: { reason: "DriftRepaired", remedy: "Find out who changes records of hostnames by hand." },
  PendingIssuance: { reason: "PendingIssuance", remedy: "" },
  ValidationSlow: {
    reason: "ValidationSlow",
    remedy:
      "ACM must see the CNAME in public DNS: the zone must be the one that the domain is delegated to, and CAA records must allow amazon.com.",
  },
  Issued: { reason: "Issued", remedy: "" },
  NoGatewayFits: {
    reason: "NoGatewayFits",
    remedy: "Change gatewaySelector to labels that a Gateway of the pool has, or can be given.",
  },
  LoadBalancerUnknown: {
    reason: "LoadBalancerUnknown",
    remedy: "The load balancer's name tells no known region. Look at the address in the Gateway's status.",
  },
  Created: { reason: "Created", remedy: "" },
  AwsCallFailed: {
    reason: "AwsCallFailed",
    remedy: "Tried again by itself. If it stays, look at the operator's rights for the call that the message names.",
  },
} as const satisfies Readonly<Record<string, Reason>>;
