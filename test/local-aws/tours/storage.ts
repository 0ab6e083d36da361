import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { textAt } from "./look.ts";
import type { Tour } from "./messaging.ts";

/** More than the CLI sends in one request, and no multiple of its parts. */
const LARGE = 20 * 1024 * 1024 + 17;

const sha256 = (file: string): string => createHash("sha256").update(readFileSync(file)).digest("hex");

export const s3Tour: Tour = async (aws, folder) => {
  const file = (name: string): string => join(folder, name);
  writeFileSync(file("small"), "first");
  writeFileSync(file("second"), "second");
  writeFileSync(file("large"), Buffer.alloc(LARGE, "its length divides no part, so parts differ"));
  const b = "--bucket tour-bucket";
  const made = await aws(`s3api create-bucket ${b} --create-bucket-configuration LocationConstraint=eu-west-1`);
  const versioned = await aws(`s3api put-bucket-versioning ${b} --versioning-configuration Status=Enabled`);
  const first = await aws(
    `s3api put-object ${b} --key a/one.txt --content-type text/plain --metadata who=tour --body`,
    file("small"),
  );
  const second = await aws(`s3api put-object ${b} --key a/one.txt --body`, file("second"));
  const uploaded = await aws(`s3 cp --no-progress ${file("large")} s3://tour-bucket/large.bin`);
  const downloaded = await aws(`s3 cp --no-progress s3://tour-bucket/large.bin ${file("back")}`);
  const marked = await aws(`s3api delete-object ${b} --key a/one.txt`);
  const firstVersion = textAt(first, "VersionId");
  return {
    made,
    taken: await aws(`s3api create-bucket ${b} --create-bucket-configuration LocationConstraint=eu-west-1`),
    where: await aws(`s3api get-bucket-location ${b}`),
    versioned,
    versioning: await aws(`s3api get-bucket-versioning ${b}`),
    first,
    second,
    firstAgain: await aws(`s3api get-object ${b} --key a/one.txt --version-id`, firstVersion, file("first-back")),
    firstText: { ok: readFileSync(file("first-back"), "utf8") },
    uploaded,
    largeHead: await aws(`s3api head-object ${b} --key large.bin`),
    downloaded,
    sameBytes: { ok: sha256(file("large")) === sha256(file("back")) },
    part: await aws(`s3api get-object ${b} --key large.bin --range bytes=0-9`, file("part")),
    marked,
    gone: await aws(`s3api get-object ${b} --key a/one.txt`, file("gone")),
    versions: await aws(`s3api list-object-versions ${b} --prefix a/`),
    listed: await aws(`s3api list-objects-v2 ${b} --delimiter /`),
    tagged: await aws(`s3api put-bucket-tagging ${b} --tagging TagSet=[{Key=team,Value=web}]`),
    tags: await aws(`s3api get-bucket-tagging ${b}`),
    noPolicy: await aws(`s3api get-bucket-policy ${b}`),
    encryption: await aws(`s3api get-bucket-encryption ${b}`),
    notEmpty: await aws(`s3api delete-bucket ${b}`),
    noBucket: await aws("s3api list-objects-v2 --bucket no-such-bucket-of-the-tour"),
    buckets: await aws("s3api list-buckets --query Buckets[].Name"),
  };
};

export const taggingTour: Tour = async (aws) => {
  await aws("sqs create-queue --queue-name tagged --tags team=tagging,stage=test");
  await aws("sqs create-queue --queue-name untagged");
  const get = "resourcegroupstaggingapi get-resources";
  return {
    byTag: await aws(`${get} --tag-filters Key=team,Values=tagging`),
    byType: await aws(`${get} --resource-type-filters sqs --tag-filters Key=stage`),
    none: await aws(`${get} --tag-filters Key=team,Values=nobody`),
    keys: await aws("resourcegroupstaggingapi get-tag-values --key stage"),
  };
};

export const rdsTour: Tour = async (aws) => {
  const id = "--db-instance-identifier tour";
  const create = `rds create-db-instance ${id} --engine postgres --db-instance-class db.t4g.micro --allocated-storage 20`;
  const made = await aws(
    `${create} --master-username boss --master-user-password secret-of-tour --tags Key=team,Value=web`,
  );
  return {
    made,
    twice: await aws(`${create} --master-username boss --master-user-password secret-of-tour`),
    ready: await aws(`rds describe-db-instances ${id}`),
    modified: await aws(`rds modify-db-instance ${id} --allocated-storage 30 --apply-immediately`),
    larger: await aws(`rds describe-db-instances ${id} --query`, "DBInstances[0].[AllocatedStorage,DBInstanceStatus]"),
    snapshot: await aws(`rds create-db-snapshot ${id} --db-snapshot-identifier tour-1`),
    snapshotDetail: await aws("rds describe-db-snapshots --db-snapshot-identifier tour-1"),
    tags: await aws("rds list-tags-for-resource --resource-name", textAt(made, "DBInstance", "DBInstanceArn")),
    shrunk: await aws(`rds modify-db-instance ${id} --allocated-storage 5 --apply-immediately`),
    snapshots: await aws(`rds describe-db-snapshots ${id} --query`, "DBSnapshots[].[DBSnapshotIdentifier,Status]"),
    stopped: await aws(`rds stop-db-instance ${id} --query DBInstance.DBInstanceIdentifier`),
    started: await aws(`rds start-db-instance ${id} --query DBInstance.DBInstanceIdentifier`),
    undecided: await aws(`rds delete-db-instance ${id}`),
    deleted: await aws(`rds delete-db-instance ${id} --skip-final-snapshot --query DBInstance.DBInstanceIdentifier`),
    gone: await aws(`rds describe-db-instances ${id}`),
    noSnapshot: await aws("rds describe-db-snapshots --db-snapshot-identifier nowhere"),
  };
};
