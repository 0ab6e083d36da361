import type { FailureInfo, Operations } from "@gatewright/aws-wire/types/tagging";
import { AwsError } from "../aws-error.ts";
import type { TaggedResources } from "../neighbours.ts";
import { service } from "../service.ts";
import type { CallContext, Service } from "../service.ts";
import { getResources } from "./get-resources.ts";
import type { Tagged } from "./get-resources.ts";
import { invalid, pageAfter } from "./page.ts";
import { readResourceArn } from "./resource-arn.ts";

const TEXTS_PER_PAGE = 500;

/** The API that sees and sets the tags of all services. It remembers nothing itself. */
export function createTagging(services: readonly TaggedResources[]): { readonly service: Service } {
  const all = ({ account, region }: CallContext): readonly Tagged[] =>
    services.flatMap((each) => [...each.list(account, region)]);
  const distinct = (texts: Iterable<string>, token: string | undefined) =>
    pageAfter(
      [...new Set(texts)].toSorted(),
      (text) => text,
      token,
      (shown) => shown.length >= TEXTS_PER_PAGE,
    );
  return {
    service: service<Operations>("tagging", {
      GetResources: (input, context) => getResources(all(context), input),
      GetTagKeys: ({ PaginationToken }, context) => {
        const { items, token } = distinct(
          all(context).flatMap(({ tags }) => [...tags.keys()]),
          PaginationToken,
        );
        return { PaginationToken: token, TagKeys: items };
      },
      GetTagValues: ({ PaginationToken, Key }, context) => {
        const values = all(context).flatMap(({ tags }) => {
          const value = tags.get(Key);
          return value === undefined ? [] : [value];
        });
        const { items, token } = distinct(values, PaginationToken);
        return { PaginationToken: token, TagValues: items };
      },
      TagResources: async ({ ResourceARNList, Tags }, context) => {
        const tags = new Map(Object.entries(Tags));
        const reserved = [...tags.keys()].find((key) => key.toLowerCase().startsWith("aws:"));
        if (reserved !== undefined) throw invalid(`Tag keys cannot begin with aws: (${reserved}).`);
        return onEach(ResourceARNList, context, (each, arn) => each.tag(arn, tags));
      },
      UntagResources: ({ ResourceARNList, TagKeys }, context) =>
        onEach(ResourceARNList, context, (each, arn) => each.untag(arn, TagKeys)),
    }),
  };

  async function onEach(
    arns: readonly string[],
    context: CallContext,
    change: (service: TaggedResources, arn: string) => Promise<boolean>,
  ): Promise<{ readonly FailedResourcesMap: Readonly<Record<string, FailureInfo>> }> {
    const failed = new Map<string, FailureInfo>();
    for (const arn of new Set(arns)) {
      const why = isReachable(arn, context) ? await outcome(arn, change) : `${arn} is not a resource of this account.`;
      if (why !== undefined) {
        failed.set(arn, { StatusCode: 400, ErrorCode: "InvalidParameterException", ErrorMessage: why });
      }
    }
    return { FailedResourcesMap: Object.fromEntries(failed) };
  }

  /** Why a change failed; undefined when it did not. */
  async function outcome(
    arn: string,
    change: (service: TaggedResources, arn: string) => Promise<boolean>,
  ): Promise<string | undefined> {
    try {
      for (const each of services) if (await change(each, arn)) return undefined;
    } catch (error) {
      if (error instanceof AwsError) return error.message;
      throw error;
    }
    return `${arn} does not exist, or cannot be tagged.`;
  }

  /** ARNs without an account have to be among the caller's own. */
  function isReachable(arn: string, context: CallContext): boolean {
    const read = readResourceArn(arn);
    if (read === undefined) return false;
    return read.account === "" ? all(context).some((each) => each.arn === arn) : read.account === context.account;
  }
}
