import assert from "node:assert/strict";
import { test } from "node:test";
import type { AttributeValue, Operations } from "@gatewright/aws-wire/types/dynamodb";
import fc from "fast-check";
import { refusal, serviceCaller, testWorld } from "../testing/service-caller.ts";
import { createDynamoDb } from "./create-dynamodb.ts";
import { addNumbers, compareNumbers, normalNumber } from "./number.ts";

const TableName = "orders";
const S = (text: string): AttributeValue => ({ S: text });
const N = (number: number | string): AttributeValue => ({ N: String(number) });

async function setUp() {
  const world = testWorld({ durations: 0, lag: false });
  const call = serviceCaller<Operations>(createDynamoDb(world).service);
  await call("CreateTable", {
    TableName,
    AttributeDefinitions: [
      { AttributeName: "who", AttributeType: "S" },
      { AttributeName: "at", AttributeType: "N" },
      { AttributeName: "state", AttributeType: "S" },
    ],
    KeySchema: [
      { AttributeName: "who", KeyType: "HASH" },
      { AttributeName: "at", KeyType: "RANGE" },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: "by-state",
        KeySchema: [{ AttributeName: "state", KeyType: "HASH" }],
        Projection: { ProjectionType: "KEYS_ONLY" },
      },
    ],
    BillingMode: "PAY_PER_REQUEST",
  });
  const put = (who: string, at: number, more: Readonly<Record<string, AttributeValue>> = {}, input: object = {}) =>
    call("PutItem", { TableName, Item: { who: S(who), at: N(at), ...more }, ...input });
  const get = async (who: string, at: number | string, input: object = {}) =>
    (await call("GetItem", { TableName, Key: { who: S(who), at: N(at) }, ...input })).Item;
  const update = (who: string, at: number, UpdateExpression: string, values: object = {}, input: object = {}) =>
    call("UpdateItem", {
      TableName,
      Key: { who: S(who), at: N(at) },
      UpdateExpression,
      ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values as Record<string, AttributeValue> }),
      ...input,
    });
  return { call, put, get, update };
}

test("items are put, got and deleted, with every type of value", async () => {
  const { call, put, get } = await setUp();
  const more = {
    text: S("grüße"),
    bytes: { B: Uint8Array.of(0, 255) },
    set: { NS: ["2", "1.50"] },
    deep: { M: { list: { L: [{ BOOL: true }, { NULL: true }] }, ["__proto__"]: S("x") } },
  };
  await put("a", 1, more);
  const item = await get("a", "1.0");
  assert.deepEqual([item?.["text"], item?.["set"], item?.["at"]], [S("grüße"), { NS: ["2", "1.5"] }, N(1)]);
  assert.deepEqual([...(item?.["bytes"]?.B ?? [])], [0, 255]);
  assert.deepEqual(item?.["deep"]?.M?.["list"], more.deep.M.list);
  assert.equal((await call("DescribeTable", { TableName })).Table?.ItemCount, 1);
  const { Attributes } = await call("DeleteItem", {
    TableName,
    Key: { who: S("a"), at: N(1) },
    ReturnValues: "ALL_OLD",
  });
  assert.deepEqual(Attributes?.["text"], S("grüße"));
  assert.equal(await get("a", 1), undefined);
});

test("of an item that is not there nothing is shown, whatever of it was asked for", async () => {
  const { get } = await setUp();
  const names = { ExpressionAttributeNames: { "#n": "name" } };
  assert.equal(await get("a", 1, { ProjectionExpression: "#n, other", ...names }), undefined);
  const invalid = refusal("ValidationException");
  await assert.rejects(get("a", 1, { ProjectionExpression: "other", ...names }), invalid);
  await assert.rejects(get("a", 1, { ProjectionExpression: "#n, #m", ...names }), invalid);
});

test("keys and values must be as the table and the types want them", async () => {
  const { call, put, get } = await setUp();
  const invalid = refusal("ValidationException");
  await assert.rejects(call("PutItem", { TableName, Item: { who: S("a") } }), invalid);
  await assert.rejects(call("PutItem", { TableName, Item: { who: N(1), at: N(1) } }), invalid);
  await assert.rejects(put("", 1), invalid);
  await assert.rejects(put("a", 1, { state: N(1) }), invalid);
  await assert.rejects(put("a", 1, { x: {} }), invalid);
  await assert.rejects(put("a", 1, { x: { S: "a", N: "1" } }), invalid);
  await assert.rejects(put("a", 1, { x: N("one") }), invalid);
  await assert.rejects(put("a", 1, { x: N("1".repeat(39)) }), invalid);
  await assert.rejects(put("a", 1, { x: { SS: [] } }), invalid);
  await assert.rejects(put("a", 1, { x: { SS: ["a", "a"] } }), invalid);
  await assert.rejects(call("GetItem", { TableName, Key: { who: S("a") } }), invalid);
  await assert.rejects(get("a", 1, { AttributesToGet: ["x"] }), /not served/);
  await assert.rejects(call("GetItem", { TableName: "other", Key: {} }), refusal("ResourceNotFoundException"));
});

