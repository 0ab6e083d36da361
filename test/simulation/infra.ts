import { staticCredentials } from "@gatewright/aws";
import { ALL_KINDS, infra } from "@gatewright/infra";
import type { JsonObject, KubeObject } from "@gatewright/kube";
import { crdOf } from "@gatewright/kube/define/manifests";
import { LAPTOP_KEY } from "@gatewright/local-aws";
import { allResources, AWSProvider } from "@gatewright/resources";
import { createManager } from "@gatewright/runtime";
import { addProbed } from "@gatewright/runtime/simulation";
import type { GroupVersionObject, Part, Program, Scenario, Step } from "@gatewright/runtime/simulation";
import { awsSystem, REGION, sendOver } from "./aws-system.ts";
import { infraLaws } from "./infra-laws.ts";
import { APPROVE, approver, deleter, disowner } from "./infra-people.ts";
import { SUBJECTS } from "./infra-kinds.ts";
import { infraResources } from "./infra-subjects.ts";
import type { InfraSubject } from "./infra-subjects.ts";

/** Renewed less often than by default: renewals are a third of all that happens. */
const LEASE = { namespace: "platform", name: "gatewright", retryMs: 5_000 };
const HOME = "shop";
/** A few times as fast as AWS. */
const PACE = 0.25;

/** What is drawn: by AWS, or with a uid in it. */
const DRAWN = [
  APPROVE,
  "token",
  "privateIP",
  "publicIP",
  "privateDNS",
  "publicDNS",
  "roleId",
  "masterUserSecretArn",
  "tableId",
  "streamARN",
  "latestStreamArn",
  "volumeIDs",
  "resourceId",
];

const programOf =
  (kinds: typeof ALL_KINDS): Program =>
  ({ transport, clock, random, log, identity, probe, system }) => {
    const manager = createManager({ name: "gatewright", transport, clock, random, log, lease: { ...LEASE, identity } });
    const { providers, resources } = infra({
      kinds,
      clock,
      random,
      send: sendOver(system("aws")),
      tenantSend: () => Promise.reject(new Error("no provider names an endpoint")),
      credentials: staticCredentials(LAPTOP_KEY),
      gate: () => manager.gate.check(),
      settings: { cluster: "simulated" },
    });
    addProbed(probe, manager, providers);
    for (const controller of resources) addProbed(probe, manager, controller);
    return manager;
  };

const namespace = (name: string): KubeObject => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } });

const provider: KubeObject = {
  apiVersion: `${AWSProvider.group}/${AWSProvider.version}`,
  kind: AWSProvider.kind,
  metadata: { namespace: HOME, name: "aws" },
  spec: { region: REGION, defaultTags: { via: "aws" } },
};

const CALM_MS = 9_000;
/** For how long AWS must have denied a resource before its object is let go. */
const BEHIND_MS = 120_000;

/** Reads lag, and what somebody deleted is not missed by the first one. */
const OFTEN = { drift: { interval: "1m" } };

/** Which the resource has that is found by them. */
const TAGS = { lost: "and found" };

/**
 * Objects of one kind come, change, take over, are refused, are replaced, lose their resources and go, by every policy; two processes
 * of which one leads.
 */
