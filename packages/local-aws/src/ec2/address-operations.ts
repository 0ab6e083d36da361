import type { Address, Operations } from "@gatewright/aws-wire/types/ec2";
import { AwsError } from "../aws-error.ts";
import type { Handlers } from "../service.ts";
import { chosen } from "./chosen.ts";
import { filtered } from "./filters.ts";
import type { Ground } from "./ground.ts";
import { checkId, newId, notFound } from "./ids.ts";
import { publicAddress } from "./public-address.ts";
import type { AddressRecord } from "./records.ts";
import { specifiedTags, tagList } from "./tags.ts";

const MOST_ADDRESSES = 5;

/** Addresses that stay. They are allocated and released; nothing is reached by them. */
export function addressOperations({ store, world }: Ground): Handlers<Operations> {
  return {
    async AllocateAddress(input, context) {
      if (store.addresses.list(context).length >= MOST_ADDRESSES) {
        throw new AwsError("AddressLimitExceeded", "The maximum number of addresses has been reached.");
      }
      const tags = specifiedTags(input.TagSpecifications, ["elastic-ip"]).get("elastic-ip") ?? [];
      const address: AddressRecord = { id: newId(world.random, "elastic-ip"), ip: publicAddress(world.random) };
      await store.commit((commit) => {
        store.addresses.put(commit, context, address.id, address);
        store.tags.put(commit, context, address.id, tags);
      });
      return addressTold(address, context.region);
    },

    DescribeAddresses(input, context) {
      const ips = input.PublicIps ?? [];
      const all = store.addresses.list(context);
      const missing = ips.find((ip) => !all.some((address) => address.ip === ip));
      if (missing !== undefined) throw new AwsError("InvalidAddress.NotFound", `Address '${missing}' not found.`);
      const named = chosen("elastic-ip", all, ({ id }) => id, input.AllocationIds).filter(
        ({ ip }) => ips.length === 0 || ips.includes(ip),
      );
      const table = new Map([
        ["allocation-id", ({ id }: AddressRecord) => [id]],
        ["public-ip", ({ ip }: AddressRecord) => [ip]],
        ["domain", () => ["vpc"]],
        ["instance-id", () => []],
      ]);
      const tagsOf = ({ id }: AddressRecord) => store.tags.get(context, id) ?? [];
      return {
        Addresses: filtered(named, input.Filters, table, tagsOf).map((address) => ({
          ...addressTold(address, context.region),
          Tags: tagList(tagsOf(address)),
        })),
      };
    },

    async ReleaseAddress({ AllocationId: id, PublicIp: ip }, context) {
      if (id !== undefined) checkId("elastic-ip", id);
      const address = store.addresses.list(context).find((one) => one.id === id || (id === undefined && one.ip === ip));
      if (address === undefined) {
        throw id === undefined
          ? new AwsError("InvalidAddress.NotFound", `Address '${ip ?? ""}' not found.`)
          : notFound("elastic-ip", [id]);
      }
      await store.commit((commit) => {
        store.addresses.delete(commit, context, address.id);
        store.tags.delete(commit, context, address.id);
      });
      return {};
    },
  };
}

function addressTold({ id, ip }: AddressRecord, region: string): Omit<Address, "Tags"> {
  return { AllocationId: id, PublicIp: ip, Domain: "vpc", PublicIpv4Pool: "amazon", NetworkBorderGroup: region };
}
