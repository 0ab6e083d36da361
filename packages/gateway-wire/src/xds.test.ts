import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { ScalarType } from "@bufbuild/protobuf";
import type { DescEnum, DescField, DescFile, DescMessage } from "@bufbuild/protobuf";

/** What proto-loader tells of a message. */
interface Described {
  readonly name: string;
  readonly field?: readonly {
    readonly name: string;
    readonly number: number;
    readonly type: string;
    readonly label: string;
    readonly typeName: string;
  }[];
  readonly value?: readonly { readonly name: string; readonly number: number }[];
  readonly nestedType?: readonly Described[];
  readonly enumType?: readonly Described[];
}

const require = createRequire(import.meta.url);
const client = dirname(require.resolve("@grpc/grpc-js-xds/package.json"));
const loader = createRequire(join(client, "package.json"))("@grpc/proto-loader") as {
  loadSync(files: readonly string[], options: object): Record<string, { readonly type: Described }>;
};

const folder = join(import.meta.dirname, "generated");
const ours = globSync("{envoy,google}/**/*_pb.js", { cwd: folder }).sort();
const files = await Promise.all(
  ours.map(async (name) => {
    const made = (await import(join(folder, name))) as Record<string, DescFile>;
    const file = Object.entries(made).find(([key]) => key.startsWith("file_"))?.[1];
    assert.ok(file !== undefined, name);
    return file;
  }),
);
const loaded = loader.loadSync(
  files.map(({ name }) => `${name}.proto`),
  {
    keepCase: true,
    includeDirs: ["envoy-api", "xds", "googleapis", "protoc-gen-validate"].map((part) => join(client, "deps", part)),
  },
);

const full = new Map<string, Described>();
const take = (name: string, described: Described): void => {
  full.set(name, described);
  for (const nested of [...(described.nestedType ?? []), ...(described.enumType ?? [])])
    take(`${name}.${nested.name}`, nested);
};
for (const [name, { type }] of Object.entries(loaded)) if (type !== undefined) take(name, type);

/** Fields that came after the definitions that we can compare with, by their numbers. */
const NEWER: ReadonlyMap<string, number> = new Map([
  ["envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit.max_dynamic_descriptors", 18],
]);

test("every message, field and value is what the whole definitions say", () => {
  let compared = 0;
  for (const file of files) {
    for (const message of file.messages) compared += compareMessage(message);
    for (const one of file.enums) compareEnum(one);
  }
  assert.ok(compared > 300, `${compared} fields were compared`);
});

function compareMessage(message: DescMessage): number {
  const theirs = full.get(message.typeName)?.field;
  assert.ok(theirs !== undefined, `${message.typeName} is none of theirs`);
  const theirFields = new Map(theirs.map((one) => [one.name, one]));
  for (const field of message.fields) {
    const whole = theirFields.get(field.name);
    const about = `${message.typeName}.${field.name}`;
    if (NEWER.get(about) === field.number && whole === undefined) continue;
    assert.ok(whole !== undefined, `${about} is none of theirs`);
    assert.equal(field.number, whole.number, `number of ${about}`);
    const isMany = field.fieldKind === "list" || field.fieldKind === "map";
    assert.equal(isMany, whole.label === "LABEL_REPEATED", `label of ${about}`);
    if (field.fieldKind !== "map") assert.equal(typeOf(field), theirType(whole, message.typeName), `type of ${about}`);
  }
  for (const one of message.nestedEnums) compareEnum(one);
  return message.nestedMessages.reduce((sum, nested) => sum + compareMessage(nested), message.fields.length);
}

function compareEnum({ typeName, values }: DescEnum): void {
  const theirs = full.get(typeName)?.value;
  assert.ok(theirs !== undefined, `${typeName} is none of theirs`);
  for (const { name, number } of values)
    assert.equal(theirs.find((one) => one.name === name)?.number, number, `${typeName}.${name}`);
}

function typeOf(field: DescField): string {
  if (field.message !== undefined) return field.message.typeName;
  if (field.enum !== undefined) return field.enum.typeName;
  return `TYPE_${ScalarType[field.scalar as ScalarType]}`;
}

/** Names of types are told as they were written: from the scope that they are in. */
function theirType(field: { readonly type: string; readonly typeName: string }, scope: string): string {
  if (field.typeName === "") return field.type;
  const written = field.typeName.replace(/^\./u, "");
  for (let within = scope; ; within = within.slice(0, Math.max(0, within.lastIndexOf(".")))) {
    const name = within === "" ? written : `${within}.${written}`;
    if (full.has(name) || within === "") return name;
  }
}
