import { getPath, isObject } from "@gatewright/kube";
import type { GroupResource, JsonObject, KubeObject } from "@gatewright/kube";
import type { Cluster } from "../cluster.ts";
import type { Controller, ControllerDeps } from "./controller.ts";
import { followTable } from "./follow-table.ts";
import { unlessGone } from "./unless-gone.ts";
import { WorkQueue } from "./work-queue.ts";

const SECRETS: GroupResource = { group: "", resource: "secrets" };
const ACCOUNTS: GroupResource = { group: "", resource: "serviceaccounts" };
const TYPE = "kubernetes.io/service-account-token";
const TYPE_BYTES = Buffer.from(`"${TYPE}"`);
const ACCOUNT_NAME = "kubernetes.io/service-account.name";
const ACCOUNT_UID = "kubernetes.io/service-account.uid";

export interface TokenSecretDeps extends ControllerDeps {
  /** PEM; empty when the server has none. */
  readonly caBundle: string;
  /** Signs a token without an end for the account, bound to the Secret that is going to hold it. */
  signToken(account: KubeObject, secret: KubeObject): string | Promise<string>;
}

/**
 * Fills Secrets of type kubernetes.io/service-account-token with a token of the account that their annotation names, and
 * deletes them when there is no such account, or another one under its name.
 */
export function startTokenSecretController(cluster: Cluster, deps: TokenSecretDeps): Controller {
  const queue = new WorkQueue({
    clock: deps.clock,
    work: sync,
    failed: (key, error) => deps.report(`token secret ${key} could not be filled`, error),
  });
  const tableOf = (gr: GroupResource) => cluster.store.table(cluster.resources.get(gr)?.table ?? gr.resource);
  const secrets = tableOf(SECRETS);
  const ends = [
    followTable(secrets, (type, { key, bytes }) => {
      if (type !== "DELETED" && bytes.includes(TYPE_BYTES)) queue.add(key);
    }),
    followTable(tableOf(ACCOUNTS), (_type, { key }) => {
      const prefix = key.slice(0, key.indexOf("/") + 1);
      for (const secret of secrets.snapshot().entries({ prefix })) {
        if (secret.bytes.includes(TYPE_BYTES)) queue.add(secret.key);
      }
    }),
  ];

  async function sync(key: string): Promise<void> {
    const [namespace = "", name = ""] = key.split("/");
    const secret = cluster.get(SECRETS, namespace, name);
    const accountName = secret?.metadata.annotations?.[ACCOUNT_NAME];
    if (!secret || secret.type !== TYPE || accountName === undefined || accountName === "") return;
    const account = cluster.get(ACCOUNTS, namespace, accountName);
    const wantedUid = secret.metadata.annotations?.[ACCOUNT_UID];
    if (!account || (wantedUid !== undefined && wantedUid !== "" && wantedUid !== account.metadata.uid)) {
      const { uid } = secret.metadata;
      await unlessGone(cluster.delete(SECRETS, namespace, name, uid === undefined ? {} : { uid }));
      return;
    }
    const data = await dataFor(secret, account, namespace);
    await cluster.edit(SECRETS, namespace, name, (object) => {
      const same = getPath(object, "metadata", "annotations", ACCOUNT_UID) === account.metadata.uid;
      if (object.metadata.uid !== secret.metadata.uid || (same && isFilled(object, data))) return false;
      object.metadata.annotations = { ...object.metadata.annotations, [ACCOUNT_UID]: account.metadata.uid ?? "" };
      object.data = { ...(isObject(object.data) ? object.data : {}), ...data };
      return true;
    });
  }

  /** What the Secret should hold; a token that is there is kept. */
  async function dataFor(secret: KubeObject, account: KubeObject, namespace: string): Promise<JsonObject> {
    const base64 = (text: string): string => Buffer.from(text).toString("base64");
    const token = getPath(secret, "data", "token");
    return {
      ...(deps.caBundle !== "" && { "ca.crt": base64(deps.caBundle) }),
      namespace: base64(namespace),
      token: typeof token === "string" && token !== "" ? token : base64(await deps.signToken(account, secret)),
    };
  }

  return {
    idle: () => queue.idle(),
    stop() {
      for (const end of ends) end();
      return queue.stop();
    },
  };
}

function isFilled(secret: KubeObject, data: JsonObject): boolean {
  return Object.entries(data).every(([key, value]) => getPath(secret, "data", key) === value);
}
