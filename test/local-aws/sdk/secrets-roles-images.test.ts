import assert from "node:assert/strict";
import { test } from "node:test";
import {
  BatchDeleteImageCommand,
  CreateRepositoryCommand,
  DeleteRepositoryCommand,
  DescribeRepositoriesCommand,
  ECRClient,
  GetAuthorizationTokenCommand,
  GetLifecyclePolicyCommand,
  LifecyclePolicyNotFoundException,
  ListTagsForResourceCommand,
  paginateDescribeRepositories,
  PutImageCommand,
  PutImageTagMutabilityCommand,
  PutLifecyclePolicyCommand,
  RepositoryAlreadyExistsException,
  RepositoryNotEmptyException,
  RepositoryNotFoundException,
  ImageTagAlreadyExistsException,
} from "@aws-sdk/client-ecr";
import {
  AddRoleToInstanceProfileCommand,
  AttachRolePolicyCommand,
  CreateInstanceProfileCommand,
  CreatePolicyCommand,
  CreateRoleCommand,
  DeleteConflictException,
  DeleteInstanceProfileCommand,
  DeleteRoleCommand,
  DeleteRolePolicyCommand,
  DetachRolePolicyCommand,
  EntityAlreadyExistsException,
  GetRoleCommand,
  GetRolePolicyCommand,
  IAMClient,
  MalformedPolicyDocumentException,
  NoSuchEntityException,
  paginateListRoles,
  PutRolePolicyCommand,
  RemoveRoleFromInstanceProfileCommand,
  waitUntilRoleExists,
} from "@aws-sdk/client-iam";
import { GetResourcesCommand, ResourceGroupsTaggingAPIClient } from "@aws-sdk/client-resource-groups-tagging-api";
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  InvalidRequestException,
  paginateListSecrets,
  PutSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
  RestoreSecretCommand,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import { PATIENCE, pagesOf, sdkStage } from "./sdk-stage.ts";

const { config } = sdkStage();
const TRUST = JSON.stringify({
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Principal: { Service: "ec2.amazonaws.com" }, Action: "sts:AssumeRole" }],
});
const PERMISSIONS = JSON.stringify({
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Action: ["s3:GetObject"], Resource: ["arn:aws:s3:::shop/*"] }],
});

test("Secrets Manager: values, versions, deletion that is taken back, pages and typed refusals", async () => {
  const secrets = new SecretsManagerClient(config());
  const SecretId = "shop/database";
  const Tags = [{ Key: "team", Value: "secrets" }];
  const { ARN } = await secrets.send(new CreateSecretCommand({ Name: SecretId, SecretString: "größe", Tags }));
  const read = async () => secrets.send(new GetSecretValueCommand({ SecretId }));
  assert.equal((await read()).SecretString, "größe");
  await secrets.send(new PutSecretValueCommand({ SecretId, SecretBinary: Uint8Array.of(0, 255) }));
  const { SecretBinary, VersionId = "", CreatedDate } = await read();
  assert.deepEqual([...(SecretBinary ?? [])], [0, 255]);
  assert.ok(CreatedDate instanceof Date);
  const told = await secrets.send(new DescribeSecretCommand({ SecretId: ARN }));
  assert.deepEqual(told.VersionIdsToStages?.[VersionId], ["AWSCURRENT"]);
  assert.deepEqual(told.Tags, Tags);
  await assert.rejects(secrets.send(new CreateSecretCommand({ Name: SecretId })), ResourceExistsException);
  await assert.rejects(
    secrets.send(new CreateSecretCommand({ Name: "large", SecretString: "hush".repeat(20_000) })),
    ({ name, message }: Error) => name === "ValidationException" && !message.includes("hush"),
  );
  await secrets.send(new CreateSecretCommand({ Name: "shop/other" }));
  const pages = await pagesOf(paginateListSecrets({ client: secrets, pageSize: 1 }, { SortBy: "name" }));
  assert.deepEqual(
    pages.flatMap(({ SecretList }) => SecretList?.map(({ Name }) => Name)),
    [SecretId, "shop/other"],
  );
  await secrets.send(new DeleteSecretCommand({ SecretId, RecoveryWindowInDays: 7 }));
  await assert.rejects(read(), InvalidRequestException);
  await secrets.send(new RestoreSecretCommand({ SecretId }));
  assert.equal((await read()).VersionId, VersionId);
  await assert.rejects(secrets.send(new GetSecretValueCommand({ SecretId: "none" })), ResourceNotFoundException);
});

