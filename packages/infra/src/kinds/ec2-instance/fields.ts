import type { Json } from "@gatewright/kube";
import type { Field, FieldChange } from "../../engine/field.ts";
import { METADATA_OPTIONS } from "./machine.ts";
import type { Attributes, Machine } from "./machine.ts";
import { VOLUME_FIELDS } from "./volumes.ts";
import type { MachineSpec } from "./volumes.ts";

type MachineField = Field<MachineSpec, Machine>;

const field = (
  path: keyof MachineSpec,
  have: (seen: Machine) => Json | undefined,
  more: Partial<MachineField> = {},
): MachineField => ({ path, change: "in-place", want: (spec) => spec[path] as Json | undefined, have, ...more });

const replacing = (path: keyof MachineSpec, have: (seen: Machine) => Json | undefined): MachineField =>
  field(path, have, { change: "replace" satisfies FieldChange });

/** Told by a call of its own. */
const attribute = (path: keyof MachineSpec & keyof Attributes, unset: Json): MachineField =>
  field(path, ({ attributes }) => attributes[path], { unset });

const sorted = (list: readonly string[] | undefined): Json | undefined => list && [...list].toSorted();

/** What the spec says of an instance that is left as it is, but for starting it again when it was stopped for a change. */
export const AS_BEFORE = "AsBefore";

const STOPPED_FOR_CHANGE = "StoppedForChange";

const state: MachineField = {
  path: "state",
  change: "in-place",
  want: (spec) => spec.state ?? AS_BEFORE,
  have: ({ state: is, startAgain }) =>
    startAgain ? STOPPED_FOR_CHANGE : is === "running" || is === "pending" ? "Running" : "Stopped",
  same: (want, have) => want === have || (want === AS_BEFORE && have !== STOPPED_FOR_CHANGE),
};

/** What was stopped for a change is started again, also when `state` is ignored and when the change is not wanted any more. */
const startedAgain: MachineField = {
  path: "allowStopForChanges",
  change: "in-place",
  want: (spec) => (spec.allowStopForChanges === true ? AS_BEFORE : undefined),
  have: ({ startAgain }) => (startAgain ? STOPPED_FOR_CHANGE : AS_BEFORE),
  unset: AS_BEFORE,
};

/** A profile is told by its ARN, which ends in its name. */
function isProfile(want: Json, have: Json | undefined): boolean {
  if (typeof want !== "string" || typeof have !== "string") return false;
  return have === want || have.slice(have.lastIndexOf("/") + 1) === want;
}

/** The fields of an EC2Instance. */
export const MACHINE_FIELDS: readonly MachineField[] = [
  {
    path: "instanceName",
    change: "in-place",
    want: ({ tags = {}, instanceName }) => (Object.hasOwn(tags, "Name") ? tags["Name"] : instanceName),
    have: ({ tags }) => tags["Name"],
  },
  field("instanceType", ({ type }) => type),
  replacing("imageID", ({ image }) => image),
  replacing("keyName", ({ key }) => key),
  replacing("subnetID", ({ subnet }) => subnet),
  replacing("privateIpAddress", ({ privateIP }) => privateIP),
  field("securityGroupIDs", ({ groups }) => [...groups], { want: (spec) => sorted(spec.securityGroupIDs) }),
  field("sourceDestCheck", ({ sourceDestCheck }) => sourceDestCheck, { unset: true }),
  field("iamInstanceProfile", ({ profile }) => profile, { same: isProfile, unset: null }),
  { ...attribute("userData", ""), secret: true },
  field("ebsOptimized", ({ ebsOptimized }) => ebsOptimized, { unset: false }),
  field("monitoring", ({ monitoring }) => monitoring, { unset: false }),
  attribute("disableApiTermination", false),
  attribute("disableApiStop", false),
  attribute("instanceInitiatedShutdownBehavior", "stop"),
  ...(Object.keys(METADATA_OPTIONS) as (keyof typeof METADATA_OPTIONS)[]).map((name): MachineField => ({
    path: `metadataOptions.${name}`,
    change: "in-place",
    want: ({ metadataOptions }) => metadataOptions?.[name],
    have: ({ metadata }) => metadata[name],
  })),
  ...VOLUME_FIELDS,
  state,
  startedAgain,
  { path: "associatePublicIpAddress", change: "at-creation", want: (spec) => spec.associatePublicIpAddress },
  // What is declared is read: a console that nobody wants is not asked for.
  { path: "enableConsoleOutput", change: "at-creation", want: (spec) => spec.enableConsoleOutput || undefined },
];
