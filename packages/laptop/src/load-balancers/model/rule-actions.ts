import type { elbv2 } from "@gatewright/aws";
import type { Immutable } from "@gatewright/kube";
import type { ListenerRuleConfiguration } from "@gatewright/resources";
import type { MatchView, RouteFilter, RuleView } from "../cluster/route-view.ts";
import { ModelError } from "./model.ts";
import type { ActionModel } from "./model.ts";

type RuleSettings = NonNullable<Immutable<ListenerRuleConfiguration>["spec"]>;
type SettingsAction = NonNullable<RuleSettings["actions"]>[number];

export interface RuleTargets {
  readonly groups: readonly { readonly id: string; readonly weight: number }[];
  /** How many backends the rule names, those that lead nowhere included. */
  readonly named: number;
}

/** A plain answer of the load balancer's own. */
export function fixedResponse(status: number): ActionModel {
  const FixedResponseConfig = { StatusCode: String(status), ContentType: "text/plain" };
  return { kind: "other", action: { Type: "fixed-response", FixedResponseConfig } };
}

/**
 * What a rule does: the answer or the redirect that it asks for, or else its backends. Without any that can be found it answers 500,
 * without any at all 503.
 */
export function ruleActions(
  rule: RuleView,
  settings: RuleSettings | undefined,
  targets: RuleTargets,
  { protocol }: { readonly protocol: "HTTP" | "HTTPS" },
): readonly ActionModel[] {
  const asked = settings?.actions ?? [];
  const before = protocol === "HTTPS" ? asked.flatMap(loginAction) : [];
  const routing = routingAction(rule, asked, targets);
  if (before.length === 0) return [routing];
  return [...before, routing].map((action, index) => ordered(action, index + 1));
}

/** What is changed in a request before a target sees it. */
export function ruleTransforms({ filters }: RuleView, { path }: MatchView): readonly elbv2.RuleTransform[] {
  const rewrite = filters.find(({ type }) => type === "URLRewrite")?.urlRewrite;
  if (rewrite === undefined) return [];
  const rewrites = (Regex: string, Replace: string) => ({ Rewrites: [{ Regex, Replace }] });
  return [
    ...(rewrite.hostname === undefined
      ? []
      : [{ Type: "host-header-rewrite", HostHeaderRewriteConfig: rewrites(".*", rewrite.hostname) }]),
    ...(rewrite.path?.replaceFullPath === undefined
      ? []
      : [{ Type: "url-rewrite", UrlRewriteConfig: rewrites(String.raw`^([^?]*)`, rewrite.path.replaceFullPath) }]),
    ...(rewrite.path?.replacePrefixMatch === undefined
      ? []
      : [{ Type: "url-rewrite", UrlRewriteConfig: prefixRewrite(path.value, rewrite.path.replacePrefixMatch) }]),
  ];
}

function prefixRewrite(prefix: string, replacement: string) {
  const plain = prefix.replace(/\/+$/, "").replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const Replace = `${replacement.replace(/\/+$/, "")}/$2`;
  return { Rewrites: [{ Regex: `^${plain}(/)?([^?]*)`, Replace }] };
}

function routingAction(rule: RuleView, asked: readonly SettingsAction[], targets: RuleTargets): ActionModel {
  const answer = asked.find(({ type }) => type === "fixed-response")?.fixedResponseConfig;
  if (answer !== undefined) {
    const { statusCode, contentType, messageBody } = answer;
    const FixedResponseConfig = {
      StatusCode: String(statusCode),
      ContentType: contentType,
      ...(messageBody !== undefined && { MessageBody: messageBody }),
    };
    return { kind: "other", action: { Type: "fixed-response", FixedResponseConfig } };
  }
  const redirect = rule.filters.find(({ type }) => type === "RequestRedirect")?.requestRedirect;
  if (redirect !== undefined) {
    const query = asked.find(({ type }) => type === "redirect")?.redirectConfig?.query;
    return { kind: "other", action: { Type: "redirect", RedirectConfig: redirectConfig(redirect, query) } };
  }
  if (targets.groups.length === 0) return fixedResponse(targets.named === 0 ? 503 : 500);
  const sticky = asked.find(({ type }) => type === "forward")?.forwardConfig?.targetGroupStickinessConfig;
  return {
    kind: "forward",
    groups: targets.groups,
    stickySeconds: sticky?.enabled === true ? sticky.durationSeconds : undefined,
  };
}

function redirectConfig(
  { scheme, hostname, port, path, statusCode }: NonNullable<RouteFilter["requestRedirect"]>,
  query: string | undefined,
): elbv2.RedirectActionConfig {
  const usual = scheme === "https" ? "443" : scheme === "http" ? "80" : "#{port}";
  return {
    Protocol: scheme?.toUpperCase() ?? "#{protocol}",
    Host: hostname ?? "#{host}",
    Port: port === undefined ? usual : String(port),
    Path: path?.replaceFullPath ?? "/#{path}",
    Query: query ?? "#{query}",
    StatusCode: `HTTP_${statusCode}`,
  };
}

function ordered(action: ActionModel, Order: number): ActionModel {
  return action.kind === "forward" ? action : { kind: "other", action: { ...action.action, Order } };
}

/** What must have happened before a request is routed. */
function loginAction(asked: SettingsAction): readonly ActionModel[] {
  const as = (action: elbv2.Action): readonly ActionModel[] => [{ kind: "other", action }];
  const cognito = asked.authenticateCognitoConfig;
  if (cognito !== undefined) {
    return as({
      Type: "authenticate-cognito",
      AuthenticateCognitoConfig: {
        UserPoolArn: cognito.userPoolArn,
        UserPoolClientId: cognito.userPoolClientId,
        UserPoolDomain: cognito.userPoolDomain,
        Scope: cognito.scope,
        SessionCookieName: cognito.sessionCookieName,
        SessionTimeout: cognito.sessionTimeout,
        OnUnauthenticatedRequest: cognito.onUnauthenticatedRequest,
      },
    });
  }
  const jwt = asked.jwtValidationConfig;
  if (jwt !== undefined) {
    return as({
      Type: "jwt-validation",
      JwtValidationConfig: { JwksEndpoint: jwt.jwksEndpoint, Issuer: jwt.issuer },
    });
  }
  if (asked.authenticateOIDCConfig !== undefined) {
    throw new ModelError("actions of type authenticate-oidc are not supported: no Secrets are read here");
  }
  return [];
}