test("conditions decide whether something is written", async () => {
  const { put, get } = await setUp();
  const once = { ConditionExpression: "attribute_not_exists(who)" };
  await put("a", 1, { n: N(1) }, once);
  await assert.rejects(put("a", 1, { n: N(2) }, once), refusal("ConditionalCheckFailedException"));
  const when = (ConditionExpression: string, values: object) =>
    put("a", 1, { n: N(1), l: { L: [S("x")] } }, { ConditionExpression, ExpressionAttributeValues: values });
  for (const [expression, values] of [
    ["n = :n AND NOT (n > :n)", { ":n": N("1.0") }],
    ["l[0] = :x OR n < :n", { ":x": S("x"), ":n": N(0) }],
    ["n BETWEEN :a AND :b", { ":a": N(0), ":b": N(10) }],
    ["n IN (:a, :b)", { ":a": N(0), ":b": N(1) }],
    ["begins_with(who, :w) and contains(l, :x)", { ":w": S("a"), ":x": S("x") }],
    ["size(l) = :n AND attribute_type(l, :t)", { ":n": N(1), ":t": S("L") }],
  ] as const) {
    await put("a", 1, { n: N(1), l: { L: [S("x")] } });
    await when(expression, values);
  }
  const invalid = refusal("ValidationException");
  for (const [expression, values] of [
    ["n = ", {}],
    ["n = :n )", { ":n": N(1) }],
    ["n = :missing", {}],
    ["n = :n", { ":n": N(1), ":unused": N(1) }],
    ["n ~ :n", { ":n": N(1) }],
    ["#n = :n", { ":n": N(1) }],
    [`${"(".repeat(2_000)}n = :n`, { ":n": N(1) }],
    ["", {}],
  ] as const) {
    await assert.rejects(when(expression, values), invalid, expression.slice(0, 20));
  }
  assert.deepEqual((await get("a", 1))?.["n"], N(1));
});

test("updates set, remove, add and delete parts of items", async () => {
  const { update, get } = await setUp();
  await update("a", 1, "SET n = if_not_exists(n, :zero) + :one, l = :l, m = :m ADD tags :t", {
    ":zero": N(0),
    ":one": N("0.1"),
    ":l": { L: [S("x")] },
    ":m": { M: { a: N(1) } },
    ":t": { SS: ["one", "two"] },
  });
  const { Attributes } = await update(
    "a",
    1,
    "SET n = n + :d, l = list_append(l, :l), m.b = :d REMOVE m.a DELETE tags :t",
    { ":d": N("0.2"), ":l": { L: [S("y")] }, ":t": { SS: ["one"] } },
    { ReturnValues: "UPDATED_NEW" },
  );
  assert.deepEqual(Attributes, {
    n: N("0.3"),
    l: { L: [S("x"), S("y")] },
    m: { M: { b: N("0.2") } },
    tags: { SS: ["two"] },
  });
  await update("a", 1, "REMOVE l[0] DELETE tags :t", { ":t": { SS: ["two"] } });
  const item = await get("a", 1, { ProjectionExpression: "l, m.b, tags" });
  assert.deepEqual(item, { l: { L: [S("y")] }, m: { M: { b: N("0.2") } } });
  const invalid = refusal("ValidationException");
  await assert.rejects(update("a", 1, "SET who = :w", { ":w": S("b") }), invalid);
  await assert.rejects(update("a", 1, "SET n = missing"), invalid);
  await assert.rejects(update("a", 1, "SET n = n + l"), invalid);
  await assert.rejects(update("a", 1, "SET m = :x, m.b = :x", { ":x": N(1) }), invalid);
  await assert.rejects(update("a", 1, "SET deep.er = :x", { ":x": N(1) }), invalid);
  await assert.rejects(update("a", 1, "CLEAR n"), invalid);
});

