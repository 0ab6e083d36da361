import { codecOf, loadModel, signRequest } from "@gatewright/aws-wire";
import type { CreateHostedZoneResponse } from "@gatewright/aws-wire/types/route53";
import { createAws, createBudgets, createCertificates } from "@gatewright/aws";
import type { Aws, CallerOptions, CertificateOrder, Certificates, CertificateSettings } from "@gatewright/aws";
import { composeServices, createLocalAws, createMemoryState } from "@gatewright/local-aws";
import type { Faults, LocalAws } from "@gatewright/local-aws";
import { ManualClock, nextTurn, seededRandom } from "@gatewright/ports";

export const CLUSTER = { key: "gatewright.dev/cluster", value: "test" };

const OTHER_REGION = "us-east-1";

/** A process that looks after certificates. */
export interface Process {
  readonly certificates: Certificates;
  /** Owners and ARNs as they were told. */
  readonly told: { readonly arn: string; readonly owners: readonly string[] }[];
  readonly warnings: string[];
  readonly stop: () => Promise<void>;
}

/** The local AWS on virtual time, as slow and as late as the real one, with trouble on request. */
export interface AcmWorld {
  readonly clock: ManualClock;
  readonly local: LocalAws;
  /** As a bystander sees it, without trouble and without a limit. */
  readonly bystander: Aws;
  /** The bystander in the other region that processes know of. */
  readonly elsewhere: Aws;
  start(settings?: Partial<CertificateSettings>): Process;
  /** Lets time pass until the condition holds; false when it did not within so many seconds. */
  until(holds: () => boolean | Promise<boolean>, seconds?: number): Promise<boolean>;
  pass(seconds: number): Promise<void>;
  /** Calls to ACM since the beginning, by operation, those of the bystander not among them. */
  calls(): ReadonlyMap<string, number>;
  /** Puts the validation records of a certificate into a zone. */
  prove(arn: string): Promise<void>;
  /** A zone for the names of the test. */
  readonly zoneId: string;
}

export interface AcmWorldOptions {
  readonly faults?: Faults;
  readonly durations?: number;
  readonly limits?: "aws" | "off";
  readonly gate?: () => void;
}

export async function acmWorld(options: AcmWorldOptions = {}): Promise<AcmWorld> {
  const clock = new ManualClock();
  const pace = { durations: options.durations ?? 1, lag: true };
  const world = { clock, random: seededRandom(1), state: createMemoryState(), pace };
  const services = composeServices(world).all;
  const onFault = (error: unknown): void => {
    throw error;
  };
  const { faults = {}, limits = "aws" } = options;
  const local = await createLocalAws({ world, services, limits, faults, onFault });
  const quiet = await createLocalAws({ world, services, limits: "off", onFault });
  const through = (
    front: LocalAws,
    seed: number,
    manners: Pick<CallerOptions, "gate" | "budgets"> = {},
    region = "eu-west-1",
  ): Aws =>
    createAws({
      region,
      credentials: async () => ({ accessKeyId: "test", secretAccessKey: "test" }),
      send: (_endpoint, request, signal) => front.handle(request, signal),
      clock,
      random: seededRandom(seed),
      ...manners,
    });
  const bystander = through(quiet, 2);
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 8; turn++) await nextTurn();
  };
  const during = async <T>(work: Promise<T>): Promise<T> => {
    let settled = false;
    const end = (): void => void (settled = true);
    work.then(end, end);
    while (!settled) {
      await turns();
      if (!settled) clock.advance(250);
    }
    return work;
  };
  const zoneId = await during(makeZone(quiet, clock, "example.com"));
  let seed = 10;
  return {
    clock,
    local,
    bystander,
    elsewhere: through(quiet, 3, {}, OTHER_REGION),
    zoneId,
    start(settings = {}) {
      const told: { arn: string; owners: readonly string[] }[] = [];
      const warnings: string[] = [];
      const certificates = createCertificates({
        aws: through(local, seed++, {
          budgets: createBudgets(clock),
          ...(options.gate !== undefined && { gate: options.gate }),
        }),
        otherRegions: [through(local, seed++, {}, OTHER_REGION)],
        clusterTag: CLUSTER,
        clock,
        random: seededRandom(seed++),
        log: { warn: (message) => void warnings.push(message) },
        settings,
      });
      certificates.onChange((arn, owners) => void told.push({ arn, owners }));
      const stopping = new AbortController();
      const running = certificates.run(stopping.signal);
      return {
        certificates,
        told,
        warnings,
        async stop() {
          stopping.abort(new Error("stopping"));
          await running;
        },
      };
    },
    async until(holds, seconds = 600) {
      for (let step = 0; step < seconds * 4; step++) {
        await turns();
        if (await holds()) return true;
        clock.advance(250);
      }
      return false;
    },
    async pass(seconds) {
      for (let second = 0; second < seconds; second++) {
        await turns();
        clock.advance(1_000);
      }
      await turns();
    },
    calls() {
      const counts = new Map<string, number>();
      for (const { service, operation } of local.journal.calls()) {
        if (service !== "acm" && service !== "tagging") continue;
        counts.set(operation, (counts.get(operation) ?? 0) + 1);
      }
      return counts;
    },
    async prove(arn) {
      const { Certificate } = await during(bystander.acm.describeCertificate({ CertificateArn: arn }));
      const records = new Map(
        (Certificate?.DomainValidationOptions ?? []).flatMap(({ ResourceRecord: record }) =>
          record === undefined ? [] : [[record.Name, record]],
        ),
      );
      const Changes = [...records.values()].map(({ Name, Value }) => ({
        Action: "UPSERT",
        ResourceRecordSet: { Name, Type: "CNAME", TTL: 60, ResourceRecords: [{ Value }] },
      }));
      await during(bystander.route53.changeResourceRecordSets({ HostedZoneId: zoneId, ChangeBatch: { Changes } }));
    },
  };
}

/** Operators make no zones, so their client cannot. */
async function makeZone(front: LocalAws, clock: ManualClock, name: string): Promise<string> {
  const model = await loadModel("route53");
  const codec = codecOf(model);
  const request = codec.encodeRequest(model, "CreateHostedZone", { Name: name, CallerReference: "test" });
  const headers = signRequest({
    ...request,
    headers: { ...request.headers, host: "route53.amazonaws.com" },
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
    region: "us-east-1",
    service: model.signingName,
    now: clock.now(),
  });
  const answer = await front.handle({ ...request, headers }, new AbortController().signal);
  const { HostedZone } = codec.decodeResponse(model, "CreateHostedZone", answer) as CreateHostedZoneResponse;
  return HostedZone.Id.replace("/hostedzone/", "");
}

/** An order as a claim would give it. */
export function orderFor(token: string, names: readonly string[], owner = token): CertificateOrder {
  return {
    names,
    token,
    keyAlgorithm: "EC_prime256v1",
    tags: { [CLUSTER.key]: CLUSTER.value, "managed-by": "gatewright" },
    owner,
  };
}
