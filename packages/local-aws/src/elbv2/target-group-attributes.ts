import type { Operations } from "@gatewright/aws-wire/types/elbv2";
import type { Handlers } from "../service.ts";
import { allAttributes, attribute, changedAttributes, flag, oneOf, text, whole } from "./attributes.ts";
import type { AttributeRules } from "./attributes.ts";
import type { Ground } from "./ground.ts";
import type { TargetGroupRecord } from "./records.ts";

const WEEK_SECONDS = 604_800;

const HEALTHY_ENOUGH: AttributeRules = new Map([
  ["load_balancing.cross_zone.enabled", oneOf(["use_load_balancer_configuration", "true", "false"])],
  ["target_group_health.dns_failover.minimum_healthy_targets.count", whole(1, 1000, 1, ["off"])],
  ["target_group_health.dns_failover.minimum_healthy_targets.percentage", whole(1, 100, "off", ["off"])],
  ["target_group_health.unhealthy_state_routing.minimum_healthy_targets.count", whole(1, 1000, 1)],
  ["target_group_health.unhealthy_state_routing.minimum_healthy_targets.percentage", whole(1, 100, "off", ["off"])],
]);

const WEB: AttributeRules = new Map([
  ["deregistration_delay.timeout_seconds", whole(0, 3600, 300)],
  ["stickiness.enabled", flag(false)],
  ["stickiness.type", oneOf(["lb_cookie", "app_cookie"])],
  ["stickiness.lb_cookie.duration_seconds", whole(1, WEEK_SECONDS, 86_400)],
  ["stickiness.app_cookie.cookie_name", text()],
  ["stickiness.app_cookie.duration_seconds", whole(1, WEEK_SECONDS, 86_400)],
  ["load_balancing.algorithm.type", oneOf(["round_robin", "least_outstanding_requests", "weighted_random"])],
  ["load_balancing.algorithm.anomaly_mitigation", oneOf(["off", "on"])],
  [
    "slow_start.duration_seconds",
    { default: "0", accepts: (value) => value === "0" || whole(30, 900, 0).accepts(value) },
  ],
  ...HEALTHY_ENOUGH,
]);

const LAMBDA: AttributeRules = new Map([["lambda.multi_value_headers.enabled", flag(false)]]);

const STREAM: AttributeRules = new Map([
  ["deregistration_delay.timeout_seconds", whole(0, 3600, 300)],
  ["deregistration_delay.connection_termination.enabled", flag(false)],
  ["stickiness.enabled", flag(false)],
  ["stickiness.type", oneOf(["source_ip"])],
  ["preserve_client_ip.enabled", flag(false)],
  ["proxy_protocol_v2.enabled", flag(false)],
  ["target_health_state.unhealthy.connection_termination.enabled", flag(true)],
  ["target_health_state.unhealthy.draining_interval_seconds", whole(0, 360_000, 0)],
  ...HEALTHY_ENOUGH,
]);

function rulesFor({ settings }: TargetGroupRecord): AttributeRules {
  if (settings.TargetType === "lambda") return LAMBDA;
  return settings.Protocol === "HTTP" || settings.Protocol === "HTTPS" ? WEB : STREAM;
}

/** An attribute of a target group, or its default. */
export function groupAttribute(record: TargetGroupRecord, key: string): string {
  return attribute(rulesFor(record), record.attributes, key);
}

/** Reads and changes the attributes of target groups. */
export function groupAttributeOperations({
  store,
}: Ground): Handlers<Pick<Operations, "DescribeTargetGroupAttributes" | "ModifyTargetGroupAttributes">> {
  return {
    DescribeTargetGroupAttributes(input, context) {
      const record = store.group(context, input.TargetGroupArn);
      return { Attributes: allAttributes(rulesFor(record), record.attributes) };
    },
    async ModifyTargetGroupAttributes(input, context) {
      const record = store.group(context, input.TargetGroupArn);
      const attributes = changedAttributes(rulesFor(record), record.attributes, input.Attributes, "Target group");
      await store.commit((commit) => commit.put(store.groups, record.arn, { ...record, attributes }));
      return { Attributes: allAttributes(rulesFor(record), attributes) };
    },
  };
}
