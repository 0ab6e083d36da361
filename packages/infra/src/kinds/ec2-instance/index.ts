import { EC2Instance } from "@gatewright/resources";
import type { AwsKind, ResourceState } from "../../engine/aws-kind.ts";
import { changeMachine } from "./change.ts";
import { MACHINE_FIELDS } from "./fields.ts";
import { launchMachine } from "./launch.ts";
import { TERMINATED } from "./machine.ts";
import type { Machine } from "./machine.ts";
import { findMachines, readMachine, readMachines } from "./read.ts";
import { stopMachine, terminateMachine } from "./remove.ts";

const POLL_MS = 5_000;

/** Instances of EC2. Their disks are data: one that is gone is not launched anew without a person's word. */
export const ec2Instance: AwsKind<EC2Instance, Machine> = {
  resource: EC2Instance,
  finalizer: "ec2instance.aws-infra-operator.runner.codes/finalizer",
  service: "ec2",
  tagType: "ec2:instance",
  holdsData: true,
  driftMs: 30 * 60_000,
  lagMs: 60_000,
  settleMs: 10_000,
  nameOf: () => undefined,
  idOf: (arn) => arn.slice(arn.lastIndexOf("/") + 1),
  fields: MACHINE_FIELDS,
  fieldTags: ["Name"],
  outputsInStatus: {
    instanceID: "instanceID",
    privateIP: "privateIP",
    publicIP: "publicIP",
    privateDNS: "privateDNS",
    publicDNS: "publicDNS",
    availabilityZone: "availabilityZone",
  },

  read: readMachine,
  readMany: readMachines,
  manyByDeclared: true,
  findTagged: findMachines,
  create: launchMachine,
  change: changeMachine,
  async tag({ aws, signal }, { id }, { set, remove }) {
    const Tags = Object.entries(set).map(([Key, Value]) => ({ Key, Value }));
    // First: both together may be more than there is room for.
    if (remove.length > 0) {
      await aws.ec2.deleteTags({ Resources: [id], Tags: remove.map((Key) => ({ Key })) }, { signal });
    }
    if (Tags.length > 0) await aws.ec2.createTags({ Resources: [id], Tags }, { signal });
  },
  remove: terminateMachine,
  retire: stopMachine,

  idIn: ({ id }) => id,
  tagsOf: ({ tags }) => tags,
  stateOf: machineState,
  statusOf: (seen) => ({
    instanceID: seen.id,
    instanceState: seen.state,
    privateIP: seen.privateIP,
    publicIP: seen.publicIP,
    privateDNS: seen.privateDNS,
    publicDNS: seen.publicDNS,
    availabilityZone: seen.zone,
    launchTime: timeOf(seen.launchedAt),
    survivingVolumes: survivorsOf(seen),
    consoleOutput: seen.attributes.console?.text,
    consoleOutputTimestamp: timeOf(seen.attributes.console?.at),
  }),
  outputsOf: (seen, { partition, region, account }) =>
    Object.fromEntries(
      Object.entries({
        arn: `arn:${partition}:ec2:${region}:${account}:instance/${seen.id}`,
        instanceID: seen.id,
        privateIP: seen.privateIP,
        publicIP: seen.publicIP,
        privateDNS: seen.privateDNS,
        publicDNS: seen.publicDNS,
        availabilityZone: seen.zone,
      }).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
};

/** A stopped instance is as ready as a running one: whether it runs is a field. */
function machineState({ id, state, reason }: Machine): ResourceState {
  if (state === "running" || state === "stopped") return { is: "ready" };
  if (state === "shutting-down") {
    const why = reason === undefined ? "" : ` (${reason})`;
    return { is: "going", message: `${id} is shutting down${why}`, pollMs: POLL_MS };
  }
  if (state === TERMINATED) return { is: "ended", message: reason ?? `${id} was terminated` };
  return { is: "busy", message: `${id} is ${state}`, pollMs: POLL_MS };
}

function survivorsOf({ disks }: Machine): string[] | undefined {
  const kept = disks.filter(({ deleteOnTermination }) => !deleteOnTermination).map(({ volumeId }) => volumeId);
  return kept.length === 0 ? undefined : kept;
}

function timeOf(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
