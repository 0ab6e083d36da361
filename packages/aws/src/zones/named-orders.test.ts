import assert from "node:assert/strict";
import { test } from "node:test";
import { namedOrders } from "./named-orders.ts";
import { newOrder } from "./order.ts";
import type { Order } from "./order.ts";
import type { RecordSet } from "./record-set.ts";

const order = (key: string, record: RecordSet): Order =>
  newOrder("Z", [{ action: "create", record }], { key, askedAt: 0, owner: "o" });
const plain = order("plain", { name: "a.example.com", type: "A", ttl: 60, values: ["10.0.0.1"] });
const wild = order("wild", { name: "*.example.com", type: "A", ttl: 60, values: ["10.0.0.999"] });
const alias = order("alias", {
  name: "b.example.com",
  type: "A",
  alias: { dnsName: "lb.eu-west-1.elb.amazonaws.com", zoneId: "Z3", evaluateTargetHealth: true },
});
const apex = order("apex", { name: "example.com", type: "A", ttl: 60, values: ["10.0.0.1"] });
const ALL = [plain, wild, alias, apex];

/** Who is named, who is guilty, who has something in the way. */
function verdict(message: string): readonly string[] {
  const { words, guilty, inTheWay } = namedOrders(message, ALL);
  return [words.keys(), guilty, inTheWay].map((orders) => [...orders].map(({ key }) => key).join(" "));
}

test("words of Route 53 lead to the orders that they are about", () => {
  const cases: readonly (readonly [message: string, ...verdict: string[]])[] = [
    ["[Tried to create resource record set [name='a.example.com.', type='A'] but it already exists]", "plain", "", ""],
    [
      "[Tried to create resource record set [name='a.example.com.', type='A'] but it already exists, " +
        "Tried to delete resource record set [name='\\052.example.com.', type='A'] but it was not found]",
      "plain wild",
      "",
      "",
    ],
    ["[RRSet with DNS name \\052.example.com. is not permitted in zone other.org.]", "wild", "wild", ""],
    [
      "[RRSet of type CNAME with DNS name a.example.com. is not permitted as it conflicts with other records with the same DNS name in zone example.com.]",
      "plain",
      "",
      "plain",
    ],
    [
      "[Tried to create an alias that targets lb.eu-west-1.elb.amazonaws.com., type A in zone Z3, but that target was not found]",
      "alias",
      "alias",
      "",
    ],
    ["[Invalid Resource Record: 'FATAL problem: X (y) encountered with '10.0.0.999'']", "wild", "", ""],
    [
      "Invalid request: TTL in Change with [Action=CREATE, Name=b.example.com., Type=A, SetIdentifier=null]",
      "alias",
      "alias",
      "",
    ],
    ["[Number of records limit of 10000 exceeded.]", "", "", ""],
    ["something new", "", "", ""],
  ];
  for (const [message, ...expected] of cases) assert.deepEqual(verdict(message), expected, message);
});
