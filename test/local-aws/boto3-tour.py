"""What boto3 does beyond single calls: pages, waiters, signed URLs, sessions of roles. Prints what it saw as JSON."""

import json
import sys
import urllib.request

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

seen = {}

given = boto3.client("sts").assume_role(
    RoleArn="arn:aws:iam::000000000000:role/deploy", RoleSessionName="boto"
)["Credentials"]
session = boto3.Session(given["AccessKeyId"], given["SecretAccessKey"], given["SessionToken"])
seen["role"] = session.client("sts").get_caller_identity()["Arn"]

route53 = session.client("route53")
zone = route53.create_hosted_zone(Name="boto.test", CallerReference="boto")["HostedZone"]["Id"]
changes = [
    {
        "Action": "CREATE",
        "ResourceRecordSet": {
            "Name": f"h{n}.boto.test",
            "Type": "A",
            "TTL": 60,
            "ResourceRecords": [{"Value": "10.0.0.1"}],
        },
    }
    for n in range(350)
]
change = route53.change_resource_record_sets(HostedZoneId=zone, ChangeBatch={"Changes": changes})
route53.get_waiter("resource_record_sets_changed").wait(Id=change["ChangeInfo"]["Id"])
pages = route53.get_paginator("list_resource_record_sets").paginate(HostedZoneId=zone)
seen["records"] = sum(len(page["ResourceRecordSets"]) for page in pages)

# Without being told, boto3 signs URLs for endpoints that it does not know as version 2 had it, which AWS has left behind.
s3 = session.client("s3", config=Config(signature_version="s3v4"))
s3.create_bucket(Bucket="boto-bucket", CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
s3.put_object(Bucket="boto-bucket", Key="a key/with ü", Body=b"from boto")
url = s3.generate_presigned_url("get_object", Params={"Bucket": "boto-bucket", "Key": "a key/with ü"})
with urllib.request.urlopen(url) as answer:
    seen["presigned"] = answer.read().decode()
s3.delete_object(Bucket="boto-bucket", Key="a key/with ü")
s3.delete_bucket(Bucket="boto-bucket")

sqs = session.client("sqs")
queue = sqs.create_queue(QueueName="boto")["QueueUrl"]
sqs.send_message_batch(QueueUrl=queue, Entries=[{"Id": id, "MessageBody": id} for id in "abc"])
taken = []
while len(taken) < 3:
    taken += sqs.receive_message(QueueUrl=queue, MaxNumberOfMessages=10, WaitTimeSeconds=1).get("Messages", [])
seen["taken"] = sorted(message["Body"] for message in taken)
sqs.delete_queue(QueueUrl=queue)

rds = session.client("rds")
rds.create_db_instance(
    DBInstanceIdentifier="boto",
    Engine="postgres",
    DBInstanceClass="db.t4g.micro",
    AllocatedStorage=20,
    MasterUsername="boss",
    MasterUserPassword="secret-of-boto",
)
rds.get_waiter("db_instance_available").wait(DBInstanceIdentifier="boto")
seen["waited"] = rds.describe_db_instances(DBInstanceIdentifier="boto")["DBInstances"][0]["DBInstanceStatus"]
rds.delete_db_instance(DBInstanceIdentifier="boto", SkipFinalSnapshot=True)

# At the pace of the tour hardly anything takes time, so there is no need to look only every half a minute.
often = {"Delay": 1, "MaxAttempts": 60}

acm = session.client("acm")
arn = acm.request_certificate(DomainName="www.boto.test", ValidationMethod="DNS")["CertificateArn"]
record = acm.describe_certificate(CertificateArn=arn)["Certificate"]["DomainValidationOptions"][0]["ResourceRecord"]
proof = {"Name": record["Name"], "Type": record["Type"], "TTL": 60, "ResourceRecords": [{"Value": record["Value"]}]}
route53.change_resource_record_sets(
    HostedZoneId=zone, ChangeBatch={"Changes": [{"Action": "UPSERT", "ResourceRecordSet": proof}]}
)
acm.get_waiter("certificate_validated").wait(CertificateArn=arn, WaiterConfig=often)
pages = acm.get_paginator("list_certificates").paginate(CertificateStatuses=["ISSUED"])
seen["issued"] = [each["DomainName"] for page in pages for each in page["CertificateSummaryList"]]

ec2 = session.resource("ec2")
vpc = ec2.create_vpc(CidrBlock="10.7.0.0/16")
subnets = [
    vpc.create_subnet(CidrBlock=f"10.7.{n}.0/24", AvailabilityZone=f"eu-west-1{zone_name}")
    for n, zone_name in enumerate("ab")
]
(instance,) = subnets[0].create_instances(
    ImageId="ami-0a1b2c3d4e5f60001", InstanceType="t3.micro", MinCount=1, MaxCount=1
)
instance.wait_until_running()
instance.create_tags(Tags=[{"Key": "team", "Value": "boto"}])
instance.reload()
seen["instance"] = [instance.state["Name"], instance.tags, instance.private_ip_address.rsplit(".", 1)[0]]

elb = session.client("elbv2")
balancer = elb.create_load_balancer(Name="boto", Subnets=[subnet.id for subnet in subnets])["LoadBalancers"][0]
arns = [balancer["LoadBalancerArn"]]
elb.get_waiter("load_balancer_available").wait(LoadBalancerArns=arns, WaiterConfig=often)
pages = elb.get_paginator("describe_load_balancers").paginate(PageSize=1)
balancers = [each for page in pages for each in page["LoadBalancers"]]
seen["balancers"] = [each["State"]["Code"] for each in balancers if each["LoadBalancerName"] == "boto"]
elb.add_tags(ResourceArns=arns, Tags=[{"Key": "team", "Value": "boto"}])

tagging = session.client("resourcegroupstaggingapi")
pages = tagging.get_paginator("get_resources").paginate(
    TagFilters=[{"Key": "team", "Values": ["boto"]}], PaginationConfig={"PageSize": 1}
)
seen["tagged"] = sorted(each["ResourceARN"].split(":")[2] for page in pages for each in page["ResourceTagMappingList"])

elb.delete_load_balancer(LoadBalancerArn=arns[0])
elb.get_waiter("load_balancers_deleted").wait(LoadBalancerArns=arns, WaiterConfig=often)
acm.delete_certificate(CertificateArn=arn)
instance.terminate()
instance.wait_until_terminated()
for subnet in subnets:
    subnet.delete()
vpc.delete()

try:
    route53.get_hosted_zone(Id="ZNOWHERE")
except ClientError as refusal:
    seen["refused"] = [refusal.response["Error"]["Code"], refusal.response["ResponseMetadata"]["HTTPStatusCode"]]

json.dump(seen, sys.stdout)
