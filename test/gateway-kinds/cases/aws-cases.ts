import type { Json, JsonObject } from "@gatewright/kube";
import { ListenerRuleConfiguration, LoadBalancerConfiguration, TargetGroupConfiguration } from "@gatewright/resources";
import { casesOf, statusCasesOf, times } from "./case.ts";
import type { Case, Line } from "./case.ts";

const listener = (fields: JsonObject): JsonObject => ({
  listenerConfigurations: [{ protocolPort: "HTTPS:443", ...fields }],
});
const mutual = (mutualAuthentication: JsonObject): JsonObject => listener({ mutualAuthentication });
const first = "spec.listenerConfigurations[0]";

const loadBalancerLines: Line[] = [
  ["nothing", {}],
  ["no spec", null],
  ["a scheme", { scheme: "internet-facing" }],
  ["an unknown scheme", { scheme: "public" }, "spec.scheme"],
  ["a name", { loadBalancerName: "edge" }],
  ["an empty name", { loadBalancerName: "" }, "spec.loadBalancerName"],
  ["a name of 33 characters", { loadBalancerName: "a".repeat(33) }, "spec.loadBalancerName"],
  ["dual stack", { ipAddressType: "dualstack" }],
  ["only IPv6", { ipAddressType: "ipv6" }, "spec.ipAddressType"],
  ["certificates", listener({ defaultCertificate: "arn:a", certificates: ["arn:b", "arn:b"] })],
  ["a listener twice", { listenerConfigurations: times(2, () => ({ protocolPort: "HTTP:80" })) }],
  ["a listener without port", { listenerConfigurations: [{}] }, `${first}.protocolPort`],
  ["port 65536", listener({ protocolPort: "HTTPS:65536" }), `${first}.protocolPort`],
  ["port 0", listener({ protocolPort: "HTTPS:0" }), `${first}.protocolPort`],
  ["an unknown protocol", listener({ protocolPort: "FTP:21" }), `${first}.protocolPort`],
  ["a port of any protocol", listener({ protocolPort: ":443" })],
  ["an unknown policy", listener({ alpnPolicy: "HTTP3" }), `${first}.alpnPolicy`],
  ["attributes", listener({ listenerAttributes: [{ key: "a", value: "b" }] })],
  [
    "an attribute without value",
    listener({ listenerAttributes: [{ key: "a" }] }),
    `${first}.listenerAttributes[0].value`,
  ],
  [
    "client certificates that are verified",
    mutual({ mode: "verify", trustStore: "a", ignoreClientCertificateExpiry: true, advertiseTrustStoreCaNames: "on" }),
  ],
  ["client certificates without trust store", mutual({ mode: "verify" }), `${first}.mutualAuthentication`],
  ["a trust store that is not used", mutual({ mode: "off", trustStore: "a" }), `${first}.mutualAuthentication`],
  [
    "expiry that is not checked anyway",
    mutual({ mode: "passthrough", ignoreClientCertificateExpiry: false }),
    `${first}.mutualAuthentication`,
  ],
  [
    "names that are not advertised",
    mutual({ mode: "off", advertiseTrustStoreCaNames: "off" }),
    `${first}.mutualAuthentication`,
  ],
  ["an unknown mode", mutual({ mode: "on" }), `${first}.mutualAuthentication.mode`],
  [
    "subnets",
    { loadBalancerSubnets: [{ identifier: "subnet-1" }], loadBalancerSubnetsSelector: { tier: ["edge", "dmz"] } },
  ],
  [
    "a selector that is a text",
    { loadBalancerSubnetsSelector: { tier: "edge" } },
    "spec.loadBalancerSubnetsSelector.tier",
  ],
  ["a firewall", { wafV2: { webACL: "arn:aws:wafv2:a" }, shieldConfiguration: { enabled: true } }],
  ["a firewall without list", { wafV2: {} }, "spec.wafV2.webACL"],
  ["capacity", { minimumLoadBalancerCapacity: { capacityUnits: 100 } }],
  [
    "capacity as text",
    { minimumLoadBalancerCapacity: { capacityUnits: "100" } },
    "spec.minimumLoadBalancerCapacity.capacityUnits",
  ],
  ["tags", { tags: { a: "b" } }],
  ["a tag that is a number", { tags: { a: 1 } }, "spec.tags.a"],
  ["who wins", { mergingMode: "prefer-gateway" }],
  ["nobody wins", { mergingMode: "merge" }, "spec.mergingMode"],
  ["settings of target groups", { defaultTargetGroupConfiguration: { name: "a" } }],
];

