/** What services tell each other. Each is given by one service and taken by others, so that none imports another. */

/** A record as DNS would answer it. */
export interface DnsAnswer {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly value: string;
}

/** Public DNS as the zones have it; given by Route 53, taken by ACM and by the DNS server. */
export interface PublicDns {
  /** Answers for a name and type, aliases and CNAMEs followed within the zones. Empty when there is none. */
  lookup(name: string, type: string): readonly DnsAnswer[];
}

/** A certificate with its key, as a TLS server needs it. PEM. */
export interface ServingCertificate {
  readonly arn: string;
  /** Leaf first, then what vouches for it. */
  readonly chain: string;
  readonly key: string;
  readonly names: readonly string[];
  /** Whether its time is over. */
  readonly ended: boolean;
}

/** Given by ACM, taken by load balancers. */
export interface Certificates {
  /** Undefined unless it is issued and valid now. */
  serving(arn: string): ServingCertificate | undefined;
  /** The same after its time, too: load balancers go on showing what they have. */
  shown(arn: string): ServingCertificate | undefined;
  /** Whether the ARN names a certificate, in whatever state. */
  exists(arn: string): boolean;
}

/** Who uses a certificate; given by load balancers, taken by ACM for InUseBy and for refusing deletion. */
export interface CertificateUse {
  /** ARNs of load balancers with a listener that has the certificate. */
  usersOf(certificateArn: string): readonly string[];
}

/** Where the names of load balancers lead; given by ELBv2, taken by Route 53's aliases and the DNS server. */
export interface LoadBalancerNames {
  /** Addresses behind the DNS name of a load balancer; undefined when there is no such name. */
  addressesOf(
    dnsName: string,
  ):
    | { readonly canonicalZoneId: string; readonly ipv4: readonly string[]; readonly ipv6: readonly string[] }
    | undefined;
}

/** Credentials that STS gave out; taken by the check of signatures. */
export interface IssuedCredentials {
  find(accessKeyId: string):
    | {
        readonly secretAccessKey: string;
        readonly sessionToken: string;
        readonly expires: number;
        readonly account: string;
        readonly arn: string;
        readonly userId: string;
      }
    | undefined;
}

/** Resources of a service by ARN, for the tagging API. */
export interface TaggedResources {
  list(account: string, region: string): Iterable<{ readonly arn: string; readonly tags: ReadonlyMap<string, string> }>;
  /** False when it is not a resource of this service. */
  tag(arn: string, tags: ReadonlyMap<string, string>): Promise<boolean>;
  untag(arn: string, keys: readonly string[]): Promise<boolean>;
}

/** Where a subnet is. */
export interface SubnetFacts {
  readonly id: string;
  readonly zone: string;
  readonly vpcId: string;
}

/** Networks of an account in a region; given by EC2, taken by those who put something into subnets. */
export interface Networks {
  subnet(account: string, region: string, id: string): SubnetFacts | undefined;
  /** Those of the default VPC, one for each zone; empty when it was deleted. */
  defaultSubnets(account: string, region: string): readonly SubnetFacts[];
  securityGroup(account: string, region: string, id: string): { readonly vpcId: string } | undefined;
  /** The one that a VPC was made with. */
  defaultSecurityGroup(account: string, region: string, vpcId: string): string | undefined;
}

/** A message that a service puts into a queue for somebody. */
export interface QueueMessage {
  readonly body: string;
  readonly attributes?: Readonly<
    Record<
      string,
      {
        readonly DataType: string;
        readonly StringValue?: string | undefined;
        readonly BinaryValue?: Uint8Array | undefined;
      }
    >
  >;
  readonly group?: string;
  readonly deduplication?: string;
}

/** Queues as other services reach them; given by SQS, taken by SNS. */
export interface QueueInlets {
  /**
   * Puts a message into a queue on behalf of a resource of a service, such as a topic of `sns.amazonaws.com`. As on AWS the queue's
   * policy has to let it in.
   */
  send(
    queueArn: string,
    message: QueueMessage,
    sender: { readonly service: string; readonly sourceArn: string; readonly sourceAccount: string },
  ): Promise<"sent" | "no such queue" | "not allowed" | "not accepted">;
}
