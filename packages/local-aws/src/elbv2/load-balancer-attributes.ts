import type { Operations } from "@gatewright/aws-wire/types/elbv2";
import type { Handlers } from "../service.ts";
import { allAttributes, attribute, changedAttributes, flag, oneOf, text, whole } from "./attributes.ts";
import type { AttributeRules } from "./attributes.ts";
import type { Ground } from "./ground.ts";
import type { LoadBalancerRecord } from "./records.ts";
import { invalid } from "./refusals.ts";

const LOGS = (kind: string): readonly (readonly [string, ReturnType<typeof text>])[] => [
  [`${kind}.s3.enabled`, flag(false)],
  [`${kind}.s3.bucket`, text()],
  [`${kind}.s3.prefix`, text()],
];

const SHARED = (internal: boolean): AttributeRules =>
  new Map([
    ["deletion_protection.enabled", flag(false)],
    ...LOGS("access_logs"),
    ["ipv6.deny_all_igw_traffic", flag(internal)],
    ["zonal_shift.config.enabled", flag(false)],
  ]);

const APPLICATION = (internal: boolean): AttributeRules =>
  new Map([
    ...SHARED(internal),
    ["load_balancing.cross_zone.enabled", oneOf(["true"])],
    ["idle_timeout.timeout_seconds", whole(1, 4000, 60)],
    ["client_keep_alive.seconds", whole(60, 604_800, 3600)],
    ...LOGS("connection_logs"),
    ...LOGS("health_check_logs"),
    ["routing.http.desync_mitigation_mode", oneOf(["monitor", "defensive", "strictest"], "defensive")],
    ["routing.http.drop_invalid_header_fields.enabled", flag(false)],
    ["routing.http.preserve_host_header.enabled", flag(false)],
    ["routing.http.x_amzn_tls_version_and_cipher_suite.enabled", flag(false)],
    ["routing.http.xff_client_port.enabled", flag(false)],
    ["routing.http.xff_header_processing.mode", oneOf(["append", "preserve", "remove"])],
    ["routing.http2.enabled", flag(true)],
    ["waf.fail_open.enabled", flag(false)],
  ]);

const NETWORK = (internal: boolean): AttributeRules =>
  new Map([
    ...SHARED(internal),
    ["load_balancing.cross_zone.enabled", flag(false)],
    [
      "dns_record.client_routing_policy",
      oneOf(
        ["availability_zone_affinity", "partial_availability_zone_affinity", "any_availability_zone"],
        "any_availability_zone",
      ),
    ],
    ["secondary_ips.auto_assigned.per_subnet", whole(0, 7, 0)],
  ]);

const RULES = {
  application: { "internet-facing": APPLICATION(false), internal: APPLICATION(true) },
  network: { "internet-facing": NETWORK(false), internal: NETWORK(true) },
};

/** An attribute of a load balancer, or its default. */
export function loadBalancerAttribute(record: LoadBalancerRecord, key: string): string {
  return attribute(RULES[record.type][record.scheme], record.attributes, key);
}

/** Reads and changes the attributes of load balancers. */
export function loadBalancerAttributeOperations({
  store,
}: Ground): Handlers<Pick<Operations, "DescribeLoadBalancerAttributes" | "ModifyLoadBalancerAttributes">> {
  const shown = (record: LoadBalancerRecord): { Attributes: { Key: string; Value: string }[] } => ({
    Attributes: allAttributes(RULES[record.type][record.scheme], record.attributes),
  });
  return {
    DescribeLoadBalancerAttributes: (input, context) => shown(store.loadBalancer(context, input.LoadBalancerArn)),
    async ModifyLoadBalancerAttributes(input, context) {
      const record = store.loadBalancer(context, input.LoadBalancerArn);
      const rules = RULES[record.type][record.scheme];
      const attributes = changedAttributes(rules, record.attributes, input.Attributes, "Load balancer");
      const next = { ...record, attributes };
      for (const kind of ["access_logs", "connection_logs", "health_check_logs"]) {
        const enabled = attribute(rules, attributes, `${kind}.s3.enabled`) === "true";
        if (enabled && attribute(rules, attributes, `${kind}.s3.bucket`) === "") {
          throw invalid(`The value of '${kind}.s3.bucket' cannot be empty`);
        }
      }
      await store.commit((commit) => commit.put(store.loadBalancers, record.arn, next));
      return shown(next);
    },
  };
}