const targetLines: Line[] = [
  [
    "a Service",
    {
      targetReference: { name: "shop" },
      defaultConfiguration: { targetType: "ip", protocol: "HTTP", protocolVersion: "HTTP2" },
    },
  ],
  ["a default", { defaultConfiguration: { targetType: "ip" } }],
  ["a target without name", { targetReference: {} }, "spec.targetReference.name"],
  [
    "an unknown type of targets",
    { defaultConfiguration: { targetType: "lambda" } },
    "spec.defaultConfiguration.targetType",
  ],
  [
    "a health check",
    {
      defaultConfiguration: {
        healthCheckConfig: { healthCheckPath: "/", healthCheckPort: "traffic-port", matcher: { httpCode: "200-299" } },
      },
    },
  ],
  [
    "a health check over UDP",
    { defaultConfiguration: { healthCheckConfig: { healthCheckProtocol: "UDP" } } },
    "spec.defaultConfiguration.healthCheckConfig.healthCheckProtocol",
  ],
  [
    "an interval as text",
    { defaultConfiguration: { healthCheckConfig: { healthCheckInterval: "5" } } },
    "spec.defaultConfiguration.healthCheckConfig.healthCheckInterval",
  ],
  ["nodes", { defaultConfiguration: { nodeSelector: { matchExpressions: [{ key: "a", operator: "Exists" }] } } }],
  [
    "settings of a route",
    { routeConfigurations: [{ routeIdentifier: { kind: "HTTPRoute" }, targetGroupProps: { targetGroupName: "a" } }] },
  ],
  [
    "settings of a route that is not named",
    { routeConfigurations: [{ targetGroupProps: {} }] },
    "spec.routeConfigurations[0].routeIdentifier",
  ],
  [
    "no settings of a route",
    { routeConfigurations: [{ routeIdentifier: {} }] },
    "spec.routeConfigurations[0].targetGroupProps",
  ],
];

const actions = (...list: Json[]): JsonObject => ({ actions: list });
const fixed = (fixedResponseConfig: JsonObject): JsonObject => ({ type: "fixed-response", fixedResponseConfig });
const forward = { type: "forward", forwardConfig: {} };
const jwt = { type: "jwt-validation", jwtValidationConfig: { issuer: "a", jwksEndpoint: "b" } };
const cognito = {
  type: "authenticate-cognito",
  authenticateCognitoConfig: { userPoolArn: "a", userPoolClientId: "b", userPoolDomain: "c" },
};
const oidc = {
  authorizationEndpoint: "a",
  issuer: "b",
  secret: { name: "c" },
  tokenEndpoint: "d",
  userInfoEndpoint: "e",
};
const inAction = "spec.actions[0]";

