/** What teams typically declare, for each kind; by the index that makes names unique. */
export const SAMPLES: Readonly<Record<string, (index: number) => object>> = {
  S3Bucket: (index) => ({
    bucketName: `bench-bucket-${index}`,
    versioning: { enabled: true },
    encryption: { algorithm: "AES256" },
    publicAccessBlock: {
      blockPublicAcls: true,
      ignorePublicAcls: true,
      blockPublicPolicy: true,
      restrictPublicBuckets: true,
    },
    lifecycleRules: [{ id: "old", enabled: true, prefix: "tmp/", expiration: { days: 30 } }],
  }),
  SQSQueue: (index) => ({ queueName: `bench-queue-${index}`, visibilityTimeout: 60, messageRetentionPeriod: 86_400 }),
  RDSInstance: (index) => ({
    dbInstanceIdentifier: `bench-db-${index}`,
    engine: "postgres",
    dbInstanceClass: "db.t3.micro",
    allocatedStorage: 20,
    masterUsername: "owner",
    manageMasterUserPassword: true,
    backupRetentionPeriod: 7,
  }),
  EC2Instance: (index) => ({
    instanceName: `bench-${index}`,
    instanceType: "t3.micro",
    imageID: "ami-0a1b2c3d4e5f60001",
    monitoring: false,
  }),
  DynamoDBTable: (index) => ({
    tableName: `bench-table-${index}`,
    billingMode: "PAY_PER_REQUEST",
    hashKey: { name: "id", type: "S" },
  }),
  SNSTopic: (index) => ({ topicName: `bench-topic-${index}`, displayName: "bench" }),
  SecretsManagerSecret: (index) => ({ secretName: `bench/secret-${index}`, description: "bench" }),
  IAMRole: (index) => ({
    roleName: `bench-role-${index}`,
    assumeRolePolicyDocument: JSON.stringify({
      Version: "2012-10-17",
      Statement: [{ Effect: "Allow", Principal: { Service: "ec2.amazonaws.com" }, Action: "sts:AssumeRole" }],
    }),
    maxSessionDuration: 3600,
  }),
  ECRRepository: (index) => ({ repositoryName: `bench/repository-${index}`, imageTagMutability: "IMMUTABLE" }),
};
