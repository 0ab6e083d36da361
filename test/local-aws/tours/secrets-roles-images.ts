import { textAt } from "./look.ts";
import type { Tour } from "./messaging.ts";

const TOKEN = "11111111-1111-4111-8111-111111111111";
const TRUST = {
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Principal: { Service: "ec2.amazonaws.com" }, Action: "sts:AssumeRole" }],
};
const PERMISSIONS = {
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::tour/*" }],
};
const READ_ONLY = "arn:aws:iam::aws:policy/ReadOnlyAccess";

export const secretsTour: Tour = async (aws) => {
  const create = `secretsmanager create-secret --name tour/key --client-request-token ${TOKEN} --description of-the-tour`;
  const made = await aws(`${create} --secret-string one --tags Key=team,Value=web`);
  const onKey = (command: string, ...more: string[]) => aws(`secretsmanager ${command} --secret-id tour/key`, ...more);
  return {
    made,
    exists: await aws("secretsmanager create-secret --name tour/key --secret-string two"),
    put: await onKey("put-secret-value", "--secret-string", "two"),
    current: await onKey("get-secret-value", "--query", "[SecretString,VersionStages]"),
    previous: await onKey("get-secret-value", "--version-stage", "AWSPREVIOUS", "--query", "SecretString"),
    otherValue: await onKey("put-secret-value", "--client-request-token", TOKEN, "--secret-string", "three"),
    described: await onKey("describe-secret"),
    byArn: await aws("secretsmanager describe-secret --query Name --secret-id", textAt(made, "ARN")),
    tooShort: await onKey("delete-secret", "--recovery-window-in-days", "6"),
    deleted: await onKey("delete-secret", "--recovery-window-in-days", "7", "--query", "Name"),
    whileDeleted: await onKey("get-secret-value"),
    nameHeld: await aws("secretsmanager create-secret --name tour/key --secret-string four"),
    restored: await onKey("restore-secret"),
    updated: await onKey("update-secret", "--description", "another"),
    listed: await aws("secretsmanager list-secrets --query SecretList[].[Name,Description]"),
    none: await aws("secretsmanager get-secret-value --secret-id nothing"),
    password: await aws("secretsmanager get-random-password --password-length 12 --query length(RandomPassword)"),
  };
};

export const iamTour: Tour = async (aws) => {
  const create = "iam create-role --role-name tour --path /apps/ --max-session-duration 7200 --tags Key=team,Value=web";
  const made = await aws(`${create} --assume-role-policy-document`, TRUST);
  const onRole = (command: string, ...more: (string | object)[]) => aws(`iam ${command} --role-name tour`, ...more);
  const profile = "--instance-profile-name tour";
  return {
    made,
    exists: await aws(`${create} --assume-role-policy-document`, TRUST),
    malformed: await aws("iam create-role --role-name other --assume-role-policy-document", { Statement: [] }),
    attached: await onRole("attach-role-policy", "--policy-arn", READ_ONLY),
    attachedAll: await onRole("list-attached-role-policies"),
    noPolicy: await onRole("attach-role-policy", "--policy-arn", "arn:aws:iam::000000000000:policy/none"),
    inline: await onRole("put-role-policy", "--policy-name", "read", "--policy-document", PERMISSIONS),
    inlineRead: await onRole("get-role-policy", "--policy-name", "read"),
    inlineAll: await onRole("list-role-policies"),
    profile: await aws(`iam create-instance-profile ${profile}`),
    inProfile: await onRole("add-role-to-instance-profile", "--instance-profile-name", "tour"),
    profileRead: await aws(`iam get-instance-profile ${profile} --query InstanceProfile.Roles[].RoleName`),
    role: await onRole("get-role"),
    conflict: await onRole("delete-role"),
    outOfProfile: await onRole("remove-role-from-instance-profile", "--instance-profile-name", "tour"),
    profileGone: await aws(`iam delete-instance-profile ${profile}`),
    detached: await onRole("detach-role-policy", "--policy-arn", READ_ONLY),
    detachedAgain: await onRole("detach-role-policy", "--policy-arn", READ_ONLY),
    stillInline: await onRole("delete-role"),
    inlineGone: await onRole("delete-role-policy", "--policy-name", "read"),
    gone: await onRole("delete-role"),
    none: await onRole("get-role"),
  };
};

export const ecrTour: Tour = async (aws) => {
  const onTour = (command: string, ...more: (string | object)[]) =>
    aws(`ecr ${command} --repository-name tour/web`, ...more);
  const made = await onTour("create-repository", "--tags", "Key=team,Value=web");
  const selection = { tagStatus: "untagged", countType: "sinceImagePushed", countUnit: "days", countNumber: 14 };
  const rules = [{ rulePriority: 1, description: "old ones go", selection, action: { type: "expire" } }];
  const push = (tag: string, name: string) =>
    onTour("put-image", "--image-tag", tag, "--query", "image.imageId.imageTag", "--image-manifest", {
      schemaVersion: 2,
      mediaType: "application/vnd.docker.distribution.manifest.v2+json",
      config: { mediaType: "application/vnd.docker.container.image.v1+json", size: 7, digest: `sha256:${name}` },
      layers: [],
    });
  return {
    made,
    exists: await onTour("create-repository"),
    badName: await aws("ecr create-repository --repository-name Tour"),
    noLifecycle: await onTour("get-lifecycle-policy"),
    lifecycle: await onTour("put-lifecycle-policy", "--lifecycle-policy-text", { rules }),
    badLifecycle: await onTour("put-lifecycle-policy", "--lifecycle-policy-text", {
      rules: [{ ...rules[0], action: {} }],
    }),
    noPolicy: await onTour("get-repository-policy"),
    scanning: await onTour("put-image-scanning-configuration", "--image-scanning-configuration", "scanOnPush=true"),
    tags: await aws("ecr list-tags-for-resource --resource-arn", textAt(made, "repository", "repositoryArn")),
    pushed: await push("v1", "a"),
    moved: await push("v1", "b"),
    immutable: await onTour("put-image-tag-mutability", "--image-tag-mutability", "IMMUTABLE"),
    refused: await push("v1", "c"),
    images: await onTour("list-images", "--query", "length(imageIds)"),
    notEmpty: await onTour("delete-repository"),
    described: await aws("ecr describe-repositories --repository-names tour/web"),
    forced: await onTour("delete-repository", "--force", "--query", "repository.repositoryName"),
    none: await aws("ecr describe-repositories --repository-names tour/web"),
  };
};