const ruleLines: Line[] = [
  ["nothing", {}],
  ["no actions", actions(), "spec.actions"],
  ["an answer", actions(fixed({ statusCode: 404, contentType: "text/html", messageBody: "no" }))],
  ["a redirecting answer", actions(fixed({ statusCode: 301 })), `${inAction}.fixedResponseConfig.statusCode`],
  ["status 199", actions(fixed({ statusCode: 199 })), `${inAction}.fixedResponseConfig.statusCode`],
  ["status 600", actions(fixed({ statusCode: 600 })), `${inAction}.fixedResponseConfig.statusCode`],
  ["an answer without status", actions(fixed({})), `${inAction}.fixedResponseConfig.statusCode`],
  [
    "an answer that is an image",
    actions(fixed({ statusCode: 200, contentType: "image/png" })),
    `${inAction}.fixedResponseConfig.contentType`,
  ],
  ["a type without settings", actions({ type: "redirect" }), inAction],
  ["settings of another type", actions({ ...forward, redirectConfig: {} }), inAction],
  ["an unknown type", actions({ type: "delay" }), `${inAction}.type`],
  ["a redirect", actions({ type: "redirect", redirectConfig: {} })],
  [
    "stickiness",
    actions({
      type: "forward",
      forwardConfig: { targetGroupStickinessConfig: { enabled: true, durationSeconds: 604_800 } },
    }),
  ],
  [
    "stickiness for too long",
    actions({ type: "forward", forwardConfig: { targetGroupStickinessConfig: { durationSeconds: 604_801 } } }),
    `${inAction}.forwardConfig.targetGroupStickinessConfig.durationSeconds`,
  ],
  ["a check and an answer", actions(jwt, forward)],
  ["two answers", actions(forward, fixed({ statusCode: 200 })), "spec"],
  ["two checks", actions(jwt, cognito), "spec"],
  ["three actions", actions(jwt, forward, cognito), "spec.actions"],
  ["login by a pool", actions(cognito)],
  [
    "login by a pool without domain",
    actions({ type: "authenticate-cognito", authenticateCognitoConfig: { userPoolArn: "a", userPoolClientId: "b" } }),
    `${inAction}.authenticateCognitoConfig.userPoolDomain`,
  ],
  [
    "login by OpenID",
    actions({
      type: "authenticate-oidc",
      authenticateOIDCConfig: { ...oidc, sessionTimeout: 1, onUnauthenticatedRequest: "deny" },
    }),
  ],
  [
    "a session without end",
    actions({ type: "authenticate-oidc", authenticateOIDCConfig: { ...oidc, sessionTimeout: 0 } }),
    `${inAction}.authenticateOIDCConfig.sessionTimeout`,
  ],
  [
    "11 parameters of the login",
    actions({
      type: "authenticate-oidc",
      authenticateOIDCConfig: {
        ...oidc,
        authenticationRequestExtraParams: Object.fromEntries(times(11, (n) => [`p${n}`, "a"])),
      },
    }),
    `${inAction}.authenticateOIDCConfig.authenticationRequestExtraParams`,
  ],
  [
    "claims",
    actions({
      type: "jwt-validation",
      jwtValidationConfig: {
        issuer: "a",
        jwksEndpoint: "b",
        additionalClaims: [{ format: "single-string", name: "c", values: ["d"] }],
      },
    }),
  ],
  [
    "a claim of no value",
    actions({
      type: "jwt-validation",
      jwtValidationConfig: {
        issuer: "a",
        jwksEndpoint: "b",
        additionalClaims: [{ format: "single-string", name: "c", values: [] }],
      },
    }),
    `${inAction}.jwtValidationConfig.additionalClaims[0].values`,
  ],
  [
    "where requests come from",
    { conditions: [{ field: "source-ip", sourceIPConfig: { values: ["10.0.0.0/8"] }, matchIndexes: [0, 2] }] },
  ],
  ["requests from nowhere", { conditions: [{ field: "source-ip" }] }, "spec.conditions[0]"],
  [
    "requests from an empty list",
    { conditions: [{ field: "source-ip", sourceIPConfig: { values: [] } }] },
    "spec.conditions[0].sourceIPConfig.values",
  ],
  ["another field", { conditions: [{ field: "path" }] }, "spec.conditions[0].field"],
  ["no conditions", { conditions: [] }, "spec.conditions"],
];

export const awsCases: readonly Case[] = [
  ...casesOf(LoadBalancerConfiguration, loadBalancerLines),
  ...casesOf(TargetGroupConfiguration, targetLines),
  ...casesOf(ListenerRuleConfiguration, ruleLines),
  ...statusCasesOf(ListenerRuleConfiguration, {}, [
    ["accepted", { observedGeneration: 1, accepted: true, message: "" }],
    ["accepted, in words", { accepted: "yes" }, "status.accepted"],
  ]),
  ...statusCasesOf(LoadBalancerConfiguration, {}, [
    ["generations", { observedGatewayConfigurationGeneration: 2, observedGatewayClassConfigurationGeneration: 1 }],
  ]),
];
