import type { Operations } from "@gatewright/aws-wire/types/secretsmanager";
import { lateReads } from "../late-reads.ts";
import type { Handlers } from "../service.ts";
import type { AwsWorld } from "../world.ts";
import { listSecrets } from "./list-secrets.ts";
import { checkName, keyOf, newArn } from "./names.ts";
import type { SecretRecord } from "./records.ts";
import { exists, invalidParameter, invalidRequest, limitExceeded, noSecret } from "./refusals.ts";
import { secretListed, secretTold } from "./secret-shape.ts";
import type { SecretStore } from "./store.ts";
import { pairsOf, withTags } from "./tag-rules.ts";
import { addVersion, checkToken, givenValue } from "./value.ts";
import { CURRENT } from "./versions.ts";

const DAY = 86_400_000;
const USUAL_WINDOW_DAYS = 30;
/** Deletion without a window takes a moment: so long the name is not free yet. */
const PURGE = 5_000;
/** Lists do not show changes at once; AWS says five minutes at most. */
const LIST_LAG = 30_000;
const MOST_SECRETS = 500_000;

/** Secrets themselves: how they come, change, are told of, and go. */
export function secretOperations(world: AwsWorld, store: SecretStore): Handlers<Operations> {
  const { clock, random, pace } = world;
  const late = lateReads(world, LIST_LAG);
  return {
    CreateSecret: async (input, context) => {
      checkToken(input);
      const { Name: name, ClientRequestToken: token, Tags = [], AddReplicaRegions } = input;
      checkName(name);
      if (AddReplicaRegions !== undefined) throw invalidRequest("Secrets are not replicated here.");
      const value = givenValue(input);
      const before = store.named(context, name);
      if (before?.deletion !== undefined) {
        throw invalidRequest(
          "You can't create this secret because a secret with this name is already scheduled for deletion.",
        );
      }
      if (before !== undefined) {
        if (value === undefined || !before.versions.some(({ id }) => id === token)) {
          throw exists(`The operation failed because the secret ${name} already exists.`);
        }
        const { version } = addVersion(world, before, value, { token, stages: [CURRENT] });
        return { ARN: before.arn, Name: name, VersionId: version.id };
      }
      if (store.secretsIn(context).length >= MOST_SECRETS) throw limitExceeded("There are too many secrets.");
      const now = clock.now();
      const empty: SecretRecord = {
        account: context.account,
        region: context.region,
        name,
        arn: newArn(random, context, name),
        createdAt: now,
        changedAt: now,
        description: input.Description || undefined,
        kmsKeyId: keyOf(input.KmsKeyId),
        tags: withTags([], pairsOf(Tags)),
        versions: [],
      };
      const made = value && addVersion(world, empty, value, { token, stages: [CURRENT] });
      await store.put(made?.secret ?? empty);
      return { ARN: empty.arn, Name: name, ...(made && { VersionId: made.version.id }) };
    },

    UpdateSecret: async (input, context) => {
      checkToken(input);
      const before = store.living(context, input.SecretId);
      const value = givenValue(input);
      const { Description, KmsKeyId, ClientRequestToken: token } = input;
      const made = value && addVersion(world, before, value, { token, stages: [CURRENT] });
      const secret = {
        ...(made?.secret ?? before),
        ...(Description !== undefined && { description: Description || undefined }),
        ...(KmsKeyId !== undefined && { kmsKeyId: keyOf(KmsKeyId) }),
      };
      await store.put({ ...secret, changedAt: clock.now() });
      return { ARN: secret.arn, Name: secret.name, ...(made && { VersionId: made.version.id }) };
    },

    DescribeSecret: ({ SecretId }, context) => secretTold(store.known(context, SecretId)),

    ListSecrets: late((input, context) => {
      const { items, next } = listSecrets(store.secretsIn(context), input);
      return { SecretList: items.map(secretListed), NextToken: next };
    }),

    DeleteSecret: async ({ SecretId, RecoveryWindowInDays: days, ForceDeleteWithoutRecovery }, context) => {
      const force = ForceDeleteWithoutRecovery === true;
      if (force && days !== undefined) {
        throw invalidParameter("You can't use ForceDeleteWithoutRecovery in conjunction with RecoveryWindowInDays.");
      }
      if (days !== undefined && (days < 7 || days > 30)) {
        throw invalidParameter("The RecoveryWindowInDays value must be between 7 and 30 days (inclusive).");
      }
      const now = clock.now();
      const secret = store.find(context, SecretId);
      if (secret === undefined) {
        if (!force || SecretId.startsWith("arn:")) throw noSecret();
        return { ARN: newArn(random, context, SecretId), Name: SecretId, DeletionDate: now };
      }
      if (secret.deletion !== undefined && !force) {
        throw invalidRequest("You tried to perform the operation on a secret that's currently marked deleted.");
      }
      const until = now + (force ? PURGE * pace.durations : (days ?? USUAL_WINDOW_DAYS) * DAY);
      await store.put({ ...secret, deletion: { at: now, until: Math.min(until, secret.deletion?.until ?? until) } });
      return { ARN: secret.arn, Name: secret.name, DeletionDate: until };
    },

    RestoreSecret: async ({ SecretId }, context) => {
      const secret = store.known(context, SecretId);
      await store.put({ ...secret, deletion: undefined });
      return { ARN: secret.arn, Name: secret.name };
    },
  };
}
