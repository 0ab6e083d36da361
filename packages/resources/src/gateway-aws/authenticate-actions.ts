import { s } from "@gatewright/kube/define";

const session = {
  scope: s.string({ description: "OAuth scopes that are asked for.", default: "openid" }),
  authenticationRequestExtraParams: s
    .map(s.string(), { description: "Further query parameters of the login.", maxProperties: 10 })
    .optional(),
  onUnauthenticatedRequest: s.string({
    description: "What happens to those who are not logged in.",
    enum: ["deny", "allow", "authenticate"],
    default: "authenticate",
  }),
  sessionCookieName: s.string({ description: "Cookie of the session.", default: "AWSELBAuthSessionCookie" }),
  sessionTimeout: s.integer({
    description: "Seconds that a login lasts.",
    format: "int64",
    minimum: 1,
    maximum: 604_800,
    default: 604_800,
  }),
};

/** Login by a Cognito user pool. */
export const authenticateCognito = s.object(
  {
    userPoolArn: s.string({ description: "ARN of the user pool." }),
    userPoolClientId: s.string({ description: "Client id in the pool." }),
    userPoolDomain: s.string({ description: "Domain of the pool." }),
    ...session,
  },
  { description: "Login by a Cognito user pool." },
);

/** Login by an OpenID provider. */
export const authenticateOidc = s.object(
  {
    issuer: s.string({ description: "Issuer of the tokens." }),
    authorizationEndpoint: s.string({ description: "Where users log in." }),
    tokenEndpoint: s.string({ description: "Where tokens are fetched." }),
    userInfoEndpoint: s.string({ description: "Where users are described." }),
    secret: s.object(
      { name: s.string({ description: "Name of the Secret, in the same namespace." }) },
      { description: "Secret with the client id and the client secret." },
    ),
    useExistingClientSecret: s.boolean({ description: "Whether the client secret in AWS stays." }).optional(),
    ...session,
  },
  { description: "Login by an OpenID provider." },
);

/** Requests carry a signed token. */
export const jwtValidation = s.object(
  {
    issuer: s.string({ description: "Issuer of the tokens.", maxLength: 256 }),
    jwksEndpoint: s.string({ description: "Where the issuer's keys are.", maxLength: 256 }),
    additionalClaims: s
      .array(
        s.object({
          name: s.string({ description: "Name of the claim.", minLength: 1 }),
          format: s.string({
            description: "How the claim holds its values.",
            enum: ["single-string", "string-array", "space-separated-values"],
          }),
          values: s.array(s.string({ maxLength: 256 }), {
            description: "Values of which one must be there.",
            minItems: 1,
            maxItems: 10,
          }),
        }),
        { description: "Claims that tokens must have." },
      )
      .optional(),
  },
  { description: "Requests must carry a signed token." },
);
