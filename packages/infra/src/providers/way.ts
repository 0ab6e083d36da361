import type { Immutable } from "@gatewright/kube";
import type { AWSProvider } from "@gatewright/resources";

type Spec = Immutable<AWSProvider>["spec"];

/** A key of a Secret. */
export interface KeyRef {
  readonly namespace: string;
  readonly name: string;
  readonly key: string;
  /** Whether there may be none. */
  readonly optional?: true;
}

/** Whose credentials come first. */
export type Identity =
  | { readonly from: "secret"; readonly id: KeyRef; readonly secret: KeyRef; readonly token: KeyRef | undefined }
  | { readonly from: "role"; readonly roleArn: string }
  | { readonly from: "own" };

/** Where a provider leads and as whom, as its spec says. */
export interface Way {
  readonly region: string;
  /** As the spec names it; undefined: the operator's. */
  readonly endpoint: string | undefined;
  readonly identity: Identity;
  readonly assume: { readonly roleArn: string; readonly externalId: string | undefined } | undefined;
  readonly accountID: string | undefined;
}

/** The way of a provider. Pure. */
export function wayOf({ metadata, spec }: Immutable<AWSProvider>): Way {
  const { region, endpoint, accountID, assumeRoleARN, externalID } = spec;
  return {
    region,
    endpoint,
    accountID,
    identity: identityOf(spec, metadata.namespace ?? ""),
    assume: assumeRoleARN === undefined ? undefined : { roleArn: assumeRoleARN, externalId: externalID },
  };
}

/** Equal for equal ways: two that differ in anything lead elsewhere, or as somebody else. */
export function wayKey(way: Way): string {
  const { region, endpoint, accountID, identity, assume } = way;
  return JSON.stringify([region, endpoint, accountID, identity, assume?.roleArn, assume?.externalId]);
}

function identityOf(spec: Spec, own: string): Identity {
  const { credentialsSecret, accessKeyIDRef, secretAccessKeyRef, sessionTokenRef, roleARN } = spec;
  if (credentialsSecret !== undefined) {
    const { name, namespace = own } = credentialsSecret;
    return {
      from: "secret",
      id: { namespace, name, key: "AWS_ACCESS_KEY_ID" },
      secret: { namespace, name, key: "AWS_SECRET_ACCESS_KEY" },
      token: { namespace, name, key: "AWS_SESSION_TOKEN", optional: true },
    };
  }
  if (accessKeyIDRef !== undefined && secretAccessKeyRef !== undefined) {
    const within = ({ namespace = own, name, key }: Immutable<NonNullable<Spec["accessKeyIDRef"]>>): KeyRef => ({
      namespace,
      name,
      key,
    });
    return {
      from: "secret",
      id: within(accessKeyIDRef),
      secret: within(secretAccessKeyRef),
      token: sessionTokenRef === undefined ? undefined : within(sessionTokenRef),
    };
  }
  return roleARN === undefined ? { from: "own" } : { from: "role", roleArn: roleARN };
}
