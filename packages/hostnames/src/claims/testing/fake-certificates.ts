import { AwsCallError, TOKEN_TAG } from "@gatewright/aws";
import type { Certificate, CertificateOrder, Certificates } from "@gatewright/aws";
import { aborted } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import { covers } from "../../names/index.ts";
import type { FakeZones } from "./fake-zones.ts";

/** An ACM in memory that issues what the zone proves. */
export interface FakeCertificates extends Certificates {
  readonly all: Map<string, Certificate>;
  readonly requests: CertificateOrder[];
  /** Changes a certificate behind everybody's back and tells of it; undefined: it is gone. */
  set(arn: string, changes: Partial<Certificate> | undefined): void;
  /** While set, nothing is issued. */
  stuck: boolean;
  /** Names whose validation fails, as with a CAA record that does not allow Amazon. */
  readonly forbidden: Set<string>;
  /** Names whose record nobody finds, as where the name is delegated elsewhere. */
  readonly unseen: Set<string>;
  /** While set, requests are refused with this code. */
  refusal: string | undefined;
}

export function fakeCertificates(clock: Clock, zones: FakeZones): FakeCertificates {
  const all = new Map<string, Certificate>();
  const byToken = new Map<string, string>();
  const owners = new Map<string, Set<string>>();
  const gone = new Set<string>();
  const listeners: ((arn: string, owners: readonly string[]) => void)[] = [];
  const tell = (arn: string): void => {
    for (const listener of listeners) listener(arn, [...(owners.get(arn) ?? [])]);
  };
  const proofOf = (name: string) => {
    const base = name.replace(/^\*\./, "");
    return { name: `_proof.${base}`, value: `${base}.acm-validations.aws` };
  };
  const proven = (name: string): boolean => {
    if (fake.unseen.has(name)) return false;
    const { name: record, value } = proofOf(name);
    return [...zones.records.values()].some((each) => each.name === record && each.values?.[0] === value);
  };
  const look = (arn: string): void => {
    const certificate = all.get(arn);
    if (certificate?.status !== "PENDING_VALIDATION") return;
    if (certificate.names.some((name) => fake.forbidden.has(name))) {
      fake.set(arn, { status: "FAILED", failureReason: "CAA_ERROR" });
    } else if (!fake.stuck && certificate.names.every(proven)) fake.set(arn, { status: "ISSUED" });
    else {
      const validations = (certificate.validations ?? []).map((each) =>
        proven(each.name) ? { ...each, status: "SUCCESS" } : each,
      );
      all.set(arn, { ...certificate, validations });
      clock.timer(5_000, () => look(arn));
    }
  };

  const fake: FakeCertificates = {
    all,
    requests: [],
    stuck: false,
    forbidden: new Set(),
    unseen: new Set(),
    refusal: undefined,
    set(arn, changes) {
      const before = all.get(arn);
      if (changes === undefined) {
        all.delete(arn);
        gone.add(arn);
      } else if (before !== undefined) all.set(arn, { ...before, ...changes });
      else all.set(arn, { arn, status: "ISSUED", type: "AMAZON_ISSUED", names: [], inUse: false, ...changes });
      tell(arn);
    },
    request(order) {
      const known = byToken.get(order.token);
      if (known !== undefined) {
        owners.get(known)!.add(order.owner);
        return all.has(known) || gone.has(known) ? { state: "requested", arn: known } : { state: "waiting" };
      }
      if (fake.refusal !== undefined) {
        const told = {
          kind: "terminal",
          code: fake.refusal,
          message: "no more",
          service: "acm",
          operation: "RequestCertificate",
        } as const;
        return { state: "refused", error: new AwsCallError(told) };
      }
      fake.requests.push(order);
      const arn = `arn:aws:acm:eu-west-1:123456789012:certificate/${fake.requests.length}`;
      byToken.set(order.token, arn);
      owners.set(arn, new Set([order.owner]));
      clock.timer(500, () => {
        all.set(arn, {
          arn,
          status: "PENDING_VALIDATION",
          type: "AMAZON_ISSUED",
          names: order.names,
          inUse: false,
          keyAlgorithm: order.keyAlgorithm,
          tags: new Map(Object.entries({ ...order.tags, [TOKEN_TAG]: order.token })),
        });
        tell(arn);
        clock.timer(2_000, () => {
          fake.set(arn, {
            validations: order.names.map((name) => ({ name, status: "PENDING_VALIDATION", record: proofOf(name) })),
          });
          look(arn);
        });
      });
      return { state: "waiting" };
    },
    remove(arn, owner) {
      const certificate = all.get(arn);
      if (certificate === undefined) return { state: "gone" };
      owners.set(arn, (owners.get(arn) ?? new Set()).add(owner));
      if (certificate.inUse) return { state: "inUse" };
      clock.timer(500, () => fake.set(arn, undefined));
      return { state: "waiting" };
    },
    get: (arn) => all.get(arn) ?? (gone.has(arn) ? "absent" : "unknown"),
    covering: (name, status) =>
      [...all.values()].filter((each) => each.status === status && each.names.some((other) => covers(other, name))),
    carrying: (name) => [...all.values()].filter(({ names }) => names.includes(name) || names.includes(`*.${name}`)),
    describe: async (arn) => all.get(arn) ?? "absent",
    own: () => [...all.values()].filter(({ tags }) => tags?.get("managed-by") === "gatewright"),
    interest() {},
    onChange: (listener) => void listeners.push(listener),
    run: (signal) => aborted(signal),
  };
  return fake;
}
