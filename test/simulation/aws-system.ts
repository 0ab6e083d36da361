import { NotSentError, createAws } from "@gatewright/aws";
import type { Aws, Send } from "@gatewright/aws";
import { codecOf, loadModel, signRequest, signatureClaim } from "@gatewright/aws-wire";
import type { ServiceModel, WireRequest, WireResponse } from "@gatewright/aws-wire";
import { LAPTOP_KEY, composeServices, createLocalAws, createMemoryState } from "@gatewright/local-aws";
import type { Call, Fault } from "@gatewright/local-aws";
import type { Clock, Random } from "@gatewright/ports";
import { TransportError } from "@gatewright/runtime";
import type { SystemDefinition, SystemPort, Trouble } from "@gatewright/runtime/simulation";
import { awsResources } from "./aws-resources.ts";

/** A request as it goes over the simulated network. */
interface AwsRequest {
  readonly endpoint: URL;
  readonly request: WireRequest;
}

export interface AwsSystemOptions {
  /** Zones that are there from the beginning. */
  readonly zones?: readonly { readonly id: string; readonly name: string }[];
  /** Multiplies the time that things take. Default: 1, as AWS. */
  readonly durations?: number;
  /** How far behind a read may be that a fault lets be stale. Default: without end. */
  readonly staleMs?: number;
  /** What of it oracles see. Default: what hostnames are made of. */
  readonly resources?: typeof awsResources;
  /** Makes what else is there before anything starts. */
  readonly before?: (aws: Aws, signal: AbortSignal) => Promise<void>;
}

export const REGION = "eu-west-1";
const SERVICES = [
  "acm",
  "route53",
  "elbv2",
  "ec2",
  "sts",
  "tagging",
  "dynamodb",
  "ecr",
  "iam",
  "rds",
  "s3",
  "secretsmanager",
  "sns",
  "sqs",
] as const;
const READS = /^(?:Describe|Get|Head|List|Search|Test)/;
/** AWS refuses what was signed five minutes ago, or will be. */
const LARGEST_SKEW_MS = 4 * 60_000;

/** AWS as a system of a world: at its own pace, with its limits, and with reads that lag behind. */
export function awsSystem(options: AwsSystemOptions): SystemDefinition {
  const { zones = [], before, durations = 1, resources = awsResources, staleMs } = options;
  return {
    name: "aws",
    async open({ clock, random, mishap }) {
      const memory = createMemoryState();
      let revision = 0;
      const state: typeof memory = {
        ...memory,
        commit(change, since) {
          revision++;
          return memory.commit(change, since);
        },
      };
      const world = { clock, random, state, pace: { durations, lag: true } };
      const services = composeServices(world, { acm: { keys: "quick" } });
      /** For the call that is about to be made, and for those under way. */
      let next: Trouble | undefined;
      const troubles = new WeakMap<Call, Trouble>();
      const front = await createLocalAws({
        world,
        services: services.all,
        issued: services.issued,
        ...(staleMs !== undefined && { staleMs }),
        faults: {
          before(call) {
            if (next !== undefined) troubles.set(call, next);
            return next === "late-error" ? undefined : faultOf(next, random);
          },
          after: (call) => (troubles.get(call) === "late-error" ? faultOf("late-error", random) : undefined),
        },
        onFault: (error, where) => mishap(`${where}: ${String(error)}`),
      });
      for (const zone of zones) await services.route53.seedZone({ ...zone, account: LAPTOP_KEY.account });
      const { signal } = new AbortController();
      const handle = (request: WireRequest): Promise<WireResponse> =>
        front.handle(inTime(request, clock.now()), signal);
      await before?.(awsOver({ send: (_, request) => handle(request), clock, random }), signal);
      const models = await Promise.all(SERVICES.map((name) => loadModel(name)));
      let working = 0;
      return {
        describe(asked) {
          const { request } = asked as AwsRequest;
          const { name, operation, input } = decoded(models, request);
          return { site: `${name} ${operation}`, writes: !READS.test(operation), about: JSON.stringify(input) };
        },
        async handle(asked, { trouble }) {
          working++;
          try {
            next = trouble;
            const answer = handle((asked as AwsRequest).request);
            next = undefined;
            return await answer;
          } finally {
            working--;
          }
        },
        summary(answer) {
          const { status, body } = answer as WireResponse;
          const [, code] =
            status < 300 ? [] : (/(?:__type":"|<Code>)([^"<]+)/.exec(Buffer.from(body).toString()) ?? []);
          return { shown: code === undefined ? String(status) : `${status} ${code}`, content: body };
        },
        resources: () => resources(state),
        revision: () => revision,
        busy: () => working > 0,
      };
    },
  };
}

/** AWS for a program: what it sends goes over the simulated network. */
export function simulatedAws(options: {
  readonly port: SystemPort;
  readonly clock: Clock;
  readonly random: Random;
  readonly gate?: () => void;
}): Aws {
  const { port, ...rest } = options;
  return awsOver({ send: sendOver(port), ...rest });
}

function awsOver(options: Pick<Parameters<typeof createAws>[0], "send" | "clock" | "random" | "gate">): Aws {
  return createAws({ region: REGION, credentials: async () => LAPTOP_KEY, ...options });
}

/** {@inheritDoc simulatedAws} */
export function sendOver(port: SystemPort): Send {
  return async (endpoint, request, signal) => {
    try {
      return (await port({ endpoint, request } satisfies AwsRequest, signal)) as WireResponse;
    } catch (error) {
      if (error instanceof TransportError && error.code === "refused") throw new NotSentError(error.message);
      throw error;
    }
  };
}

function faultOf(trouble: Trouble | undefined, random: Random): Fault | undefined {
  switch (trouble) {
    case undefined:
      return undefined;
    case "throttled":
      return { kind: "throttle" };
    case "denied":
      return { kind: "deny" };
    case "stale":
      return { kind: "stale" };
    case "error":
    case "late-error":
      return (random.bytes(1)[0] ?? 0) < 128
        ? { kind: "error", code: "InternalFailure", status: 500 }
        : { kind: "error", code: "ServiceUnavailable", status: 503 };
  }
}

function decoded(models: readonly ServiceModel[], request: WireRequest) {
  const scope = signatureClaim(request.path, request.headers)?.scope.service;
  const model = models.find(({ signingName }) => signingName === scope);
  const call = model && codecOf(model).decodeRequest(model, request);
  return { name: model?.name ?? "nobody", operation: call?.operation ?? "nothing", input: call?.input ?? {} };
}

/**
 * The request as a process would have sent it whose clock is right. Simulated clocks are hours off, which AWS refuses whatever is
 * asked: nothing would be learnt from that.
 */
function inTime(request: WireRequest, now: number): WireRequest {
  const claim = signatureClaim(request.path, request.headers);
  if (claim === undefined || Math.abs(claim.signed - now) < LARGEST_SKEW_MS) return request;
  const { region, service } = claim.scope;
  return { ...request, headers: signRequest({ ...request, credentials: LAPTOP_KEY, region, service, now }) };
}
