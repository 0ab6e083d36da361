import type { Field } from "../../engine/field.ts";
import type { Reference } from "../../engine/given.ts";
import { sameKey } from "../same-key.ts";
import { samePolicy } from "../same-policy.ts";
import type { SeenSecret } from "./secret.ts";
import { versionOf } from "./value.ts";
import type { SecretSpec } from "./value.ts";

/** The key that AWS keeps for secrets: it is told by saying none. */
const AWS_KEY = /^(?:arn:[a-z-]+:kms:[a-z0-9-]+:\d{12}:)?alias\/aws\/secretsmanager$/;

type SecretField = Field<SecretSpec, SeenSecret>;

/**
 * Where the value comes from. It is compared by the version that was last written, not by what is current: who rotates the secret, or
 * puts a value by hand, is left alone until the Secret here changes. With rotation on, the value is AWS's altogether.
 */
function value(path: "secretStringRef" | "secretBinaryRef"): SecretField {
  return {
    path,
    change: "in-place",
    want: (spec, given) =>
      spec[path] === undefined || spec.rotationEnabled === true ? undefined : versionOf(spec, given),
    have: ({ written, current }) => written ?? current,
    secret: true,
  };
}

/**
 * What is said of rotation counts while it is on. AWS remembers it afterwards, to no effect: that it is off is for rotationEnabled to
 * say, and turning it on writes them all.
 */
function rotation(
  path: "rotationLambdaARN" | "automaticallyAfterDays" | "rotationScheduleExpression" | "rotationDuration",
  of: "lambda" | "days" | "schedule" | "duration",
  more: Pick<SecretField, "unset"> = {},
): SecretField {
  return {
    path,
    change: "in-place",
    want: (spec) => (spec.rotationEnabled === true ? spec[path] : undefined),
    have: ({ rotation: told }) => (told.enabled ? told[of] : undefined),
    same: (want, have, { rotation: { enabled } }) => !enabled || want === have,
    ...more,
  };
}

/** The fields of a secret. */
export const SECRET_FIELDS: readonly SecretField[] = [
  { path: "secretName", change: "replace", want: ({ secretName }) => secretName, have: ({ name }) => name },
  {
    path: "description",
    change: "in-place",
    want: (spec) => spec.description,
    have: ({ description }) => description,
    unset: "",
  },
  {
    path: "kmsKeyId",
    change: "in-place",
    want: (spec) => spec.kmsKeyId,
    have: ({ kmsKeyId = "" }) => kmsKeyId,
    same: (want, have) => sameKey(want, have) || (have === "" && AWS_KEY.test(String(want))),
    unset: "",
  },
  value("secretStringRef"),
  value("secretBinaryRef"),
  {
    path: "rotationEnabled",
    change: "in-place",
    want: (spec) => spec.rotationEnabled,
    have: ({ rotation: { enabled } }) => enabled,
    unset: false,
  },
  rotation("rotationLambdaARN", "lambda"),
  rotation("automaticallyAfterDays", "days"),
  rotation("rotationScheduleExpression", "schedule"),
  rotation("rotationDuration", "duration", { unset: null }),
  {
    path: "resourcePolicy",
    change: "in-place",
    want: (spec) => spec.resourcePolicy,
    have: ({ policy }) => policy,
    same: (want, have) => typeof have === "string" && samePolicy(String(want), have),
    unset: null,
  },
];

export function secretReferences({ secretStringRef: text, secretBinaryRef: bytes }: SecretSpec): readonly Reference[] {
  return [
    ...(text ? [{ to: "secret", path: "secretStringRef", name: text.name, key: text.key } as const] : []),
    ...(bytes
      ? [{ to: "secret", path: "secretBinaryRef", name: bytes.name, key: bytes.key, as: "base64" } as const]
      : []),
  ];
}
