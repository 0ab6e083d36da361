/** A difference from moto that was looked at: ours is as AWS has it, or it does not matter here. */
export interface Known {
  /** The places that it is about. */
  readonly at: RegExp;
  readonly reason: string;
  /** It comes and goes. */
  readonly sometimes?: true;
}

export const KNOWN: readonly Known[] = [
  {
    at: /^sts\.identity ok\.(?:UserId|Arn)$/,
    reason: "moto makes up a user for everybody; the key of a laptop is its account's root",
  },
  { at: /^sts\.tooLong$/, reason: "sessions of more than twelve hours are refused by AWS; moto gives them" },
  { at: /^sqs\.attributes ok\.Attributes\.RedrivePolicy$/, reason: "AWS writes JSON without blanks" },
  { at: /^sqs\.otherAttributes message$/, reason: "AWS names the attribute that is not the same" },
  { at: /^sqs\.listed ok\.QueueUrls\.\d$/, reason: "neither order is promised; ours is that of the names" },
  {
    at: /^route53\.made ok\.DelegationSet\.(?:Id|CallerReference)$/,
    reason: "only a set that was made to be reused has an id and a reference of its own",
  },
  { at: /^route53\.sameReference$/, reason: "a reference makes one zone; moto makes another" },
  { at: /^route53\.createdTwice$/, reason: "CREATE of a set that exists is refused; moto adds a second one" },
  {
    at: /^route53\.deletedOther$/,
    reason: "the set must be the same, and AWS says that it is not by InvalidChangeBatch",
  },
  { at: /^route53\.(?:outside|notEmpty) message$/, reason: "AWS's own words, and names that end with a dot" },
  {
    at: /^route53\.(?:records|onePage) ok\.ResourceRecordSets\.[01]\.ResourceRecords\.\d\.Value$/,
    reason: "names of servers end with a dot in a zone, and moto writes its SOA as a Python value",
  },
  { at: /^route53\.records ok\.ResourceRecordSets\.2\.Name$/, reason: "AWS tells the asterisk of a wildcard as \\052" },
  {
    at: /^route53\.(?:records ok\.ResourceRecordSets\.5|byName ok\.HostedZones\.(?:1|0\.ResourceRecordSetCount$))/,
    reason: "the second zone and the second set that moto should have refused",
  },
  { at: /^route53\.byName ok\.(?:IsTruncated|MaxItems)$/, reason: "AWS always tells them; moto only in pages" },
  {
    at: /^acm\.described ok\.Certificate\.(?:SubjectAlternativeNames|DomainValidationOptions)\./,
    reason: "the certificate's own name comes first; moto has them in any order",
    sometimes: true,
  },
  { at: /^acm\.\w+ ok\..*\bKeyAlgorithm$/, reason: "requests say RSA_2048, and AWS answers RSA-2048" },
  { at: /^acm\.described ok\.Certificate\.SignatureAlgorithm$/, reason: "Amazon signs with SHA-256" },
  {
    at: /^acm\.\w+ ok\..*\b(?:Serial|Issuer|IssuedAt|NotBefore|NotAfter)$/,
    reason: "a certificate that is not issued has none of these; moto has issued it at once",
  },
  {
    at: /^acm\.\w+ ok\..*\b(?:KeyUsages|ExtendedKeyUsages|ExportOption|Export|HasAdditional\w+|SubjectAlternativeNameSummaries\.\d)$/,
    reason: "moto leaves it out",
  },
  { at: /^acm\.notIssued$/, reason: "there is no certificate before it is issued; moto gives one" },
  { at: /^acm\.badName$/, reason: "AWS takes no name that is none; moto does" },
  { at: /^acm\.gone message$/, reason: "AWS's own words" },
  {
    at: /^s3\.\w+ ok\.(?:.*\.)?(?:BucketArn|ChecksumType|ChecksumAlgorithm\.0|ServerSideEncryption)$/,
    reason: "newer than moto: all objects are encrypted and have a checksum, and AWS tells",
  },
  {
    at: /^s3\.versions ok\..*\.Owner\.(?:ID|DisplayName)$/,
    reason: "each account has an id of its own; AWS gives display names no more",
  },
  {
    at: /^s3\.listed ok\.CommonPrefixes\.0\.Prefix$/,
    reason: "nothing but a delete marker is under the prefix, so there is none; moto counts markers",
  },
  { at: /^s3\.encryption$/, reason: "every bucket has had encryption since 2023; moto knows of none" },
  { at: /^s3\.notEmpty message$/, reason: "AWS says of a versioned bucket that versions must go, too" },
  { at: /^elb\.sameName$/, reason: "a name stands for one load balancer; moto makes a second one of another type" },
  { at: /^elb\.noCertificate$/, reason: "a listener for HTTPS needs a certificate; moto takes it without" },
  { at: /^elb\.gone$/, reason: "the second load balancer that moto should have refused" },
  { at: /^rds\.undecided$/, reason: "a last snapshot is asked for unless it is declined; moto deletes at once" },
  { at: /^rds\.deleted$/, reason: "moto deleted it before" },
  { at: /^ec2\.groupInUse$/, reason: "the group of an instance cannot be deleted; moto deletes it" },
  { at: /^ec2\.groupRemoved$/, reason: "moto deleted it before" },
  { at: /^ec2\.noId$/, reason: "what does not look like an id is malformed; moto only looks for it" },
  { at: /^ec2\.dryRun$/, reason: "a dry run makes nothing; moto makes the VPC" },
];