test("places in lists are those of before the update, however many change", async () => {
  const { put, update } = await setUp();
  const list = (text: string): AttributeValue => ({ L: [...text].map(S) });
  const values = { ":x": S("x"), ":y": S("y"), ":z": S("z") };
  for (const [expression, after] of [
    ["REMOVE l[1], l[2]", "ade"],
    ["REMOVE l[2], l[1], l[0]", "de"],
    ["REMOVE l[0] SET l[2] = :x", "bxde"],
    ["SET l[4] = :x REMOVE l[3], l[9]", "abcx"],
    ["SET l[9] = :y, l[7] = :x", "abcdexy"],
    ["SET l[5] = :x, l[7] = :z REMOVE l[6]", "abcdexz"],
    ["SET l[0] = l[1], l[1] = l[0] REMOVE l[4]", "bacd"],
  ] as const) {
    await put("a", 1, { l: list("abcde") });
    const used = Object.fromEntries(Object.entries(values).filter(([word]) => expression.includes(word)));
    const { Attributes } = await update("a", 1, expression, used, { ReturnValues: "ALL_NEW" });
    assert.deepEqual(Attributes?.["l"], list(after), expression);
  }
  await put("a", 1, { l: { L: [list("ab"), list("cd"), { M: { deep: list("ef") } }] } });
  const { Attributes } = await update("a", 1, "REMOVE l[0], l[1][0], l[2].deep[0]", {}, { ReturnValues: "ALL_NEW" });
  assert.deepEqual(Attributes?.["l"], { L: [list("d"), { M: { deep: list("f") } }] });
  await assert.rejects(update("a", 1, "REMOVE l[7].deep"), refusal("ValidationException"));
});

test("queries give a partition in the order of its range, in pages, forwards and back", async () => {
  const { call, put } = await setUp();
  for (const at of [10, 9, -1, 100, 2.5]) await put("a", at, { big: { BOOL: at > 9 } });
  await put("b", 1);
  const query = async (expression: string, values: object, more: object = {}) => {
    const { Items = [], ...rest } = await call("Query", {
      TableName,
      KeyConditionExpression: expression,
      ExpressionAttributeValues: values as Record<string, AttributeValue>,
      ...more,
    });
    return { ...rest, at: Items.map((item) => Number(item["at"]?.N)) };
  };
  assert.deepEqual((await query("who = :w", { ":w": S("a") })).at, [-1, 2.5, 9, 10, 100]);
  assert.deepEqual((await query("who = :w", { ":w": S("a") }, { ScanIndexForward: false, Limit: 2 })).at, [100, 10]);
  assert.deepEqual(
    (await query("who = :w AND at BETWEEN :x AND :y", { ":w": S("a"), ":x": N(0), ":y": N(10) })).at,
    [2.5, 9, 10],
  );
  const filtered = await query("who = :w", { ":w": S("a"), ":t": { BOOL: true } }, { FilterExpression: "big = :t" });
  assert.deepEqual([filtered.at, filtered.Count, filtered.ScannedCount], [[10, 100], 2, 5]);
  const first = await query("who = :w", { ":w": S("a") }, { Limit: 3 });
  const second = await query("who = :w", { ":w": S("a") }, { Limit: 3, ExclusiveStartKey: first.LastEvaluatedKey });
  assert.deepEqual([first.at, second.at, second.LastEvaluatedKey], [[-1, 2.5, 9], [10, 100], undefined]);
  const invalid = refusal("ValidationException");
  await assert.rejects(query("at = :x", { ":x": N(1) }), invalid);
  await assert.rejects(query("who = :w AND big = :x", { ":w": S("a"), ":x": N(1) }), invalid);
  await assert.rejects(query("who > :w", { ":w": S("a") }), invalid);
});

