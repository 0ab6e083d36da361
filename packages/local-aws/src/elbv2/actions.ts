import type { Action, ForwardActionConfig, RedirectActionConfig } from "@gatewright/aws-wire/types/elbv2";
import { AwsError } from "../aws-error.ts";
import type { Place } from "./arn.ts";
import type { Ground } from "./ground.ts";
import type { ListenerRecord, LoadBalancerRecord } from "./records.ts";
import { invalid } from "./refusals.ts";

const CONTENT_TYPES = ["text/plain", "text/css", "text/html", "application/javascript", "application/json"];

/** Those that stand before the last one. They are kept and told; nobody is asked to log in here. */
const BEFORE = ["authenticate-oidc", "authenticate-cognito", "jwt-validation"];

/** Actions as they are kept: checked, with what AWS fills in. The last one routes; others only stand before it. */
export function checkedActions(
  ground: Ground,
  place: Place,
  {
    loadBalancer,
    protocol,
  }: { readonly loadBalancer: LoadBalancerRecord; readonly protocol: ListenerRecord["protocol"] },
  actions: readonly Action[],
): readonly Action[] {
  if (actions.length === 0) throw invalid("An action must be specified");
  const ordered = actions.length === 1 ? actions : actions.toSorted((one, other) => orderOf(one) - orderOf(other));
  return ordered.map((action, index) => {
    const last = index === ordered.length - 1;
    if (BEFORE.includes(action.Type) !== !last) {
      throw new AwsError(
        "InvalidLoadBalancerAction",
        last
          ? `The last action must be one of 'forward, redirect, fixed-response', not '${action.Type}'`
          : `Action '${action.Type}' can only be the last one`,
      );
    }
    if (loadBalancer.type === "network" && action.Type !== "forward") {
      throw new AwsError("InvalidLoadBalancerAction", `A network load balancer cannot have action '${action.Type}'`);
    }
    if (!last && protocol !== "HTTPS") {
      throw new AwsError(
        "InvalidLoadBalancerAction",
        `Actions of type '${action.Type}' are supported only on HTTPS listeners`,
      );
    }
    return checked(ground, place, loadBalancer, action);
  });
}

/** The target groups that actions forward to. */
export function groupsIn(actions: readonly Action[]): readonly string[] {
  return actions.flatMap((action) =>
    (action.ForwardConfig?.TargetGroups ?? []).flatMap(({ TargetGroupArn: arn }) => (arn === undefined ? [] : [arn])),
  );
}

function orderOf({ Order: order }: Action): number {
  if (order === undefined || order < 1 || order > 50_000) throw invalid("Each action needs an order from 1 to 50000");
  return order;
}

function checked(ground: Ground, place: Place, loadBalancer: LoadBalancerRecord, action: Action): Action {
  const order = action.Order === undefined ? {} : { Order: action.Order };
  switch (action.Type) {
    case "forward":
      return { Type: "forward", ...order, ...forward(ground, place, loadBalancer, action) };
    case "redirect":
      return { Type: "redirect", ...order, RedirectConfig: redirect(action.RedirectConfig) };
    case "fixed-response":
      return { Type: "fixed-response", ...order, FixedResponseConfig: fixedResponse(action) };
    case "authenticate-oidc": {
      const { ClientSecret: _secret, ...config } = action.AuthenticateOidcConfig ?? missing("AuthenticateOidcConfig");
      return { Type: action.Type, ...order, AuthenticateOidcConfig: config };
    }
    case "authenticate-cognito":
      return {
        Type: action.Type,
        ...order,
        AuthenticateCognitoConfig: action.AuthenticateCognitoConfig ?? missing("AuthenticateCognitoConfig"),
      };
    case "jwt-validation":
      return {
        Type: action.Type,
        ...order,
        JwtValidationConfig: action.JwtValidationConfig ?? missing("JwtValidationConfig"),
      };
    default:
      throw invalid(
        `1 validation error detected: Value '${action.Type}' at 'actions.1.member.type' failed to satisfy constraint: Member must satisfy enum value set: [forward, authenticate-oidc, authenticate-cognito, redirect, fixed-response, jwt-validation]`,
      );
  }
}

function missing(name: string): never {
  throw invalid(`An action of this type must have ${name}`);
}