export function infraScenario(subject: InfraSubject): Scenario {
  const kind = ALL_KINDS.find(({ resource }) => resource.kind === subject.kind);
  if (kind === undefined) throw new TypeError(`there is no kind ${subject.kind}`);
  const { resource } = kind;
  const [first, second, third] = subject.changes;
  const wants = (name: string, spec: JsonObject = {}): KubeObject => ({
    apiVersion: `${resource.group}/${resource.version}`,
    kind: resource.kind,
    metadata: { namespace: HOME, name },
    spec: { providerRef: { name: "aws" }, ...subject.base(`sim-${name}`), ...spec },
  });
  const at = (name: string): GroupVersionObject => ({ ...resource, namespace: HOME, name });
  const program = programOf([kind]);
  const { make, makeTagged, refers, replaced, unmake, untag } = subject;
  const web: Step = { at: 10_000, create: wants("web", { ...first, tags: { team: "a" }, deletionPolicy: "Delete" }) };
  const part = (name: string, ...steps: readonly Step[]): Part => ({ name, steps });
  const parts: readonly (Part | undefined)[] = [
    // Those that stay are made before anything goes wrong: one that is deleted before it was made leaves nothing, which is as good.
    {
      ...part(
        "kept",
        { at: 2_000, create: wants("kept", { deletionPolicy: "Retain" }) },
        { at: 50_000, delete: at("kept") },
      ),
      calmMs: CALM_MS,
    },
    {
      ...part(
        "orphan",
        { at: 3_000, create: wants("orphan", { deletionPolicy: "Orphan" }) },
        { at: 55_000, delete: at("orphan") },
      ),
      calmMs: CALM_MS,
    },
    untag && {
      ...part(
        "disowned",
        { at: 3_000, create: wants("disowned", { deletionPolicy: "Delete" }) },
        { at: 45_000, delete: at("disowned") },
      ),
      calmMs: CALM_MS,
    },
    // Gone again while it is made: whoever did not write down what they were about to do leaves something behind.
    part(
      "hasty",
      { at: 9_500, create: wants("hasty", { deletionPolicy: "Delete" }) },
      { at: 13_500, delete: at("hasty") },
    ),
    part(
      "web",
      web,
      { at: 30_000, patch: at("web"), with: { spec: second } },
      { at: 32_000, patch: at("web"), with: { spec: { ...first, tags: { team: "b" } } } },
      { at: 34_000, patch: at("web"), with: { spec: { ...second, tags: { team: null, kept: "yes" } } } },
      { at: 60_000, patch: at("web"), with: { spec: third } },
    ),
    part(
      "brief",
      { at: 11_000, create: wants("brief", { deletionPolicy: "Delete" }) },
      { at: 40_000, delete: at("brief") },
      { at: 42_000, create: wants("brief", { ...first, deletionPolicy: "Delete" }) },
    ),
    refers && part("user", web, { at: 12_000, create: wants("user", { ...refers, deletionPolicy: "Delete" }) }),
    make &&
      part(
        "taken",
        { at: 13_000, create: wants("taken", { deletionPolicy: "Orphan", management: { adopt: { byName: true } } }) },
        { at: 70_000, patch: at("taken"), with: { spec: first } },
      ),
    make &&
      part(
        "foreign",
        { at: 14_000, create: wants("foreign", { ...first, deletionPolicy: "Delete" }) },
        { at: 65_000, delete: at("foreign") },
      ),
    replaced && {
      ...part(
        "swap",
        { at: 3_500, create: wants("swap", { deletionPolicy: "Delete" }) },
        { at: 25_000, patch: at("swap"), with: { spec: replaced } },
      ),
      calmMs: CALM_MS,
    },
    unmake && part("lost", { at: 15_000, create: wants("lost", { deletionPolicy: "Delete", management: OFTEN }) }),
    makeTagged &&
      part("tagged", {
        at: 16_000,
        create: wants("tagged", { deletionPolicy: "Orphan", management: { adopt: { byTags: TAGS } } }),
      }),
  ];
  const used = new Set<string>([AWSProvider.kind, resource.kind]);
  return {
    name: `infra-${resource.kind.toLowerCase()}`,
    about: `${resource.kind} with a standby, on AWS: made, changed, taken over, replaced, retained and deleted`,
    before: [
      ...allResources.filter((each) => used.has(each.kind)).map((each) => crdOf(each) as unknown as KubeObject),
      namespace(HOME),
      namespace(LEASE.namespace),
    ],
    steps: [{ at: 1_000, create: provider }],
    parts: parts.filter((part) => part !== undefined),
    longestWaitMs: 20_000,
    actors: [
      approver(resource, new Set(["swap", "lost"])),
      ...(unmake === undefined ? [] : [deleter(resource, "lost", unmake)]),
      ...(untag === undefined ? [] : [disowner(resource, "disowned", untag)]),
    ],
    calmMs: CALM_MS,
    // The whole status is replaced: who owns what depends on which states there were in between.
    judgesOwnership: false,
    processes: [
      { name: "a", program },
      { name: "b", program },
    ],
    lease: LEASE,
    systems: [
      awsSystem({
        durations: PACE,
        // Reads that are behind for longer, by what AWS takes and by faults together, are believed when an object goes.
        staleMs: BEHIND_MS - (kind.lagMs ?? 0),
        resources: infraResources(subject),
        before: async (aws, signal) => {
          for (const name of ["sim-taken", "sim-foreign"]) await make?.(aws, name, signal);
          await makeTagged?.(aws, "sim-tagged", TAGS, signal);
        },
      }),
    ],
    law: infraLaws({
      protects: / sim-(?:kept|orphan|taken|tagged|disowned)$/,
      foreign: / sim-foreign$/,
      replaced: { object: "swap", resource: / sim-swap$/ },
    }),
    stays: / sim-(?:kept|orphan|taken|tagged|disowned)\b/,
    drawn: DRAWN,
    // Who was not told that its creation went well makes the one anew that somebody deleted meanwhile, and counts no replacement.
    incidental: ["replacements"],
    quietMs: subject.quietMs ?? 2 * 60_000,
    // A queue that was read when reads were behind is read again when they cannot be.
    convergeMs: 45 * 60_000,
  };
}

export const INFRA_SCENARIOS: readonly Scenario[] = SUBJECTS.map(infraScenario);
