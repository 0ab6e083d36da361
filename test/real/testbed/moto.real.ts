import assert from "node:assert/strict";
import { after, test } from "node:test";
import { motoPart } from "../../../testbed/index.ts";
import { suite } from "../../tools/suite.ts";
import { realPart } from "../part.ts";

/** One request to a service, and what its answer holds. */
interface Call {
  /** As the credential scope names it: by this moto tells services apart. */
  readonly service: string;
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly answer: RegExp;
}

const JSON_1_1 = "application/x-amz-json-1.1";
const JSON_1_0 = "application/x-amz-json-1.0";

const query = (action: string, version: string): Pick<Call, "method" | "headers" | "body"> => ({
  method: "POST",
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: `Action=${action}&Version=${version}`,
});

const json = (type: string, target: string, body: object): Pick<Call, "method" | "headers" | "body"> => ({
  method: "POST",
  headers: { "content-type": type, "x-amz-target": target },
  body: JSON.stringify(body),
});

const CALLS: Readonly<Record<string, Call>> = {
  STS: { service: "sts", ...query("GetCallerIdentity", "2011-06-15"), answer: /<Account>\d{12}</ },
  ACM: {
    service: "acm",
    ...json(JSON_1_1, "CertificateManager.RequestCertificate", {
      DomainName: "app.example.com",
      ValidationMethod: "DNS",
    }),
    answer: /"CertificateArn": ?"arn:aws:acm:/,
  },
  "Route 53": {
    service: "route53",
    method: "POST",
    path: "/2013-04-01/hostedzone",
    body: "<CreateHostedZoneRequest><Name>example.com</Name><CallerReference>1</CallerReference></CreateHostedZoneRequest>",
    answer: /<Name>example\.com\.<\/Name>/,
  },
  S3: { service: "s3", answer: /<ListAllMyBucketsResult/ },
  SQS: {
    service: "sqs",
    ...json(JSON_1_0, "AmazonSQS.CreateQueue", { QueueName: "a-queue" }),
    answer: /"QueueUrl": ?"[^"]+\/a-queue"/,
  },
  RDS: { service: "rds", ...query("DescribeDBInstances", "2014-10-31"), answer: /<DescribeDBInstancesResult/ },
  EC2: { service: "ec2", ...query("DescribeVpcs", "2016-11-15"), answer: /<vpcId>vpc-/ },
  ELBv2: {
    service: "elasticloadbalancing",
    ...query("DescribeLoadBalancers", "2015-12-01"),
    answer: /<DescribeLoadBalancersResult/,
  },
};

const moto = await realPart(motoPart);

suite("the AWS of the test bed", "missing" in moto ? moto.missing : false, () => {
  if ("missing" in moto) return;
  after(() => moto[Symbol.asyncDispose]());

  for (const [name, { service, method = "GET", path = "/", headers, body, answer }] of Object.entries(CALLS)) {
    test(`${name} answers`, async () => {
      const credential = `Credential=test/20260101/us-east-1/${service}/aws4_request`;
      const response = await fetch(`${moto.facts["AWS_ENDPOINT_URL"]}${path}`, {
        method,
        headers: {
          ...headers,
          authorization: `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=host, Signature=0`,
        },
        ...(body !== undefined && { body }),
      });
      const text = await response.text();
      assert.ok(response.ok, `${response.status}: ${text}`);
      assert.match(text, answer);
    });
  }
});
