import { createHash, generateKeyPairSync } from "node:crypto";
import type { Operations } from "@gatewright/aws-wire/types/ec2";
import { AwsError } from "../aws-error.ts";
import type { Handlers } from "../service.ts";
import { filtered } from "./filters.ts";
import type { Ground } from "./ground.ts";
import { newId, notFound } from "./ids.ts";
import type { KeyRecord } from "./records.ts";
import { specifiedTags, tagList } from "./tags.ts";

/** Key pairs. The private key is told once, and not kept. */
export function keyPairOperations({ store, world }: Ground): Handlers<Operations> {
  return {
    async CreateKeyPair(input, context) {
      const name = input.KeyName;
      if (name === "" || name.length > 255 || name.includes("/")) {
        throw new AwsError("InvalidParameterValue", `Invalid value '${name}' for keyPairNames.`);
      }
      if (store.keys.get(context, name) !== undefined)
        throw new AwsError("InvalidKeyPair.Duplicate", `The keypair already exists`);
      const tags = specifiedTags(input.TagSpecifications, ["key-pair"]).get("key-pair") ?? [];
      const type = input.KeyType ?? "rsa";
      const { privateKey, fingerprint } = newKey(type);
      const key: KeyRecord = {
        id: newId(world.random, "key-pair"),
        name,
        type,
        fingerprint,
        createdAt: world.clock.now(),
      };
      await store.commit((commit) => {
        store.keys.put(commit, context, name, key);
        store.tags.put(commit, context, key.id, tags);
      });
      return {
        KeyPairId: key.id,
        KeyName: name,
        KeyFingerprint: fingerprint,
        KeyMaterial: privateKey,
        Tags: tagList(tags),
      };
    },

    DescribeKeyPairs(input, context) {
      const names = input.KeyNames ?? [];
      const ids = input.KeyPairIds ?? [];
      const all = store.keys.list(context);
      const missing = [
        ...names.filter((name) => !all.some((key) => key.name === name)),
        ...ids.filter((id) => !all.some((key) => key.id === id)),
      ];
      if (missing.length > 0) throw notFound("key-pair", missing);
      const named = all.filter(
        (key) => (names.length === 0 || names.includes(key.name)) && (ids.length === 0 || ids.includes(key.id)),
      );
      const table = new Map([
        ["key-name", (key: KeyRecord) => [key.name]],
        ["key-pair-id", (key: KeyRecord) => [key.id]],
        ["fingerprint", (key: KeyRecord) => [key.fingerprint]],
      ]);
      const tagsOf = ({ id }: KeyRecord) => store.tags.get(context, id) ?? [];
      return {
        KeyPairs: filtered(named, input.Filters, table, tagsOf).map((key) => ({
          KeyPairId: key.id,
          KeyName: key.name,
          KeyType: key.type,
          KeyFingerprint: key.fingerprint,
          CreateTime: key.createdAt,
          Tags: tagList(tagsOf(key)),
        })),
      };
    },

    /** One that is not there is deleted all the same. */
    async DeleteKeyPair({ KeyName: name, KeyPairId: id }, context) {
      if (name === undefined && id === undefined) {
        throw new AwsError("MissingParameter", "The request must contain the parameter KeyName or KeyPairId");
      }
      const key = store.keys.list(context).find((one) => one.name === name || one.id === id);
      if (key === undefined) return { Return: true };
      await store.commit((commit) => {
        store.keys.delete(commit, context, key.name);
        store.tags.delete(commit, context, key.id);
      });
      return { Return: true, KeyPairId: key.id };
    },
  };
}

function newKey(type: string): { readonly privateKey: string; readonly fingerprint: string } {
  const { privateKey } =
    type === "ed25519" ? generateKeyPairSync("ed25519") : generateKeyPairSync("rsa", { modulusLength: 2048 });
  const digest = createHash("sha1")
    .update(privateKey.export({ type: "pkcs8", format: "der" }))
    .digest("hex");
  return {
    privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    fingerprint: (digest.match(/../g) ?? []).join(":"),
  };
}
