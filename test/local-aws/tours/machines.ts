import { at, textAt } from "./look.ts";
import type { Tour } from "./messaging.ts";

export const ec2Tour: Tour = async (aws) => {
  const vpc = await aws("ec2 create-vpc --cidr-block 10.9.0.0/16");
  const vpcId = textAt(vpc, "Vpc", "VpcId");
  const subnet = await aws(
    `ec2 create-subnet --cidr-block 10.9.1.0/24 --availability-zone eu-west-1a --vpc-id ${vpcId}`,
  );
  const subnetId = textAt(subnet, "Subnet", "SubnetId");
  const group = await aws(`ec2 create-security-group --group-name web --description web --vpc-id ${vpcId}`);
  const groupId = textAt(group, "GroupId");
  const opened = `ec2 authorize-security-group-ingress --group-id ${groupId} --protocol tcp --port 443 --cidr 0.0.0.0/0`;
  const images = await aws("ec2 describe-images --owners amazon --query", "Images[?Architecture=='x86_64'].ImageId");
  const run = `ec2 run-instances --image-id ${String(at(images, 0))} --instance-type t3.micro --client-token one`;
  const wish = `${run} --subnet-id ${subnetId} --security-group-ids ${groupId} --tag-specifications`;
  const tags = "ResourceType=instance,Tags=[{Key=team,Value=web}]";
  const made = await aws(wish, tags);
  const id = textAt(made, "Instances", 0, "InstanceId");
  const state = "Reservations[].Instances[].State.Name";
  const look = () => aws(`ec2 describe-instances --instance-ids ${id} --query`, state);
  return {
    vpc,
    subnet,
    group,
    vpcs: await aws(`ec2 describe-vpcs --vpc-ids ${vpcId}`),
    subnets: await aws(`ec2 describe-subnets --filters Name=vpc-id,Values=${vpcId}`),
    groups: await aws(`ec2 describe-security-groups --group-ids ${groupId}`),
    overlapping: await aws(`ec2 create-subnet --cidr-block 10.9.1.128/25 --vpc-id ${vpcId}`),
    opened: await aws(opened),
    openedTwice: await aws(opened),
    made,
    sameToken: await aws(wish, tags),
    byTag: await aws("ec2 describe-instances --filters Name=tag:team,Values=web --query", "length(Reservations)"),
    running: await look(),
    instance: await aws(`ec2 describe-instances --instance-ids ${id}`),
    status: await aws(`ec2 describe-instance-status --instance-ids ${id}`),
    volumes: await aws(`ec2 describe-volumes --filters Name=attachment.instance-id,Values=${id}`),
    tags: await aws(`ec2 describe-tags --filters Name=resource-id,Values=${id}`),
    attribute: await aws(`ec2 describe-instance-attribute --attribute disableApiTermination --instance-id ${id}`),
    groupInUse: await aws(`ec2 delete-security-group --group-id ${groupId}`),
    stopping: await aws(`ec2 stop-instances --instance-ids ${id} --query`, "StoppingInstances[].InstanceId"),
    stopped: await look(),
    terminating: await aws(`ec2 terminate-instances --instance-ids ${id} --query`, "TerminatingInstances[].InstanceId"),
    terminated: await look(),
    groupRemoved: await aws(`ec2 delete-security-group --group-id ${groupId}`),
    notThere: await aws("ec2 describe-instances --instance-ids i-0123456789abcdef0"),
    noId: await aws("ec2 describe-instances --instance-ids nonsense"),
    dryRun: await aws("ec2 create-vpc --dry-run --cidr-block 10.8.0.0/16"),
  };
};
