/** A service and what is used of it. */
export interface UsedService {
  /** Its folder among the published models. */
  readonly folder: string;
  readonly name: string;
  /** Operations that are spoken; `all` for services that are small. */
  readonly operations: readonly string[] | "all";
}

const words = (text: string): string[] => text.trim().split(/\s+/);

export const USED_SERVICES: readonly UsedService[] = [
  {
    folder: "acm",
    name: "acm",
    operations: words(`
      AddTagsToCertificate DeleteCertificate DescribeCertificate ExportCertificate GetAccountConfiguration GetCertificate
      ImportCertificate ListCertificates ListTagsForCertificate PutAccountConfiguration RemoveTagsFromCertificate
      RenewCertificate RequestCertificate ResendValidationEmail SearchCertificates UpdateCertificateOptions
      TagResource UntagResource ListTagsForResource`),
  },
  {
    folder: "route53",
    name: "route53",
    operations: words(`
      AssociateVPCWithHostedZone ChangeResourceRecordSets ChangeTagsForResource CreateHostedZone DeleteHostedZone
      DisassociateVPCFromHostedZone GetAccountLimit GetChange GetHostedZone GetHostedZoneCount GetHostedZoneLimit
      ListHostedZones ListHostedZonesByName ListHostedZonesByVPC ListResourceRecordSets ListTagsForResource
      ListTagsForResources TestDNSAnswer UpdateHostedZoneComment`),
  },
  {
    folder: "elbv2",
    name: "elbv2",
    operations: words(`
      AddListenerCertificates AddTags CreateListener CreateLoadBalancer CreateRule CreateTargetGroup DeleteListener
      DeleteLoadBalancer DeleteRule DeleteTargetGroup DeregisterTargets DescribeAccountLimits
      DescribeCapacityReservation DescribeListenerAttributes DescribeListenerCertificates DescribeListeners
      DescribeLoadBalancerAttributes DescribeLoadBalancers DescribeRules DescribeSSLPolicies DescribeTags
      DescribeTargetGroupAttributes DescribeTargetGroups DescribeTargetHealth ModifyListener ModifyListenerAttributes
      ModifyLoadBalancerAttributes ModifyRule ModifyTargetGroup ModifyTargetGroupAttributes RegisterTargets
      RemoveListenerCertificates RemoveTags SetIpAddressType SetRulePriorities SetSecurityGroups SetSubnets`),
  },
  {
    folder: "sts",
    name: "sts",
    operations: words(`
      AssumeRole AssumeRoleWithWebIdentity GetAccessKeyInfo GetCallerIdentity GetSessionToken`),
  },
  {
    folder: "s3",
    name: "s3",
    operations: words(`
      AbortMultipartUpload CompleteMultipartUpload CopyObject CreateBucket CreateMultipartUpload DeleteBucket
      DeleteBucketCors DeleteBucketEncryption DeleteBucketLifecycle DeleteBucketOwnershipControls DeleteBucketPolicy
      DeleteBucketReplication DeleteBucketTagging DeleteBucketWebsite DeleteObject DeleteObjectTagging DeleteObjects
      DeletePublicAccessBlock GetBucketAccelerateConfiguration GetBucketAcl GetBucketCors GetBucketEncryption
      GetBucketLifecycleConfiguration GetBucketLocation GetBucketLogging GetBucketNotificationConfiguration
      GetBucketOwnershipControls GetBucketPolicy GetBucketPolicyStatus GetBucketReplication GetBucketRequestPayment
      GetBucketTagging GetBucketVersioning GetBucketWebsite GetObject GetObjectAttributes GetObjectLockConfiguration
      GetObjectTagging GetPublicAccessBlock HeadBucket HeadObject ListBuckets ListMultipartUploads ListObjectVersions
      ListObjects ListObjectsV2 ListParts PutBucketAccelerateConfiguration PutBucketAcl PutBucketCors
      PutBucketEncryption PutBucketLifecycleConfiguration PutBucketLogging PutBucketNotificationConfiguration
      PutBucketOwnershipControls PutBucketPolicy PutBucketReplication PutBucketRequestPayment PutBucketTagging
      PutBucketVersioning PutBucketWebsite PutObject PutObjectLockConfiguration PutObjectTagging PutPublicAccessBlock
      UploadPart UploadPartCopy`),
  },
  {
    folder: "sqs",
    name: "sqs",
    operations: words(`
      CancelMessageMoveTask ChangeMessageVisibility ChangeMessageVisibilityBatch CreateQueue DeleteMessage
      DeleteMessageBatch DeleteQueue GetQueueAttributes GetQueueUrl ListDeadLetterSourceQueues ListMessageMoveTasks
      ListQueueTags ListQueues PurgeQueue ReceiveMessage SendMessage SendMessageBatch SetQueueAttributes
      StartMessageMoveTask TagQueue UntagQueue`),
  },
  {
    folder: "rds",
    name: "rds",
    operations: words(`
      AddTagsToResource CreateDBInstance CreateDBParameterGroup CreateDBSnapshot CreateDBSubnetGroup DeleteDBInstance
      DeleteDBParameterGroup DeleteDBSnapshot DeleteDBSubnetGroup DescribeDBEngineVersions DescribeDBInstances
      DescribeDBParameterGroups DescribeDBSnapshots DescribeDBSubnetGroups DescribeOrderableDBInstanceOptions
      ListTagsForResource ModifyDBInstance RebootDBInstance RemoveTagsFromResource RestoreDBInstanceFromDBSnapshot
      StartDBInstance StopDBInstance`),
  },
  {
    folder: "ec2",
    name: "ec2",
    operations: words(`
      AllocateAddress AssociateIamInstanceProfile AuthorizeSecurityGroupEgress AuthorizeSecurityGroupIngress
      CreateSecurityGroup CreateSubnet CreateTags CreateVpc DeleteSecurityGroup DeleteSubnet DeleteTags DeleteVpc
      DescribeAvailabilityZones DescribeIamInstanceProfileAssociations DescribeImages DescribeInstanceAttribute
      DescribeInstanceStatus DescribeInstanceTypes DescribeInstances DescribeKeyPairs DescribeRegions
      DescribeSecurityGroups DescribeSubnets DescribeTags DescribeVolumes DescribeVolumesModifications DescribeVpcs
      DisassociateIamInstanceProfile ModifyInstanceAttribute ModifyInstanceMetadataOptions ModifyVolume
      MonitorInstances RebootInstances ReplaceIamInstanceProfileAssociation RevokeSecurityGroupEgress
      RevokeSecurityGroupIngress RunInstances StartInstances StopInstances TerminateInstances UnmonitorInstances
      CreateKeyPair DeleteKeyPair GetConsoleOutput ReleaseAddress DescribeAddresses`),
  },
  {
    folder: "dynamodb",
    name: "dynamodb",
    operations: words(`
      BatchGetItem BatchWriteItem CreateTable DeleteItem DeleteTable DescribeContinuousBackups DescribeLimits
      DescribeTable DescribeTimeToLive GetItem ListTables ListTagsOfResource PutItem Query Scan TagResource
      TransactGetItems TransactWriteItems UntagResource UpdateContinuousBackups UpdateItem UpdateTable
      UpdateTimeToLive`),
  },
  {
    folder: "sns",
    name: "sns",
    operations: words(`
      ConfirmSubscription CreateTopic DeleteTopic GetSubscriptionAttributes GetTopicAttributes ListSubscriptions
      ListSubscriptionsByTopic ListTagsForResource ListTopics Publish PublishBatch SetSubscriptionAttributes
      SetTopicAttributes Subscribe TagResource Unsubscribe UntagResource`),
  },
  {
    folder: "secretsmanager",
    name: "secretsmanager",
    operations: words(`
      BatchGetSecretValue CancelRotateSecret CreateSecret DeleteResourcePolicy DeleteSecret DescribeSecret
      GetRandomPassword GetResourcePolicy GetSecretValue ListSecretVersionIds ListSecrets PutResourcePolicy
      PutSecretValue RestoreSecret RotateSecret TagResource UntagResource UpdateSecret UpdateSecretVersionStage`),
  },
  {
    folder: "iam",
    name: "iam",
    operations: words(`
      AddRoleToInstanceProfile AttachRolePolicy CreateInstanceProfile CreatePolicy CreateRole DeleteInstanceProfile
      DeletePolicy DeleteRole DeleteRolePermissionsBoundary DeleteRolePolicy DetachRolePolicy GetInstanceProfile
      GetPolicy GetRole GetRolePolicy ListAttachedRolePolicies ListInstanceProfilesForRole ListPolicies
      ListRolePolicies ListRoleTags ListRoles PutRolePermissionsBoundary PutRolePolicy RemoveRoleFromInstanceProfile
      TagRole UntagRole UpdateAssumeRolePolicy UpdateRole`),
  },
  {
    folder: "ecr",
    name: "ecr",
    operations: words(`
      BatchDeleteImage BatchGetImage CreateRepository DeleteLifecyclePolicy DeleteRepository DeleteRepositoryPolicy
      DescribeImages DescribeRepositories GetAuthorizationToken GetLifecyclePolicy GetRepositoryPolicy ListImages
      ListTagsForResource PutImage PutImageScanningConfiguration PutImageTagMutability PutLifecyclePolicy
      SetRepositoryPolicy TagResource UntagResource`),
  },
  {
    folder: "resourcegroupstaggingapi",
    name: "tagging",
    operations: words("GetResources GetTagKeys GetTagValues TagResources UntagResources"),
  },
];