test("IAM: roles with their documents, what keeps them from going, pages and typed refusals", async () => {
  const iam = new IAMClient(config());
  const RoleName = "shop";
  const create = new CreateRoleCommand({ RoleName, Path: "/apps/", AssumeRolePolicyDocument: TRUST });
  const { Role } = await iam.send(create);
  assert.equal(Role?.Arn, "arn:aws:iam::000000000000:role/apps/shop");
  assert.ok(Role.CreateDate instanceof Date);
  await waitUntilRoleExists({ client: iam, ...PATIENCE }, { RoleName });
  await assert.rejects(iam.send(create), EntityAlreadyExistsException);
  const wrong = new CreateRoleCommand({ RoleName: "wrong", AssumeRolePolicyDocument: "{}" });
  await assert.rejects(iam.send(wrong), MalformedPolicyDocumentException);
  const got = await iam.send(new GetRoleCommand({ RoleName }));
  assert.equal(decodeURIComponent(got.Role?.AssumeRolePolicyDocument ?? ""), TRUST);
  const inline = { RoleName, PolicyName: "read" };
  await iam.send(new PutRolePolicyCommand({ ...inline, PolicyDocument: PERMISSIONS }));
  const { PolicyDocument } = await iam.send(new GetRolePolicyCommand(inline));
  assert.equal(decodeURIComponent(PolicyDocument ?? ""), PERMISSIONS);
  const { Policy } = await iam.send(new CreatePolicyCommand({ PolicyName: "own", PolicyDocument: PERMISSIONS }));
  const attached = { RoleName, PolicyArn: Policy?.Arn };
  await iam.send(new AttachRolePolicyCommand(attached));
  const profile = { InstanceProfileName: "shop", RoleName };
  await iam.send(new CreateInstanceProfileCommand(profile));
  await iam.send(new AddRoleToInstanceProfileCommand(profile));
  const gone = () => iam.send(new DeleteRoleCommand({ RoleName }));
  await assert.rejects(gone(), DeleteConflictException);
  await iam.send(new RemoveRoleFromInstanceProfileCommand(profile));
  await iam.send(new DeleteInstanceProfileCommand(profile));
  await assert.rejects(gone(), DeleteConflictException);
  await iam.send(new DetachRolePolicyCommand(attached));
  await assert.rejects(gone(), DeleteConflictException);
  await iam.send(new DeleteRolePolicyCommand(inline));
  await iam.send(new CreateRoleCommand({ RoleName: "other", AssumeRolePolicyDocument: TRUST }));
  const pages = await pagesOf(paginateListRoles({ client: iam, pageSize: 1 }, {}));
  assert.deepEqual(
    pages.flatMap(({ Roles }) => Roles?.map((each) => each.RoleName)),
    ["other", "shop"],
  );
  await gone();
  await assert.rejects(iam.send(new GetRoleCommand({ RoleName })), NoSuchEntityException);
});

test("ECR: repositories, policies, tags that stay, what keeps a repository from going, pages and typed refusals", async () => {
  const ecr = new ECRClient(config());
  const repositoryName = "shop/web";
  const create = new CreateRepositoryCommand({
    repositoryName,
    imageScanningConfiguration: { scanOnPush: true },
    tags: [{ Key: "team", Value: "images" }],
  });
  const { repository } = await ecr.send(create);
  assert.equal(repository?.repositoryUri, "000000000000.dkr.ecr.eu-west-1.amazonaws.com/shop/web");
  assert.ok(repository.createdAt instanceof Date);
  await assert.rejects(ecr.send(create), RepositoryAlreadyExistsException);
  const { tags } = await ecr.send(new ListTagsForResourceCommand({ resourceArn: repository.repositoryArn }));
  assert.deepEqual(tags, [{ Key: "team", Value: "images" }]);
  await assert.rejects(ecr.send(new GetLifecyclePolicyCommand({ repositoryName })), LifecyclePolicyNotFoundException);
  const selection = { tagStatus: "any", countType: "imageCountMoreThan", countNumber: 10 };
  const lifecyclePolicyText = JSON.stringify({
    rules: [{ rulePriority: 1, selection, action: { type: "expire" } }],
  });
  await ecr.send(new PutLifecyclePolicyCommand({ repositoryName, lifecyclePolicyText }));
  const kept = await ecr.send(new GetLifecyclePolicyCommand({ repositoryName }));
  assert.equal(kept.lifecyclePolicyText, lifecyclePolicyText);
  await ecr.send(new PutImageTagMutabilityCommand({ repositoryName, imageTagMutability: "IMMUTABLE" }));
  const push = (imageManifest: string) =>
    ecr.send(new PutImageCommand({ repositoryName, imageManifest, imageTag: "v1" }));
  await push('{"schemaVersion":2}');
  await assert.rejects(push('{"schemaVersion":3}'), ImageTagAlreadyExistsException);
  await assert.rejects(ecr.send(new DeleteRepositoryCommand({ repositoryName })), RepositoryNotEmptyException);
  await ecr.send(new BatchDeleteImageCommand({ repositoryName, imageIds: [{ imageTag: "v1" }] }));
  const { authorizationData } = await ecr.send(new GetAuthorizationTokenCommand({}));
  assert.match(Buffer.from(authorizationData?.[0]?.authorizationToken ?? "", "base64").toString(), /^AWS:.+/);
  await ecr.send(new CreateRepositoryCommand({ repositoryName: "other" }));
  const pages = await pagesOf(paginateDescribeRepositories({ client: ecr, pageSize: 1 }, {}));
  assert.deepEqual(
    pages.flatMap(({ repositories }) => repositories?.map((each) => each.repositoryName)),
    ["other", "shop/web"],
  );
  const tagging = new ResourceGroupsTaggingAPIClient(config());
  const { ResourceTagMappingList } = await tagging.send(
    new GetResourcesCommand({ ResourceTypeFilters: ["ecr:repository", "secretsmanager:secret"] }),
  );
  assert.deepEqual(
    ResourceTagMappingList?.flatMap(({ Tags }) => Tags?.map(({ Value }) => Value)),
    ["images", "secrets"],
  );
  await ecr.send(new DeleteRepositoryCommand({ repositoryName }));
  await assert.rejects(
    ecr.send(new DescribeRepositoriesCommand({ repositoryNames: [repositoryName] })),
    RepositoryNotFoundException,
  );
});
