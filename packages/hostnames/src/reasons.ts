/** Why a condition is as it is: what stands in conditions and events, and what a person can do. */
export interface Reason {
  readonly reason: string;
  /** Conditions that it stands in, of requests or claims; `event` where it is told once. */
  readonly on: readonly string[];
  readonly means: string;
  /** What to do about it; empty where there is nothing to do but wait. */
  readonly remedy: string;
}

/** Every reason of requests and claims. The documentation's table is made from it, and alerts name them. */
export const REASONS = {
  Serving: { reason: "Serving", on: ["Ready"], means: "The hostname answers over HTTPS.", remedy: "" },
  RenewalFails: {
    reason: "RenewalFails",
    on: ["Ready"],
    means: "The hostname answers over HTTPS, but ACM cannot renew its certificate, which will end.",
    remedy:
      "The message says why. Mostly a validation record is gone, which is put back when it is seen, or a CAA record of the domain keeps Amazon out.",
  },
  Claimed: { reason: "Claimed", on: ["Claimed"], means: "The hostname belongs to this request.", remedy: "" },
  ClaimedByAnother: {
    reason: "ClaimedByAnother",
    on: ["Claimed", "Ready", "Denied"],
    means: "Another request holds this very name; the message says which.",
    remedy: "Choose another hostname, or ask its holder to give it up; this request is tried again when it is free.",
  },
  OverlapsAnother: {
    reason: "OverlapsAnother",
    on: ["Claimed", "Ready", "Denied"],
    means: "Another namespace holds a wildcard above the name, or a name below the wildcard, at any depth.",
    remedy:
      "A wildcard and all names below it belong to one namespace, since load balancers let it stand for any number of labels. Choose another hostname, or ask the holder; this request is tried again when it is free.",
  },
  ValidationFailed: {
    reason: "ValidationFailed",
    on: ["Claimed", "Ready", "Denied"],
    means: "The hostname is malformed.",
    remedy: "Write the hostname as the message says.",
  },
  DomainNotAllowed: {
    reason: "DomainNotAllowed",
    on: ["Claimed", "Ready", "Denied"],
    means: "The hostname is in none of the domains that the platform allows.",
    remedy: "Choose a hostname in a domain that the message names, or ask the platform to allow this one.",
  },
  ZoneNotFound: {
    reason: "ZoneNotFound",
    on: ["Claimed", "CertificateRequested", "Ready", "Denied"],
    means: "The account has no hosted zone with this id.",
    remedy: "Write the id of a hosted zone of the account in zoneId. Looked for again every few minutes.",
  },
  HostnameNotInZone: {
    reason: "HostnameNotInZone",
    on: ["Claimed", "Ready", "Denied"],
    means: "The hosted zone is that of another domain.",
    remedy: "Write the zone that the hostname is in, or a hostname in this zone.",
  },
  PrivateZone: {
    reason: "PrivateZone",
    on: ["Claimed", "CertificateRequested", "Ready", "Denied"],
    means: "The hosted zone is private, where ACM sees no records.",
    remedy:
      "Public certificates are validated by public records. Use the public zone of the domain, or name a certificate that is there in certificate.arn.",
  },
  ZoneLookupFailed: {
    reason: "ZoneLookupFailed",
    on: ["Claimed", "CertificateRequested", "Ready"],
    means: "Route 53 did not say what the zone is.",
    remedy: "Tried again by itself. If it stays, look at the operator's rights to route53:GetHostedZone.",
  },
  NamespaceTerminating: {
    reason: "NamespaceTerminating",
    on: ["Claimed", "Ready", "Denied"],
    means: "The request's namespace is being deleted.",
    remedy: "Nothing is claimed in a namespace that goes.",
  },
  Claiming: {
    reason: "Claiming",
    on: ["Claimed", "Ready"],
    means: "The claim is being made, and it is looked for others that overlap.",
    remedy: "",
  },
  Updating: {
    reason: "Updating",
    on: ["Ready"],
    means: "The spec has changed, and what it asks for now is on its way.",
    remedy: "",
  },
  ReleasingFirst: {
    reason: "ReleasingFirst",
    on: ["Claimed", "Ready"],
    means: "An earlier claim on the same name, in another zone, has to go first.",
    remedy: "Wait: the same hostname, as it was asked for before, is given up first.",
  },
  Deleting: {
    reason: "Deleting",
    on: ["Ready"],
    means: "What was made is being removed, in order; the message says which part.",
    remedy: "",
  },
  DeletionHeld: {
    reason: "DeletionHeld",
    on: ["Ready"],
    means: "The brake: so many hostnames are being deleted that a person has to agree.",
    remedy:
      "Unusually many hostnames are being deleted at once. If that is meant, annotate the edge namespace with gateway.opendi.com/allow-deletions-until and a time such as 2030-01-31T12:00:00Z.",
  },
  Expired: {
    reason: "Expired",
    on: ["event"],
    means: "The request was deleted because its time was over.",
    remedy: "The request's ttl is over. Make it anew, with a longer ttl or none.",
  },
  Attached: {
    reason: "Attached",
    on: ["ListenerAttached"],
    means: "The load balancer has a listener for the hostname, with its certificate.",
    remedy: "",
  },
  WaitingForGateway: {
    reason: "WaitingForGateway",
    on: ["ListenerAttached", "Ready"],
    means: "The Gateway, its load balancer or its newest certificates are not there yet.",
    remedy: "Wait: load balancers take a few minutes. If it stays, look whether the AWS Load Balancer Controller runs.",
  },
  GatewayNotProgrammed: {
    reason: "GatewayNotProgrammed",
    on: ["ListenerAttached", "Ready"],
    means: "The Gateway or the listener has a condition that says no; the message repeats it.",
    remedy:
      "The load balancer controller does not do what the Gateway asks for. Look at the Gateway's conditions and events in the edge namespace.",
  },
  OwnerMissing: {
    reason: "OwnerMissing",
    on: ["Claimed", "Denied"],
    means: "A claim whose request is gone.",
    remedy: "The request of this claim is gone, so nothing is made for it. The claim goes by itself.",
  },
  LookingForCertificate: {
    reason: "LookingForCertificate",
    on: ["CertificateRequested", "DnsValidated"],
    means: "It is not known yet which certificates the account has, or how this one is.",
    remedy: "",
  },
  Gathering: {
    reason: "Gathering",
    on: ["CertificateRequested"],
    means: "Names that need a certificate at the same time are gathered, so that they share one.",
    remedy: "",
  },
  Requesting: {
    reason: "Requesting",
    on: ["CertificateRequested"],
    means: "ACM is being asked for the certificate.",
    remedy: "",
  },
  Requested: {
    reason: "Requested",
    on: ["CertificateRequested"],
    means: "There is a certificate for the hostname, or one was requested.",
    remedy: "",
  },
  CertificateRefused: {
    reason: "CertificateRefused",
    on: ["CertificateRequested", "Ready"],
    means: "ACM refused the request.",
    remedy:
      "ACM does not take the request: mostly a quota of the account, which Service Quotas can raise. Tried again every few minutes.",
  },
  CertificateUnusable: {
    reason: "CertificateUnusable",
    on: ["CertificateRequested", "Ready"],
    means: "The certificate in certificate.arn is not there, not issued, or does not cover the hostname.",
    remedy: "Name an issued certificate that covers the hostname in certificate.arn, or leave arn out.",
  },
  CertificateMissing: {
    reason: "CertificateMissing",
    on: ["CertificateRequested", "Ready"],
    means: "The certificate has been deleted.",
    remedy: "Somebody deleted the certificate. Name another in certificate.arn, or let drift be repaired.",
  },
  CertificateFailed: {
    reason: "CertificateFailed",
    on: ["CertificateIssued", "Ready"],
    means: "ACM gave up on the certificate.",
    remedy:
      "ACM gave the certificate up for what the message says. Mend that; it is requested again after a while, a few times.",
  },
  HostnameTooLong: {
    reason: "HostnameTooLong",
    on: ["CertificateRequested", "Ready", "Denied"],
    means: "No name of the certificate is short enough to be its first.",
    remedy:
      "A certificate's first name has 64 characters at most. Choose the strategy Wildcard below a short domain, or name a certificate in certificate.arn.",
  },
  PendingValidationRecords: {
    reason: "PendingValidationRecords",
    on: ["DnsValidated"],
    means: "ACM has not told yet which record it wants.",
    remedy: "",
  },
  RecordsCreated: {
    reason: "RecordsCreated",
    on: ["DnsValidated"],
    means: "The validation record is in the zone.",
    remedy: "",
  },
  PendingChange: {
    reason: "PendingChange",
    on: ["DnsValidated", "DnsAliasReady", "Ready"],
    means: "Route 53 is taking the change to all of its name servers.",
    remedy: "",
  },
  RecordConflict: {
    reason: "RecordConflict",
    on: ["DnsValidated", "DnsAliasReady", "Ready"],
    means: "The zone has another record there, which is not touched.",
    remedy: "Remove the record that is in the zone, or set dns.adopt to let it be replaced.",
  },
  RecordRefused: {
    reason: "RecordRefused",
    on: ["DnsValidated", "DnsAliasReady", "Ready"],
    means: "Route 53 refused the record.",
    remedy: "Route 53 does not take the record for what the message says, often another record of the same name.",
  },
  RecordDrifted: {
    reason: "RecordDrifted",
    on: ["DnsValidated", "DnsAliasReady", "Ready"],
    means: "A record is not as it was left, and the settings say that drift is only reported.",
    remedy: "Somebody else changed or removed a record. Put it back, or let drift be repaired.",
  },
  DriftRepaired: {
    reason: "DriftRepaired",
    on: ["event"],
    means: "Something that somebody else changed or removed was put back.",
    remedy: "Find out who changes by hand what the operator keeps.",
  },
  DriftFound: {
    reason: "DriftFound",
    on: ["event"],
    means:
      "An object of a Gateway was changed or deleted by somebody else, and the settings say that drift is only reported.",
    remedy: "Put it back, or let drift be repaired.",
  },
  PendingIssuance: {
    reason: "PendingIssuance",
    on: ["CertificateIssued"],
    means: "ACM is validating the name.",
    remedy: "",
  },
  ValidationSlow: {
    reason: "ValidationSlow",
    on: ["CertificateIssued", "Ready"],
    means: "ACM has been validating for more than ten minutes; the message names the record and what public DNS says.",
    remedy:
      "ACM must see the CNAME in public DNS: the zone must be the one that the domain is delegated to, and CAA records must allow amazon.com.",
  },
  Issued: { reason: "Issued", on: ["CertificateIssued"], means: "The certificate is issued.", remedy: "" },
  NoGatewayFits: {
    reason: "NoGatewayFits",
    on: ["ListenerAttached", "Ready"],
    means: "No Gateway can have the labels that gatewaySelector asks for.",
    remedy: "Change gatewaySelector to labels that a Gateway of the pool has, or can be given.",
  },
  WarmingUp: {
    reason: "WarmingUp",
    on: ["DnsAliasReady"],
    means:
      "The hostname moves: its new Gateway has it, and gets time to find its targets healthy before DNS leads there.",
    remedy: "",
  },
  LoadBalancerUnknown: {
    reason: "LoadBalancerUnknown",
    on: ["ListenerAttached", "Ready"],
    means: "It is not known which hosted zone alias records of the load balancer name.",
    remedy: "The load balancer's name tells no known region. Look at the address in the Gateway's status.",
  },
  Created: {
    reason: "Created",
    on: ["DnsAliasReady"],
    means: "The records lead to the load balancer, everywhere.",
    remedy: "",
  },
  AwsCallFailed: {
    reason: "AwsCallFailed",
    on: ["CertificateRequested", "DnsValidated", "DnsAliasReady", "Ready"],
    means: "A call to AWS failed; the message says which, and why.",
    remedy: "Tried again by itself. If it stays, look at the operator's rights for the call that the message names.",
  },
} as const satisfies Readonly<Record<string, Reason>>;

/** They name what to do if they stay, and are on the way of every hostname. */
const PASSING: ReadonlySet<string> = new Set([REASONS.WaitingForGateway.reason, REASONS.ReleasingFirst.reason]);

/** Whether a person may have to do something about it, which is worth a warning: what only takes its time is not. */
export function isTrouble(reason: string): boolean {
  const known = Object.hasOwn(REASONS, reason) ? (REASONS as Readonly<Record<string, Reason>>)[reason] : undefined;
  return known !== undefined && known.remedy !== "" && !PASSING.has(reason);
}
