import { keptOnceSet, needs } from "@gatewright/kube/define";
import type { Rule } from "@gatewright/kube/define";

const PROVISIONED = "(has(self.billingMode) ? self.billingMode == 'PROVISIONED' : has(self.provisionedThroughput))";

/** That a key of all indexes of a list is one of the table's keys, or among the attributes. */
function defined(list: string, key: string, optional?: "optional"): string {
  const name = `index.${key}`;
  const known = [
    ...(optional ? [`!has(${name})`] : []),
    `${name} == self.hashKey.name`,
    `(has(self.rangeKey) && ${name} == self.rangeKey.name)`,
    `(has(self.attributes) && self.attributes.exists(each, each.name == ${name}))`,
  ];
  return `!has(self.${list}) || self.${list}.all(index, ${known.join(" || ")})`;
}

/** What AWS would refuse over several fields of a DynamoDBTable. */
export const TABLE_RULES: readonly Rule[] = [
  keptOnceSet("rangeKey", "localSecondaryIndexes"),
  needs("recoveryPeriodInDays", "pointInTimeRecovery"),
  {
    rule: `${PROVISIONED} == has(self.provisionedThroughput)`,
    message: "provisionedThroughput is needed with billingMode PROVISIONED, and with nothing else",
    fieldPath: ".provisionedThroughput",
  },
  {
    rule: `!(${PROVISIONED} && has(self.onDemandThroughput))`,
    message: "onDemandThroughput is for billingMode PAY_PER_REQUEST",
    fieldPath: ".onDemandThroughput",
  },
  {
    rule: `!has(self.globalSecondaryIndexes) || self.globalSecondaryIndexes.all(index, has(index.provisionedThroughput) == ${PROVISIONED})`,
    message: "each index has provisionedThroughput with billingMode PROVISIONED, and none without",
    fieldPath: ".globalSecondaryIndexes",
  },
  {
    rule: `!(${PROVISIONED}) || !has(self.globalSecondaryIndexes) || self.globalSecondaryIndexes.all(index, !has(index.onDemandThroughput))`,
    message: "onDemandThroughput of an index is for billingMode PAY_PER_REQUEST",
    fieldPath: ".globalSecondaryIndexes",
  },
  {
    rule: defined("globalSecondaryIndexes", "hashKey"),
    message: "keys of indexes must be defined in attributes",
    fieldPath: ".globalSecondaryIndexes",
  },
  {
    rule: defined("globalSecondaryIndexes", "rangeKey", "optional"),
    message: "keys of indexes must be defined in attributes",
    fieldPath: ".globalSecondaryIndexes",
  },
  {
    rule: defined("localSecondaryIndexes", "rangeKey"),
    message: "keys of indexes must be defined in attributes",
    fieldPath: ".localSecondaryIndexes",
  },
  {
    rule: "!has(self.localSecondaryIndexes) || size(self.localSecondaryIndexes) == 0 || has(self.rangeKey)",
    message: "localSecondaryIndexes need a rangeKey",
    fieldPath: ".localSecondaryIndexes",
  },
  {
    rule: "!has(self.streamViewType) || (has(self.streamEnabled) && self.streamEnabled)",
    message: "streamViewType needs streamEnabled: true",
    fieldPath: ".streamViewType",
  },
  {
    rule: "!has(self.recoveryPeriodInDays) || self.pointInTimeRecovery",
    message: "recoveryPeriodInDays needs pointInTimeRecovery: true",
    fieldPath: ".recoveryPeriodInDays",
  },
  {
    rule: "!has(self.rangeKey) || self.rangeKey.name != self.hashKey.name",
    message: "hashKey and rangeKey are two attributes",
    fieldPath: ".rangeKey",
  },
];
