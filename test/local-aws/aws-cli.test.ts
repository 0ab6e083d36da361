import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { startLocalCloud } from "@gatewright/local-aws";
import type { LocalCloud } from "@gatewright/local-aws";
import { systemClock, systemRandom } from "@gatewright/ports";
import { awsClients } from "../tools/aws-clients.ts";
import { run } from "../tools/command.ts";
import { suite } from "../tools/suite.ts";
import { awsEnvironment, openAwsSession } from "./tours/aws-session.ts";
import type { Answer, AwsSession } from "./tours/aws-session.ts";
import { acmTour, elbTour, route53Tour } from "./tours/hosts.ts";
import { at } from "./tours/look.ts";
import { ec2Tour } from "./tours/machines.ts";
import { sqsTour, stsTour } from "./tours/messaging.ts";
import type { Tour } from "./tours/messaging.ts";
import { ecrTour, iamTour, secretsTour } from "./tours/secrets-roles-images.ts";
import { rdsTour, s3Tour, taggingTour } from "./tours/storage.ts";
import { dynamodbTour, snsTour } from "./tours/tables-and-topics.ts";

const clients = awsClients();

/** The clients that everybody uses: nobody here wrote them, so they are judges. */
suite("the aws CLI and boto3", "missing" in clients ? clients.missing : false, () => {
  if ("missing" in clients) return;
  let cloud: LocalCloud;
  let session: AwsSession;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "gatewright-tour-"));
    cloud = await startLocalCloud({
      clock: systemClock,
      random: systemRandom,
      pace: { durations: 0, lag: false },
      limits: "off",
      api: { port: 0 },
      dns: { port: 0 },
      onFault: (error, where) => console.error(where, error),
    });
    session = openAwsSession(clients, cloud.url);
  });
  after(async () => {
    await session[Symbol.asyncDispose]();
    await cloud.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const on = (tour: Tour) => tour(session.aws, folder);
  const codes = (seen: Record<string, Answer>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(seen).flatMap(([name, told]) => ("refused" in told ? [[name, told.refused]] : [])),
    );

  test("the command itself is told who it is", async () => {
    const { stdout, stderr, code } = await run(clients.aws, ["sts", "get-caller-identity"], {
      env: awsEnvironment(cloud.url),
    });
    assert.deepEqual([code, stderr], [0, ""]);
    assert.deepEqual(JSON.parse(stdout), {
      UserId: "000000000000",
      Account: "000000000000",
      Arn: "arn:aws:iam::000000000000:root",
    });
  });

  test("boto3 pages and waits in every service, signs URLs, and takes on a role", async () => {
    const script = new URL("boto3-tour.py", import.meta.url).pathname;
    const { stdout, stderr, code } = await run(clients.python, [script], { env: awsEnvironment(cloud.url) });
    assert.deepEqual([code, stderr], [0, ""]);
    assert.deepEqual(JSON.parse(stdout), {
      role: "arn:aws:sts::000000000000:assumed-role/deploy/boto",
      records: 352,
      presigned: "from boto",
      taken: ["a", "b", "c"],
      waited: "available",
      issued: ["www.boto.test"],
      instance: ["running", [{ Key: "team", Value: "boto" }], "10.7.0"],
      balancers: ["active"],
      tagged: ["ec2", "elasticloadbalancing"],
      refused: ["NoSuchHostedZone", 404],
    });
  });

  test("STS", async () => {
    const seen = await on(stsTour);
    assert.equal(at(seen["role"]), "arn:aws:sts::000000000000:assumed-role/deploy/tour");
    assert.deepEqual(codes(seen), { tooLong: "ValidationError" });
  });

  test("Secrets Manager: versions, and deletion that is taken back", async () => {
    const seen = await on(secretsTour);
    assert.deepEqual(at(seen["current"]), ["two", ["AWSCURRENT"]]);
    assert.equal(at(seen["previous"]), '"one"');
    assert.deepEqual(at(seen["listed"]), [["tour/key", "another"]]);
    assert.deepEqual(codes(seen), {
      exists: "ResourceExistsException",
      otherValue: "ResourceExistsException",
      tooShort: "InvalidParameterException",
      whileDeleted: "InvalidRequestException",
      nameHeld: "InvalidRequestException",
      none: "ResourceNotFoundException",
    });
  });

  test("IAM: a role with its policies and its profile", async () => {
    const seen = await on(iamTour);
    assert.equal(at(seen["role"], "Role", "Arn"), "arn:aws:iam::000000000000:role/apps/tour");
    assert.equal(at(seen["role"], "Role", "AssumeRolePolicyDocument", "Version"), "2012-10-17");
    assert.equal(at(seen["inlineRead"], "PolicyDocument", "Statement", 0, "Action"), "s3:GetObject");
    assert.deepEqual(at(seen["profileRead"]), ["tour"]);
    assert.deepEqual(codes(seen), {
      exists: "EntityAlreadyExists",
      malformed: "MalformedPolicyDocument",
      noPolicy: "NoSuchEntity",
      conflict: "DeleteConflict",
      detachedAgain: "NoSuchEntity",
      stillInline: "DeleteConflict",
      none: "NoSuchEntity",
    });
  });

  test("DynamoDB: a table and its items", async () => {
    const seen = await on(dynamodbTour);
    assert.deepEqual(at(seen["ready"]), ["ACTIVE", "PAY_PER_REQUEST"]);
    assert.deepEqual(at(seen["raised"], "Attributes"), { count: { N: "2" } });
    assert.deepEqual(at(seen["scanned"]), [{ count: { N: "2" }, id: { S: "a" } }]);
    assert.equal(at(seen["empty"]), "0");
    assert.deepEqual(codes(seen), {
      exists: "ResourceInUseException",
      noKey: "ValidationException",
      notNew: "ConditionalCheckFailedException",
      wrongKey: "ValidationException",
      none: "ResourceNotFoundException",
    });
  });

  test("SNS: what is published reaches the queue whose policy lets it, filtered", async () => {
    const seen = await on(snsTour);
    assert.equal(at(seen["again"], "TopicArn"), at(seen["made"], "TopicArn"));
    assert.deepEqual(at(seen["received"]), ["hello"]);
    assert.equal(at(seen["nothing"]), "null");
    assert.deepEqual(codes(seen), {
      badName: "InvalidParameter",
      noAttribute: "InvalidParameter",
      none: "NotFound",
      publishedNowhere: "NotFound",
    });
  });

  test("ECR: a repository, its policies, and images that keep it", async () => {
    const seen = await on(ecrTour);
    assert.equal(
      at(seen["described"], "repositories", 0, "repositoryUri"),
      "000000000000.dkr.ecr.eu-west-1.amazonaws.com/tour/web",
    );
    assert.equal(at(seen["images"]), "2");
    assert.deepEqual(codes(seen), {
      exists: "RepositoryAlreadyExistsException",
      badName: "InvalidParameterException",
      noLifecycle: "LifecyclePolicyNotFoundException",
      badLifecycle: "InvalidParameterException",
      noPolicy: "RepositoryPolicyNotFoundException",
      refused: "ImageTagAlreadyExistsException",
      notEmpty: "RepositoryNotEmptyException",
      none: "RepositoryNotFoundException",
    });
  });

  test("SQS: dead letters, order, batches", async () => {
    const seen = await on(sqsTour);
    assert.equal(at(seen["made"], "QueueUrl"), `${cloud.url}/000000000000/work`);
    assert.equal(at(seen["attributes"], "Attributes", "QueueArn"), "arn:aws:sqs:eu-west-1:000000000000:work");
    assert.deepEqual(at(seen["tags"], "Tags"), { team: "web" });
    assert.equal(at(seen["received"], "Messages", 0, "MessageAttributes", "kind", "StringValue"), "greeting");
    assert.equal(at(seen["receivedAgain"]), "");
    assert.equal(at(seen["deadLetter"], "Messages", 0, "MessageId"), at(seen["sent"], "MessageId"));
    const inOrder = at(seen["inOrder"], "Messages") as { readonly Body: string }[];
    assert.deepEqual(
      inOrder.map(({ Body }) => Body),
      ["one", "two"],
    );
    assert.equal(at(seen["batch"], "Successful", 0, "Id"), "a");
    assert.equal(at(seen["batch"], "Failed", 0, "Code"), "InvalidParameterValue");
    assert.deepEqual(codes(seen), {
      otherAttributes: "QueueAlreadyExists",
      withoutGroup: "MissingParameter",
      noQueue: "AWS.SimpleQueueService.NonExistentQueue",
    });
  });

  test("Route 53: batches, pages, tags", async () => {
    const seen = await on(route53Tour);
    const records = at(seen["records"], "ResourceRecordSets") as { readonly Name: string; readonly Type: string }[];
    assert.deepEqual(
      records.map(({ Name, Type }) => `${Name} ${Type}`),
      ["tour.test. NS", "tour.test. SOA", "\\052.tour.test. CNAME", "mail.tour.test. TXT", "www.tour.test. A"],
    );
    assert.equal(at(seen["change"], "ChangeInfo", "Status"), "INSYNC");
    assert.equal((at(seen["onePage"], "ResourceRecordSets") as unknown[]).length, 2);
    assert.equal(at(seen["byName"], "HostedZones", 0, "ResourceRecordSetCount"), 5);
    assert.deepEqual(at(seen["tags"], "ResourceTagSet", "Tags"), [{ Key: "team", Value: "web" }]);
    assert.deepEqual(codes(seen), {
      sameReference: "HostedZoneAlreadyExists",
      createdTwice: "InvalidChangeBatch",
      deletedOther: "InvalidChangeBatch",
      outside: "InvalidChangeBatch",
      notEmpty: "HostedZoneNotEmpty",
      gone: "NoSuchHostedZone",
    });
  });

  test("ACM: requests that are the same, validation records, states", async () => {
    const seen = await on(acmTour);
    assert.equal(at(seen["sameToken"], "CertificateArn"), at(seen["made"], "CertificateArn"));
    assert.equal(at(seen["described"], "Certificate", "Status"), "PENDING_VALIDATION");
    const options = at(seen["described"], "Certificate", "DomainValidationOptions") as {
      readonly DomainName: string;
      readonly ResourceRecord: { readonly Name: string; readonly Type: string };
    }[];
    assert.deepEqual(
      options.map(({ DomainName, ResourceRecord: { Name, Type } }) => [
        DomainName,
        Name.replace(/^_\w{32}\./, ""),
        Type,
      ]),
      [
        ["www.tour.test", "www.tour.test.", "CNAME"],
        ["*.tour.test", "tour.test.", "CNAME"],
      ],
    );
    assert.deepEqual(at(seen["issuedOnly"], "CertificateSummaryList"), []);
    assert.deepEqual(codes(seen), {
      notIssued: "RequestInProgressException",
      badName: "ValidationException",
      gone: "ResourceNotFoundException",
    });
  });

  test("ELBv2: load balancers, rules, targets", async () => {
    const seen = await on(elbTour);
    assert.equal(at(seen["made"], "LoadBalancers", 0, "State", "Code"), "active");
    assert.equal(at(seen["made"], "LoadBalancers", 0, "CanonicalHostedZoneId"), "Z32O12XQLNTSW2");
    const rules = at(seen["rules"], "Rules") as { readonly Priority: string }[];
    assert.deepEqual(
      rules.map(({ Priority }) => Priority),
      ["10", "default"],
    );
    assert.equal(at(seen["health"], "TargetHealthDescriptions", 0, "Target", "Id"), "127.0.0.1");
    assert.deepEqual(at(seen["tags"], "TagDescriptions", 0, "Tags"), [{ Key: "team", Value: "web" }]);
    assert.deepEqual(codes(seen), {
      sameName: "DuplicateLoadBalancerName",
      samePriority: "PriorityInUse",
      groupInUse: "ResourceInUse",
      badAttribute: "ValidationError",
      noCertificate: "ValidationError",
      gone: "LoadBalancerNotFound",
    });
  });

  test("S3: versions, 20 MB in parts, markers, configuration", async () => {
    const seen = await on(s3Tour);
    assert.equal(at(seen["where"], "LocationConstraint"), "eu-west-1");
    assert.equal(at(seen["versioning"], "Status"), "Enabled");
    assert.equal(at(seen["firstText"]), "first");
    assert.deepEqual(at(seen["firstAgain"], "Metadata"), { who: "tour" });
    assert.match(String(at(seen["largeHead"], "ETag")), /-3"$/);
    assert.equal(at(seen["largeHead"], "ContentLength"), 20 * 1024 * 1024 + 17);
    assert.equal(at(seen["sameBytes"]), true);
    assert.equal(at(seen["part"], "ContentRange"), "bytes 0-9/20971537");
    assert.equal(at(seen["marked"], "DeleteMarker"), true);
    assert.equal((at(seen["versions"], "Versions") as unknown[]).length, 2);
    assert.equal(at(seen["versions"], "DeleteMarkers", 0, "VersionId"), at(seen["marked"], "VersionId"));
    assert.deepEqual(at(seen["tags"], "TagSet"), [{ Key: "team", Value: "web" }]);
    assert.deepEqual(at(seen["buckets"]), ["tour-bucket"]);
    assert.deepEqual(codes(seen), {
      taken: "BucketAlreadyOwnedByYou",
      gone: "NoSuchKey",
      noPolicy: "NoSuchBucketPolicy",
      notEmpty: "BucketNotEmpty",
      noBucket: "NoSuchBucket",
    });
  });

  test("RDS: the life of an instance", async () => {
    const seen = await on(rdsTour);
    assert.equal(at(seen["ready"], "DBInstances", 0, "DBInstanceStatus"), "available");
    assert.equal(at(seen["ready"], "DBInstances", 0, "Endpoint", "Port"), 5432);
    assert.deepEqual(at(seen["larger"]), [30, "available"]);
    const snapshots = at(seen["snapshots"]) as (readonly [string, string])[];
    assert.deepEqual(
      snapshots.map(([name, status]) => [name.replace(/^(rds:tour)[-\d]+$/, "$1"), status]),
      [
        ["rds:tour", "available"],
        ["tour-1", "available"],
      ],
    );
    assert.deepEqual(codes(seen), {
      twice: "DBInstanceAlreadyExists",
      shrunk: "InvalidParameterCombination",
      undecided: "InvalidParameterCombination",
      gone: "DBInstanceNotFound",
      noSnapshot: "DBSnapshotNotFound",
    });
  });

  test("EC2: networks and the life of an instance", async () => {
    const seen = await on(ec2Tour);
    assert.equal(at(seen["sameToken"], "Instances", 0, "InstanceId"), at(seen["made"], "Instances", 0, "InstanceId"));
    assert.match(String(at(seen["made"], "Instances", 0, "PrivateIpAddress")), /^10\.9\.1\./);
    assert.equal(at(seen["byTag"]), "1");
    assert.deepEqual(
      ["running", "stopped", "terminated"].map((state) => at(seen[state])),
      [["running"], ["stopped"], ["terminated"]],
    );
    assert.deepEqual(codes(seen), {
      overlapping: "InvalidSubnet.Conflict",
      openedTwice: "InvalidPermission.Duplicate",
      groupInUse: "DependencyViolation",
      notThere: "InvalidInstanceID.NotFound",
      noId: "InvalidInstanceID.Malformed",
      dryRun: "DryRunOperation",
    });
  });

  test("tags of all services in one place", async () => {
    const seen = await on(taggingTour);
    const arns = (answer: Answer | undefined) =>
      (at(answer, "ResourceTagMappingList") as { readonly ResourceARN: string }[]).map((each) => each.ResourceARN);
    assert.deepEqual(arns(seen["byTag"]), ["arn:aws:sqs:eu-west-1:000000000000:tagged"]);
    assert.deepEqual(arns(seen["byType"]), ["arn:aws:sqs:eu-west-1:000000000000:tagged"]);
    assert.deepEqual(arns(seen["none"]), []);
    assert.deepEqual(at(seen["keys"], "TagValues"), ["test"]);
    assert.deepEqual(codes(seen), {});
  });
});
