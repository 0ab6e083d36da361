import { isAbsent } from "@gatewright/aws";
import type { Aws } from "@gatewright/aws";
import { core } from "@gatewright/kube/api";
import { confirmPresent, createManager, done } from "@gatewright/runtime";
import type { ControllerDefinition } from "@gatewright/runtime";
import { addProbed } from "@gatewright/runtime/simulation";
import type { Program, Scenario } from "@gatewright/runtime/simulation";
import { at, original } from "../../packages/runtime/src/simulation/testing/mirror.ts";
import { awsSystem, simulatedAws } from "./aws-system.ts";

const FINALIZER = "simulation.test/certified";
const OF = "simulation.test/certificate";
const LEASE = { namespace: "default", name: "certified" };

/** Bugs that it may have. */
interface CertifiedOptions {
  /** Asks with another token each time: a bug. */
  readonly newToken?: boolean;
  /** Forgets to ask who leads before it changes AWS: a bug. */
  readonly ungated?: boolean;
  /** Lets the ConfigMap go first: a bug. */
  readonly hasty?: boolean;
}

/** Keeps one certificate in ACM for each ConfigMap, whose ARN is in an annotation. */
function certified(aws: Aws, { newToken, hasty }: CertifiedOptions): ControllerDefinition<core.ConfigMap> {
  let asked = 0;
  return {
    name: "certified",
    for: core.ConfigMap,
    scope: { namespace: "originals" },
    access: [{ resource: core.ConfigMap, verbs: ["get", "patch"] }],
    async reconcile({ object, client, ref, signal }) {
      if (object === undefined || ref.name === "kube-root-ca.crt") return done();
      const maps = client.for(core.ConfigMap);
      const { uid = "", resourceVersion, deletionTimestamp, finalizers = [], annotations } = object.metadata;
      const write = (metadata: object): Promise<unknown> =>
        maps.patch(ref, { merge: { metadata: { uid, resourceVersion, ...metadata } } });
      const order = {
        DomainName: `${ref.name}.example.com`,
        ValidationMethod: "DNS",
        IdempotencyToken: newToken === true ? `t${++asked}` : uid.replaceAll("-", ""),
        Tags: [{ Key: "of", Value: uid }],
      };
      const ask = async (): Promise<string> =>
        (await aws.acm.requestCertificate(order, { signal })).CertificateArn ?? "";
      if (deletionTimestamp !== undefined) {
        if (!finalizers.includes(FINALIZER)) return done();
        if (hasty === true) await write({ finalizers: [] });
        // What was asked for without the answer being heard is found by asking once more, and written down before it goes: asked for
        // afterwards, it would be made anew.
        const arn = annotations?.[OF] ?? (await ask());
        if (annotations?.[OF] === undefined && hasty !== true) {
          await write({ annotations: { [OF]: arn } });
          return done();
        }
        await aws.acm.deleteCertificate({ CertificateArn: arn }, { signal }).catch((error: unknown) => {
          if (!isAbsent(error)) throw error;
        });
        if (hasty !== true) await write({ finalizers: [] });
        return done();
      }
      if (!finalizers.includes(FINALIZER)) await write({ finalizers: [FINALIZER] });
      else if (annotations?.[OF] === undefined) {
        // Who leads from now on may know it from an old cache alone.
        await confirmPresent(client, core.ConfigMap, object, { signal });
        await write({ annotations: { [OF]: await ask() } });
      }
      return done();
    },
  };
}

function program(options: CertifiedOptions): Program {
  return ({ transport, clock, random, log, identity, probe, system }) => {
    // Renewed half as often as by default, as in the scenario of websites.
    const lease = { ...LEASE, identity, retryMs: 4_000 };
    const manager = createManager({ name: "certified", transport, clock, random, log, lease });
    const gate = options.ungated === true ? {} : { gate: () => manager.gate.check() };
    addProbed(probe, manager, certified(simulatedAws({ port: system("aws"), clock, random, ...gate }), options));
    return manager;
  };
}

const namespace = (name: string) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } });

/** The smallest controller that calls AWS, with a standby. */
export function certifiedScenario(options: CertifiedOptions = {}): Scenario {
  return {
    name: "certified",
    about: "one certificate in ACM for each ConfigMap, with a standby",
    before: [namespace("originals")],
    steps: [
      { at: 1_000, create: original("a", {}) },
      { at: 5_000, create: original("b", {}) },
      { at: 12_000, delete: at("b") },
      { at: 20_000, create: original("c", {}) },
      { at: 30_000, create: original("b", {}) },
    ],
    processes: [
      { name: "a", program: program(options) },
      { name: "b", program: program(options) },
    ],
    lease: LEASE,
    systems: [awsSystem({ zones: [{ id: "Z1", name: "example.com" }] })],
  };
}
