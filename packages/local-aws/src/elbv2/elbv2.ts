import type { Operations } from "@gatewright/aws-wire/types/elbv2";
import type { CertificateUse, Certificates, LoadBalancerNames, TaggedResources } from "../neighbours.ts";
import { service } from "../service.ts";
import type { Service } from "../service.ts";
import type { AwsWorld } from "../world.ts";
import { accountLimitOperations } from "./account-limits.ts";
import type { Place } from "./arn.ts";
import { berthAddress, FIRST_NET } from "./berth.ts";
import type { Addressing } from "./berth.ts";
import { certificateUse } from "./certificate-use.ts";
import type { Ground, SubnetFacts, TargetHealthSource } from "./ground.ts";
import { listenerAttributeOperations } from "./listener-attributes.ts";
import { listenerCertificateOperations } from "./listener-certificates.ts";
import { listenerOperations } from "./listener-operations.ts";
import { loadBalancerAttributeOperations } from "./load-balancer-attributes.ts";
import { loadBalancerOperations } from "./load-balancer-operations.ts";
import { quotas } from "./quotas.ts";
import type { QuotaSettings } from "./quotas.ts";
import { ruleOperations } from "./rule-operations.ts";
import { sslPolicyOperations } from "./ssl-policies.ts";
import { ElbStore } from "./store.ts";
import { tagOperations, taggedResources } from "./tag-operations.ts";
import { groupAttributeOperations } from "./target-group-attributes.ts";
import { targetGroupOperations } from "./target-group-operations.ts";
import { assumedHealth } from "./target-health.ts";
import { targetOperations } from "./target-operations.ts";

export interface Elbv2Options {
  readonly certificates: Certificates;
  /** What is known of a subnet. Default: nothing; subnets are taken as they come. */
  readonly subnetOf?: (place: Place, subnetId: string) => SubnetFacts | undefined;
  /** Default: AWS's own. */
  readonly quotas?: QuotaSettings;
  /** Default: an address each. */
  readonly addressing?: Addressing;
}

/** Elastic Load Balancing: what is asked for. What serves it is the balancer. */
export interface Elbv2 {
  readonly service: Service;
  readonly certificateUse: CertificateUse;
  readonly names: LoadBalancerNames;
  readonly tagged: TaggedResources;
  readonly store: ElbStore;
  readonly addressing: Addressing;
  /** Tells who checks targets from now on. Until then they count as healthy after the time that checks would take. */
  checkedBy(source: TargetHealthSource | undefined): void;
}

export function createElbv2(world: AwsWorld, options: Elbv2Options): Elbv2 {
  const store = new ElbStore(world.state);
  const addressing = options.addressing ?? FIRST_NET;
  const assumed = assumedHealth(world);
  let checker: TargetHealthSource = assumed;
  const ground: Ground = {
    world,
    store,
    quotas: quotas(options.quotas),
    certificates: options.certificates,
    health: { healthOf: (group, target) => checker.healthOf(group, target) },
    subnetOf: options.subnetOf ?? (() => undefined),
  };
  return {
    service: service<Operations>("elbv2", {
      ...loadBalancerOperations(ground),
      ...loadBalancerAttributeOperations(ground),
      ...listenerOperations(ground),
      ...listenerAttributeOperations(ground),
      ...listenerCertificateOperations(ground),
      ...ruleOperations(ground),
      ...targetGroupOperations(ground),
      ...groupAttributeOperations(ground),
      ...targetOperations(ground),
      ...tagOperations(ground),
      ...sslPolicyOperations(),
      ...accountLimitOperations(ground),
    }),
    certificateUse: certificateUse(store),
    names: loadBalancerNames(store, addressing),
    tagged: taggedResources(store),
    store,
    addressing,
    checkedBy: (source) => {
      checker = source ?? assumed;
    },
  };
}

function loadBalancerNames(store: ElbStore, addressing: Addressing): LoadBalancerNames {
  return {
    addressesOf(dnsName) {
      const name = dnsName
        .toLowerCase()
        .replace(/\.$/, "")
        .replace(/^dualstack\./, "");
      const found = store.loadBalancers.list().find(([, record]) => record.dnsName.toLowerCase() === name)?.[1];
      if (found === undefined) return undefined;
      return { canonicalZoneId: found.zoneId, ipv4: [berthAddress(found.berth, addressing)], ipv6: [] };
    },
  };
}