function forward(
  { store, quotas }: Ground,
  place: Place,
  loadBalancer: LoadBalancerRecord,
  { TargetGroupArn: single, ForwardConfig: config }: Action,
): Pick<Action, "TargetGroupArn" | "ForwardConfig"> {
  const tuples = config?.TargetGroups ?? (single === undefined ? [] : [{ TargetGroupArn: single }]);
  if (tuples.length === 0) throw invalid("A forward action must have a target group");
  if (single !== undefined && (tuples.length !== 1 || tuples[0]?.TargetGroupArn !== single)) {
    throw new AwsError("InvalidLoadBalancerAction", "TargetGroupArn and ForwardConfig name different target groups");
  }
  const application = loadBalancer.type === "application";
  quotas.hold(
    application
      ? "target-groups-per-action-on-application-load-balancer"
      : "target-groups-per-action-on-network-load-balancer",
    tuples.length,
    "TooManyTargetGroups",
    "The maximum number of target groups per action has been reached",
  );
  const groups = tuples.map(({ TargetGroupArn: arn = "", Weight: weight = 1 }) => {
    const { settings } = store.group(place, arn);
    const http = settings.TargetType === "lambda" || settings.Protocol === "HTTP" || settings.Protocol === "HTTPS";
    if (http !== application) {
      throw new AwsError(
        "InvalidLoadBalancerAction",
        `The target group '${arn}' has protocol '${settings.Protocol}', which this load balancer does not route to`,
      );
    }
    if (!Number.isInteger(weight) || weight < 0 || weight > 999)
      throw invalid(`Weight '${weight}' must be from 0 to 999`);
    return { TargetGroupArn: arn, Weight: weight };
  });
  if (new Set(groups.map((group) => group.TargetGroupArn)).size < groups.length) {
    throw new AwsError("InvalidLoadBalancerAction", "A target group can be named once in an action");
  }
  const sticky = config?.TargetGroupStickinessConfig;
  const duration = sticky?.DurationSeconds;
  if (sticky?.Enabled === true && (duration === undefined || duration < 1 || duration > 604_800)) {
    throw invalid("Target group stickiness duration must be between 1 and 604800 seconds");
  }
  const [only] = groups;
  return {
    ...(groups.length === 1 && only !== undefined && { TargetGroupArn: only.TargetGroupArn }),
    ForwardConfig: {
      TargetGroups: groups,
      TargetGroupStickinessConfig: {
        Enabled: sticky?.Enabled ?? false,
        ...(duration !== undefined && { DurationSeconds: duration }),
      },
    } satisfies ForwardActionConfig,
  };
}

function redirect(config: RedirectActionConfig | undefined): RedirectActionConfig {
  if (config === undefined) missing("RedirectConfig");
  const {
    Protocol = "#{protocol}",
    Port = "#{port}",
    Host = "#{host}",
    Path = "/#{path}",
    Query = "#{query}",
    StatusCode,
  } = config;
  if (!["HTTP", "HTTPS", "#{protocol}"].includes(Protocol))
    throw invalid(`Redirect protocol '${Protocol}' must be HTTP, HTTPS or #{protocol}`);
  if (Port !== "#{port}" && !(/^\d{1,5}$/.test(Port) && Number(Port) >= 1 && Number(Port) <= 65_535)) {
    throw invalid(`Redirect port '${Port}' must be from 1 to 65535 or #{port}`);
  }
  if (!Path.startsWith("/")) throw invalid(`Redirect path '${Path}' must begin with '/'`);
  if ([Host, Path].some((part) => part.length < 1 || part.length > 128) || Query.length > 128) {
    throw invalid("Redirect host, path and query can have at most 128 characters");
  }
  if (/[\s\p{Cc}]/u.test(Host + Path + Query))
    throw invalid("Redirect host, path and query cannot have spaces or control characters");
  if (!["HTTP_301", "HTTP_302"].includes(StatusCode))
    throw invalid(`Redirect status code '${StatusCode}' must be HTTP_301 or HTTP_302`);
  if (Protocol === "#{protocol}" && Port === "#{port}" && Host === "#{host}" && Path === "/#{path}") {
    throw new AwsError(
      "InvalidLoadBalancerAction",
      "A redirect must change the protocol, the host, the port or the path",
    );
  }
  return { Protocol, Port, Host, Path, Query, StatusCode };
}

function fixedResponse({ FixedResponseConfig: config }: Action): NonNullable<Action["FixedResponseConfig"]> {
  if (config === undefined) missing("FixedResponseConfig");
  const { StatusCode, ContentType = "text/plain", MessageBody } = config;
  if (!/^[245]\d\d$/.test(StatusCode)) throw invalid(`Status code '${StatusCode}' must be 2XX, 4XX or 5XX`);
  if (!CONTENT_TYPES.includes(ContentType))
    throw invalid(`Content type '${ContentType}' must be one of '${CONTENT_TYPES.join(", ")}'`);
  if ((MessageBody ?? "").length > 1024) throw invalid("A message body can have at most 1024 characters");
  return { StatusCode, ContentType, ...(MessageBody !== undefined && { MessageBody }) };
}
