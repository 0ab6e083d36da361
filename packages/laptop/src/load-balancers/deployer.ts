import { isAbsent } from "@gatewright/aws";
import type { Aws } from "@gatewright/aws";
import type { Clock } from "@gatewright/ports";
import type { AwsStack } from "./aws/aws-stack.ts";
import { CertificateDirectory } from "./aws/certificate-directory.ts";
import { doSteps, madeBefore } from "./aws/do-steps.ts";
import { findNetwork } from "./aws/find-network.ts";
import { observeStack } from "./aws/observe-stack.ts";
import { plan, planRemoval } from "./aws/plan.ts";
import { TagMemory } from "./aws/tag-memory.ts";
import type { KnownCertificate } from "./model/listener-certificates.ts";
import type { GatewayModel, TargetBinding } from "./model/model.ts";
import { RESOURCE_TAG } from "./model/names.ts";
import { bindingOf } from "./model/target-groups.ts";
import type { Balancer } from "./status/gateway-status.ts";
import type { TargetBook } from "./targets/target-book.ts";
import type { TargetRegister } from "./targets/target-register.ts";
import type { Target } from "./targets/wanted-targets.ts";

export interface DeployerOptions {
  readonly aws: Aws;
  readonly clock: Clock;
  readonly cluster: string;
  readonly book: TargetBook;
  readonly register: TargetRegister;
}

interface Deployed {
  readonly text: string;
  readonly arn: string;
  readonly at: number;
}

/** For how long what was made is believed to be as it was made: long enough to wait for a load balancer to come up. */
const BELIEVED_MS = 10 * 60_000;

/** Makes AWS have what models say. What it remembers only saves calls. */
export class Deployer {
  readonly #options: DeployerOptions;
  readonly #tags: TagMemory;
  readonly #certificates: CertificateDirectory;
  readonly #deployed = new Map<string, Deployed>();

  constructor(options: DeployerOptions) {
    this.#options = options;
    this.#tags = new TagMemory(options.aws);
    this.#certificates = new CertificateDirectory(options.aws, options.clock);
  }

  certificates(signal: AbortSignal): Promise<readonly KnownCertificate[]> {
    return this.#certificates.issued(signal);
  }

  /** Resolves when every call is done; the load balancer may not be up yet. `steps`: how many calls it took. */
  async deploy(
    model: GatewayModel,
    targetsOf: (binding: TargetBinding) => readonly Target[],
    signal: AbortSignal,
  ): Promise<{ readonly balancer: Balancer; readonly steps: number }> {
    const { aws, cluster, clock, book, register } = this.#options;
    const text = JSON.stringify(model);
    const before = this.#deployed.get(model.stack);
    if (before?.text === text && clock.monotonic() - before.at < BELIEVED_MS) {
      const balancer = await this.#balancer(before.arn, signal);
      if (balancer !== undefined) return { balancer, steps: 0 };
    }
    this.#deployed.delete(model.stack);
    const network = await findNetwork(aws, model.loadBalancer, signal);
    const stack = await this.#observe({ cluster, stack: model.stack, model }, signal);
    const steps = plan(model, stack, network);
    const made = madeBefore(model, stack);
    const bind = (except: ReadonlySet<string>): void =>
      book.bind(
        model.stack,
        model.targetGroups.flatMap(({ id, binding }) => {
          const arn = made.groups.get(id);
          return arn === undefined || except.has(id) ? [] : [{ arn, binding }];
        }),
      );
    // Targets of what serves must follow their pods even if a step fails for good; the others are filled here.
    bind(new Set(steps.flatMap((step) => (step.do === "fillTargetGroup" ? [step.group.id] : []))));
    const fill = (group: GatewayModel["targetGroups"][number], arn: string): Promise<void> => {
      register.forget(arn);
      return register.set(arn, targetsOf(group.binding), signal);
    };
    await doSteps({ aws, tags: this.#tags, network, fill }, steps, made, signal);
    bind(new Set());
    const arn = made.loadBalancer ?? "";
    const balancer = await this.#balancer(arn, signal);
    if (balancer === undefined) throw new Error(`load balancer ${arn} went while it was made`);
    this.#deployed.set(model.stack, { text, arn, at: clock.monotonic() });
    return { balancer, steps: steps.length };
  }

  /**
   * Lets the targets of a Gateway follow their pods though it cannot be made now: whose they are is told by the tags of its groups.
   * Does nothing when that is known.
   */
  async recall(stack: string, signal: AbortSignal): Promise<void> {
    const { cluster, book } = this.#options;
    if (book.has(stack)) return;
    const there = await this.#observe({ cluster, stack, model: undefined }, signal);
    const groups = there.targetGroups.flatMap(({ arn, tags, shape }) => {
      const binding = bindingOf(tags[RESOURCE_TAG] ?? "", shape.TargetType);
      return binding === undefined ? [] : [{ arn, binding }];
    });
    book.bind(stack, groups);
  }

  /** Leaves nothing in AWS of a Gateway. */
  async remove(stack: string, signal: AbortSignal): Promise<void> {
    const { aws, cluster, book, register } = this.#options;
    this.#deployed.delete(stack);
    book.bind(stack, []);
    const there = await this.#observe({ cluster, stack, model: undefined }, signal);
    for (const { arn } of there.targetGroups) register.forget(arn);
    const workshop = { aws, tags: this.#tags, network: { vpcId: "", subnets: [] }, fill: async () => {} };
    const made = { loadBalancer: undefined, groups: new Map(), listeners: new Map() };
    await doSteps(workshop, planRemoval(there), made, signal);
  }

  /** What others delete meanwhile is no failure of this one: it looks again. */
  async #observe(asked: Parameters<typeof observeStack>[2], signal: AbortSignal): Promise<AwsStack> {
    try {
      return await observeStack(this.#options.aws, this.#tags, asked, signal);
    } catch (error) {
      throw isAbsent(error) ? new Error("AWS changed while it was looked at", { cause: error }) : error;
    }
  }

  async #balancer(arn: string, signal: AbortSignal): Promise<Balancer | undefined> {
    try {
      const { elbv2 } = this.#options.aws;
      const { LoadBalancers } = await elbv2.describeLoadBalancers({ LoadBalancerArns: [arn] }, { signal });
      const [found] = LoadBalancers ?? [];
      const code = found?.State?.Code;
      return { arn, dnsName: found?.DNSName ?? "", active: code === "active" || code === "active_impaired" };
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  }
}
