import type { CallRates } from "@gatewright/aws";
import type { Immutable } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import type { AWSProvider } from "@gatewright/resources";
import type { Client } from "@gatewright/runtime";
import { REASONS } from "../reasons.ts";
import { AccountBudgets } from "./account-budgets.ts";
import { checkIdentity } from "./check-identity.ts";
import type { Check } from "./check-identity.ts";
import { openWay } from "./open-way.ts";
import type { OpenWay, WayPorts } from "./open-way.ts";
import type { Known, ProviderBook } from "./provider-book.ts";
import { refusalOf } from "./refusal.ts";
import type { Refusal } from "./refusal.ts";
import { readSecretKeys } from "./secret-keys.ts";
import type { MissingKeys, SecretKeys } from "./secret-keys.ts";
import type { ProviderSettings } from "./settings.ts";
import { wayKey, wayOf } from "./way.ts";
import type { Way } from "./way.ts";

/** A new value of it has AWS asked at once. */
const RECONCILE_NOW = "aws-infra-operator.runner.codes/reconcile-now";
const FIRST_RETRY_MS = 5_000;
/** Looks at a provider whose Secret is gone until its keys are forgotten: two and a half minutes. */
const LOOKS_WITHOUT_SECRET = 6;

/** What is known of a provider, brought up to date. */
export type Examine = (client: Client, provider: Immutable<AWSProvider>, signal: AbortSignal) => Promise<Known>;

/**
 * Makes the examination of providers: what the platform allows, the Secrets as they are now, and AWS's word, which is asked for when
 * the way in has changed or enough time has passed. Rejects when the API server gives no answer.
 */
export function createExamine(
  ports: WayPorts & { readonly rates?: CallRates },
  settings: ProviderSettings,
  book: ProviderBook,
): Examine {
  const { clock, random } = ports;
  const budgets = new AccountBudgets(clock, ports.rates);
  const jittered = (ms: number): number => ms * (0.9 + (random.bytes(1)[0] ?? 0) / 1_275);
  const retryMs = (failures: number): number => Math.min(settings.checkMs, FIRST_RETRY_MS * 2 ** (failures - 1));

  return async (client, provider, signal) => {
    const { namespace = "", name = "", uid = "", generation = 0, annotations } = provider.metadata;
    const way = wayOf(provider);
    const before = book.get(provider);
    const base = { uid, generation, way: wayKey(way), asked: annotations?.[RECONCILE_NOW] };
    const lastKeys = before?.way === base.way ? before.lastKeys : undefined;
    const failed = (version: string, trouble: Refusal, kept: Partial<Known> = {}): Known => {
      const again = before?.way === base.way && before.version === version;
      const failures = again ? before.failures + 1 : 1;
      const dueAt = clock.monotonic() + jittered(retryMs(failures));
      return { ...base, version, trouble, failures, dueAt, ...NOTHING, ...kept };
    };

    const refusal = refusalOf(way, namespace, settings, ports.endpoint);
    if (refusal !== undefined) return failed("", refusal);
    const keys = await keysNow(client, provider, way, lastKeys, signal);
    if (keys !== undefined && "reason" in keys) {
      const lost = failed("", keys);
      return keys.gone && lost.failures < LOOKS_WITHOUT_SECRET ? { ...lost, lastKeys } : lost;
    }
    const version = keys?.version ?? "";
    const parting = keys !== undefined && keys === lastKeys;
    const unchanged = before !== undefined && before.way === base.way && before.version === version;
    const due = !unchanged || before.asked !== base.asked || clock.monotonic() >= before.dueAt;
    if (!due) return { ...before, generation, parting };

    const open =
      (unchanged ? before.open : undefined) ?? openWay(ports, settings, way, keys?.credentials, { namespace, name });
    const check = await checkIdentity(open.sts, signal);
    const trouble = troubleOf(check, way);
    if (trouble !== undefined) {
      // Silence takes nothing away from who was let in before by the same keys.
      const open = check.is === "unanswered" && unchanged ? { open: before.open, session: before.session } : {};
      const areBad = trouble.reason === REASONS.AuthenticationFailed || keys?.version !== lastKeys?.version;
      return failed(version, trouble, { ...open, parting, ...(!areBad && { lastKeys }) });
    }
    const session = sessionOf(check, open, way, unchanged ? before.session : undefined);
    return {
      ...base,
      version,
      lastKeys: keys,
      parting,
      open,
      session,
      trouble,
      failures: 0,
      dueAt: clock.monotonic() + jittered(settings.checkMs),
    };
  };

  function sessionOf(check: Check, open: OpenWay, way: Way, kept: Known["session"]): Known["session"] {
    if (check.is !== "taken") return undefined;
    const { identity } = check;
    if (kept !== undefined && kept.identity.account === identity.account && kept.identity.arn === identity.arn)
      return kept;
    const place = { endpoint: way.endpoint ?? ports.endpoint, account: identity.account, region: way.region };
    budgets.keep([...book.places(), place]);
    return { aws: open.session(budgets.of(place)), identity, place };
  }
}

const NOTHING = { lastKeys: undefined, parting: false, open: undefined, session: undefined };

/**
 * The keys of a provider as they are in its Secret; undefined where it has none of its own. Who goes takes the last ones along: a
 * namespace that is deleted as a whole, or a file, loses its Secrets before the resources that need them. Keys that were taken out of a
 * Secret that is there are taken away, and those of another namespace are only lent.
 */
async function keysNow(
  client: Client,
  provider: Immutable<AWSProvider>,
  { identity }: Way,
  lastKeys: SecretKeys | undefined,
  signal: AbortSignal,
): Promise<SecretKeys | MissingKeys | undefined> {
  if (identity.from !== "secret") return undefined;
  const { namespace = "" } = provider.metadata;
  const keys = await readSecretKeys(client, identity, namespace, signal);
  const isLent = [identity.id, identity.secret, identity.token].some(
    (ref) => (ref?.namespace ?? namespace) !== namespace,
  );
  if (!("reason" in keys) || !keys.gone || lastKeys === undefined || isLent) return keys;
  return (await isGoing(client, provider, signal)) ? lastKeys : keys;
}

/** Whether a provider is being deleted, or all of its namespace. */
async function isGoing(client: Client, { metadata }: Immutable<AWSProvider>, signal: AbortSignal): Promise<boolean> {
  if (metadata.deletionTimestamp !== undefined) return true;
  const namespace = await client.for(core.Namespace).find({ name: metadata.namespace ?? "" }, { signal });
  return namespace?.metadata.deletionTimestamp !== undefined;
}

function troubleOf(check: Check, { accountID }: Way): Refusal | undefined {
  if (check.is !== "taken") return check;
  const { account } = check.identity;
  if (accountID === undefined || accountID === account) return undefined;
  return { reason: REASONS.WrongAccount, message: `The credentials are of account ${account}, not of ${accountID}.` };
}
