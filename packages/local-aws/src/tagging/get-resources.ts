import type { GetResourcesInput, GetResourcesOutput, TagFilter } from "@gatewright/aws-wire/types/tagging";
import { invalid, pageAfter } from "./page.ts";
import { isOfType } from "./resource-arn.ts";

/** A resource and its tags. */
export interface Tagged {
  readonly arn: string;
  readonly tags: ReadonlyMap<string, string>;
}

const DEFAULT_RESOURCES = 50;
const MOST_RESOURCES = 100;

/** A page of the resources that have tags and match all filters; of the values of one filter, any does. */
export function getResources(resources: readonly Tagged[], input: GetResourcesInput): GetResourcesOutput {
  const { TagFilters = [], ResourceTypeFilters: types = [], ResourceARNList: arns, IncludeComplianceDetails } = input;
  checkInput(input);
  const found = resources
    .filter(({ tags }) => tags.size > 0)
    .filter(({ arn }) => arns === undefined || arns.includes(arn))
    .filter(({ arn }) => types.length === 0 || types.some((type) => isOfType(arn, type)))
    .filter(({ tags }) => TagFilters.every((filter) => matches(tags, filter)))
    .filter(() => input.ExcludeCompliantResources !== true)
    .toSorted((one, other) => (one.arn < other.arn ? -1 : 1));
  const { items, token } = pageAfter(found, ({ arn }) => arn, input.PaginationToken, fullness(input));
  return {
    PaginationToken: token,
    ResourceTagMappingList: items.map(({ arn, tags }) => ({
      ResourceARN: arn,
      Tags: [...tags].map(([Key, Value]) => ({ Key, Value })),
      // There are no tag policies that a resource could break.
      ...(IncludeComplianceDetails === true && { ComplianceDetails: { ComplianceStatus: true } }),
    })),
  };
}

function checkInput(input: GetResourcesInput): void {
  const { TagFilters = [], ResourceTypeFilters = [], ResourceARNList, ResourcesPerPage, TagsPerPage } = input;
  if (
    ResourceARNList !== undefined &&
    (TagFilters.length > 0 ||
      ResourceTypeFilters.length > 0 ||
      ResourcesPerPage !== undefined ||
      TagsPerPage !== undefined)
  ) {
    throw invalid("ResourceARNList cannot be used together with filters or pages.");
  }
  if (ResourcesPerPage !== undefined && TagsPerPage !== undefined)
    throw invalid("TagsPerPage and ResourcesPerPage cannot be used together.");
  if (ResourcesPerPage !== undefined && (ResourcesPerPage < 1 || ResourcesPerPage > MOST_RESOURCES)) {
    throw invalid(`ResourcesPerPage must be between 1 and ${MOST_RESOURCES}.`);
  }
  if (TagsPerPage !== undefined && (TagsPerPage < 100 || TagsPerPage > 500 || TagsPerPage % 100 !== 0)) {
    throw invalid("TagsPerPage must be one of 100, 200, 300, 400 and 500.");
  }
  if (input.ExcludeCompliantResources === true && input.IncludeComplianceDetails !== true) {
    throw invalid("ExcludeCompliantResources can only be used when IncludeComplianceDetails is true.");
  }
  if (TagFilters.some(({ Key }) => Key === undefined)) throw invalid("A tag filter must have a key.");
}

/** Pages end with so many resources, or before they have more than so many tags. */
function fullness({
  ResourcesPerPage,
  TagsPerPage,
  ResourceARNList,
}: GetResourcesInput): (shown: readonly Tagged[]) => boolean {
  if (ResourceARNList !== undefined) return () => false;
  if (TagsPerPage === undefined) return (shown) => shown.length >= (ResourcesPerPage ?? DEFAULT_RESOURCES);
  return (shown) => shown.reduce((sum, { tags }) => sum + tags.size, 0) >= TagsPerPage;
}

function matches(tags: ReadonlyMap<string, string>, { Key = "", Values = [] }: TagFilter): boolean {
  const value = tags.get(Key);
  return value !== undefined && (Values.length === 0 || Values.includes(value));
}
