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
    at: /^dynamodb\.made ok\..*\b(?:TableId|LastUpdateToPayPerRequestDateTime)$/,
    reason: "every table has an id, and AWS tells since when it is paid by request; moto leaves them out",
  },
  {
    at: /^dynamodb\.\w+ ok\..*\b(?:Local|Global)SecondaryIndexes\b/,
    reason: "a table without indexes has none; moto tells empty lists",
  },
  { at: /^dynamodb\.raised ok\.ConsumedCapacity\b/, reason: "told when it is asked for; moto always tells it" },
  { at: /^sns\.(?:badName|publishedNowhere) message$/, reason: "AWS's own words" },
  { at: /^sns\.attributes ok\./, reason: "moto does not count the subscriptions that are confirmed" },
  { at: /^sns\.noAttribute$/, reason: "AWS takes no attribute that is none; moto does" },
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
  { at: /^elb\.badAttribute$/, reason: "a key that nobody knows is a ValidationError" },
  { at: /^elb\.(?:samePriority|groupInUse) message$/, reason: "AWS's own words" },
  {
    at: /^elb\.(?:made|balancers) ok\.LoadBalancers\.0\.(?:CanonicalHostedZoneId|Scheme|SecurityGroups(?:\.0)?)$/,
    reason:
      "the zone of the region, the default scheme, and the default group of the VPC; moto has an example and nothing",
  },
  {
    at: /^elb\.made ok\.LoadBalancers\.0\.State\.Code$/,
    reason: "ours takes no time here, so that it is active at once",
  },
  {
    at: /^elb\.(?:made|balancers) ok\.LoadBalancers\.0\.AvailabilityZones\.\d\.LoadBalancerAddresses$/,
    reason: "AWS tells an empty list",
  },
  {
    at: /^elb\.(?:made|balancers) ok\.LoadBalancers\.0\.AvailabilityZones\.\d\.ZoneName$/,
    reason: "subnets are listed in no order that is promised, and the tour takes the first two",
    sometimes: true,
  },
  {
    at: /^elb\.group ok\.TargetGroups\.0\.LoadBalancerArns$/,
    reason: "ours tells an empty list where moto tells none",
  },
  {
    at: /^elb\.(?:listener|listeners|rules) ok\..*Actions\.0\.ForwardConfig\./,
    reason: "AWS tells a forward to one group also as one to several, weights and stickiness included",
  },
  {
    at: /^elb\.(?:listener|listeners) ok\.Listeners\.0\.(?:SslPolicy|AlpnPolicy)$/,
    reason: "a listener for HTTP has neither",
  },
  {
    at: /^elb\.(?:ruled|rules) ok\.Rules\.0\.Conditions\.0\.HostHeaderConfig\./,
    reason: "AWS tells values of conditions in the old way and in the new one",
  },
  {
    at: /^elb\.rules ok\.Rules\.1\.RuleArn$/,
    reason: "the id of a rule is 16 hexadecimal digits, the default one's too",
  },
  { at: /^elb\.health ok\.TargetHealthDescriptions\.0\./, reason: "ours looks at the target; moto calls all healthy" },
  {
    at: /^elb\.(?:attributes|groupAttributes) ok\.Attributes\.\w[\w.]*\.(?:Key|Value)$/,
    reason: "AWS tells all attributes of the type with their defaults; moto a few, and some of them of other types",
  },
  { at: /^rds\.undecided$/, reason: "a last snapshot is asked for unless it is declined; moto deletes at once" },
  { at: /^rds\.deleted$/, reason: "moto deleted it before" },
  { at: /^rds\.shrunk$/, reason: "storage only grows; moto lets it shrink" },
  {
    at: /^rds\.\w+ ok\..*\b(?:EngineVersion|LicenseModel|DBParameterGroupName|OptionGroupName|CACertificateIdentifier)$/,
    reason: "PostgreSQL of today; moto's default is that of 2014",
  },
  {
    at: /^rds\.\w+ ok\..*\b(?:PreferredBackupWindow|PreferredMaintenanceWindow)$/,
    reason: "chosen for each instance",
    sometimes: true,
  },
  {
    at: /^rds\.\w+ ok\..*\.DBSubnetGroup\./,
    reason: "without a group of subnets it is the default one, and AWS tells it",
  },
  { at: /^rds\.\w+ ok\..*\.DbInstancePort$/, reason: "AWS tells 0 here and the port with the endpoint" },
  {
    at: /^rds\.modified ok\.DBInstance\.(?:AllocatedStorage|PendingModifiedValues\.AllocatedStorage)$/,
    reason: "a change is pending when it is answered, also one to apply immediately",
  },
  {
    at: /^rds\.\w+ ok\..*\.(?:HostedZoneId|PendingModifiedValues|PubliclyAccessible|DatabaseInsightsMode|PerformanceInsightsEnabled|CustomerOwnedIpEnabled|NetworkType|BackupTarget|DedicatedLogVolume|EngineLifecycleSupport)$/,
    reason: "moto leaves it out",
  },
  {
    at: /^rds\.(?:snapshot|snapshotDetail) ok\..*\.(?:AvailabilityZone|VpcId|PercentProgress|StorageType|ProcessorFeatures|SnapshotTarget)$/,
    reason: "moto leaves it out",
  },
  { at: /^rds\.\w+ ok\..*\.EnabledCloudwatchLogsExports$/, reason: "told once there are some" },
  { at: /^ec2\.groupInUse$/, reason: "the group of an instance cannot be deleted; moto deletes it" },
  { at: /^ec2\.groupRemoved$/, reason: "moto deleted it before" },
  { at: /^ec2\.noId$/, reason: "what does not look like an id is malformed; moto only looks for it" },
  { at: /^ec2\.dryRun$/, reason: "a dry run makes nothing; moto makes the VPC" },
  { at: /^ec2\.openedTwice message$/, reason: "AWS names the rule" },
  { at: /^ec2\.vpc ok\.Vpc\.State$/, reason: "AWS answers pending, and describes it as available" },
  { at: /^ec2\.vpcs? ok\..*\.DhcpOptionsId$/, reason: "new VPCs have the options of the region, which have an id" },
  { at: /^ec2\.vpcs ok\..*\.Ipv6CidrBlockAssociationSet$/, reason: "told of a VPC once there is one" },
  {
    at: /^ec2\.(?:subnets?|made|sameToken|instance) ok\..*\.AvailabilityZoneId$/,
    reason: "which zone has which id differs from account to account",
  },
  {
    at: /^ec2\.opened ok\.SecurityGroupRules\.0\.(?:GroupOwnerId|Tags)$/,
    reason: "AWS tells the owner, and tags once there are some",
  },
  {
    at: /^ec2\.(?:made|sameToken) ok\.Instances\.0\.State\.(?:Code|Name)$/,
    reason: "ours takes no time here, so that it runs at once",
  },
  {
    at: /^ec2\.(?:made|sameToken|instance) ok\..*\b(?:DeviceName|RootDeviceName|Platform|HttpTokens|HttpPutResponseHopLimit)$/,
    reason: "moto's first image is one of Windows, ours is Amazon Linux 2023, which asks for tokens",
  },
  {
    at: /^ec2\.(?:made|sameToken|instance) ok\..*\b(?:EnaSupport|PrivateDnsName|PublicDnsName|CoreCount|ThreadsPerCore|PlatformDetails|UsageOperation|Configured|Enabled|AutoRecovery|InterfaceType)$/,
    reason: "moto leaves it out",
  },
  {
    at: /^ec2\.(?:made|sameToken|instance) ok\..*\b(?:Association|SriovNetSupport|HibernationOptions|StateReason\.(?:Code|Message))$/,
    reason: "moto tells of what is not there: no public address, no old network card, no reason",
  },
  {
    at: /^ec2\.(?:made|sameToken|instance) ok\..*\.NetworkInterfaces\.0\.(?:Attachment\.DeleteOnTermination|Description)$/,
    reason: "the interface of a launch goes with its instance, and is described by nothing",
  },
  { at: /^ec2\.byTag ok$/, reason: "a client token makes one instance; moto makes a second one" },
  {
    at: /^ec2\.volumes ok\.Volumes\.0\.(?:Iops|VolumeType|Throughput|MultiAttachEnabled|SnapshotId|Tags|Attachments\.0\.(?:DeleteOnTermination|Device))$/,
    reason: "the root volume of Amazon Linux 2023: gp3, of a snapshot, gone with its instance",
  },
  { at: /^secrets\.described ok\.LastAccessedDate$/, reason: "AWS tells the day of the last access; moto does not" },
  { at: /^secrets\.described ok\.VersionIdsToStages\./, reason: "the id of a version is random" },
  { at: /^secrets\.(?:tooShort|whileDeleted) message$/, reason: "AWS's own words, without those of its clients" },
  {
    at: /^secrets\.nameHeld$/,
    reason: "while a secret can be had back, AWS refuses its name by InvalidRequestException",
  },
  { at: /^iam\.made ok\.Role\.RoleLastUsed$/, reason: "AWS tells it of roles that are read, not of a new one" },
  { at: /^iam\.malformed$/, reason: "a policy has statements; moto takes one without" },
  {
    at: /^iam\.(?:attached|attachedAll ok\..*|detached)$/,
    reason: "policies of AWS itself are there from the start; moto has them only when it is told to",
  },
  {
    at: /^iam\.profile ok\.InstanceProfile\.(?:InstanceProfileId|Tags)$/,
    reason: "ids of profiles begin with AIPA; tags that there are not are not told",
  },
  { at: /^iam\.none message$/, reason: "AWS's own words" },
  { at: /^ecr\.(?:badName|badLifecycle) message$/, reason: "AWS's own quotes; our own words for what is wrong" },
  {
    at: /^ecr\.(?:refused|images ok)$/,
    reason: "an image whose tag moved to another stays, without a tag; a tag that must not move is refused as such",
  },
];