test("queries are refused that filter by keys, compare keys with other types, or start where none can have ended", async () => {
  const { call, put } = await setUp();
  await put("a", 1);
  const query = (input: object, values: object = { ":w": S("a") }) =>
    call("Query", {
      TableName,
      KeyConditionExpression: "who = :w",
      ExpressionAttributeValues: values as Record<string, AttributeValue>,
      ...input,
    });
  const message = (text: string) => ({ code: "ValidationException", message: text });
  const filtered = (name: string) =>
    message(`Filter Expression can only contain non-primary key attributes: Primary key attribute: ${name}`);
  const one = { ":w": S("a"), ":x": N(1) };
  await assert.rejects(query({ FilterExpression: "n = :x AND NOT (at > :x)" }, one), filtered("at"));
  await assert.rejects(query({ FilterExpression: "attribute_exists(who)" }), filtered("who"));
  const wrongType = message(
    "One or more parameter values were invalid: Condition parameter type does not match schema type",
  );
  await assert.rejects(query({}, { ":w": N(1) }), wrongType);
  const ranged = { KeyConditionExpression: "who = :w AND at BETWEEN :x AND :y" };
  await assert.rejects(query(ranged, { ...one, ":y": S("2") }), wrongType);
  const from = (who: AttributeValue, at: AttributeValue, more: object = {}) => ({
    ExclusiveStartKey: { who, at, ...more },
  });
  await assert.rejects(
    query(from(S("b"), N(1))),
    message("The provided starting key is outside query boundaries based on provided conditions"),
  );
  const behind = { KeyConditionExpression: "who = :w AND at > :x" };
  await assert.rejects(query({ ...behind, ...from(S("a"), N(0)) }, one), refusal("ValidationException"));
  await assert.rejects(query(from(S("a"), S("1"))), message("The provided starting key is invalid"));
  await assert.rejects(query(from(S("a"), N(1), { n: N(1) })), message("The provided starting key is invalid"));
  assert.equal((await query(from(S("a"), N(0)))).Count, 1);
  assert.equal((await call("Scan", { TableName, FilterExpression: "attribute_exists(who)" })).Count, 1);
});

test("puts and deletions give back what was there, and nothing else", async () => {
  const { call, put } = await setUp();
  const ReturnValues = "ALL_NEW";
  const refused = { code: "ValidationException", message: "ReturnValues can only be ALL_OLD or NONE" };
  await assert.rejects(put("a", 1, {}, { ReturnValues }), refused);
  await assert.rejects(call("DeleteItem", { TableName, Key: { who: S("a"), at: N(1) }, ReturnValues }), refused);
  assert.equal((await put("a", 1, {}, { ReturnValues: "NONE" })).Attributes, undefined);
  assert.ok((await put("a", 1, {}, { ReturnValues: "ALL_OLD" })).Attributes);
});

test("scans give everything once, in pages; indexes give what they have", async () => {
  const { call, put } = await setUp();
  for (let i = 0; i < 10; i++) await put(`p${i}`, i, { note: S("x"), ...(i < 3 && { state: S("open") }) });
  const seen: string[] = [];
  let ExclusiveStartKey: Readonly<Record<string, AttributeValue>> | undefined;
  do {
    const page: Operations["Scan"]["output"] = await call("Scan", { TableName, Limit: 3, ExclusiveStartKey });
    seen.push(...(page.Items ?? []).map((item) => item["who"]?.S ?? ""));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  assert.deepEqual(
    seen.toSorted(),
    Array.from({ length: 10 }, (_, i) => `p${i}`),
  );
  const { Items = [] } = await call("Query", {
    TableName,
    IndexName: "by-state",
    KeyConditionExpression: "#s = :s",
    ExpressionAttributeNames: { "#s": "state" },
    ExpressionAttributeValues: { ":s": S("open") },
  });
  assert.deepEqual(
    Items.map((item) => Object.keys(item).toSorted().join(" ")),
    Array(3).fill("at state who"),
  );
  assert.equal((await call("Scan", { TableName, IndexName: "by-state", Select: "COUNT" })).Count, 3);
  await assert.rejects(call("Scan", { TableName, IndexName: "other" }), refusal("ValidationException"));
});

test("numbers are exact, and ordered as numbers are", () => {
  assert.equal(normalNumber("-0012.3400e2"), "-1234");
  assert.equal(normalNumber("0.000"), "0");
  assert.equal(addNumbers("0.1", "0.2"), "0.3");
  assert.equal(addNumbers("1e30", "-1"), "999999999999999999999999999999");
  fc.assert(
    fc.property(fc.integer(), fc.integer(), fc.integer({ min: -20, max: 20 }), (one, other, power) => {
      const [a, b] = [`${one}e${power}`, `${other}e${power}`];
      // Of equal ones below zero it is -0, which orders as 0 does.
      assert.equal(Math.sign(compareNumbers(a, b)) + 0, Math.sign(one - other));
      assert.equal(addNumbers(a, b), normalNumber(`${BigInt(one) + BigInt(other)}e${power}`));
      assert.equal(addNumbers(a, b, true), normalNumber(`${BigInt(one) - BigInt(other)}e${power}`));
    }),
  );
});
