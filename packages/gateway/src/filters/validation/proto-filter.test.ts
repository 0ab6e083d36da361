import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { create, toBinary } from "@bufbuild/protobuf";
import { FieldDescriptorProto_Label, FieldDescriptorProto_Type, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { collect } from "../../exchange/bodies.ts";
import type { Sink, Source } from "../../exchange/body.ts";
import { localAnswer } from "../../exchange/local-answer.ts";
import { madeAnswer, madeAround, madeCall } from "../testing/made-call.ts";
import { protoFilter } from "./proto-filter.ts";
import type { ProtoSpec } from "./proto-filter.ts";

const field = (name: string, number: number, type: FieldDescriptorProto_Type, typeName = "") => ({
  name,
  number,
  type,
  typeName,
  label: FieldDescriptorProto_Label.OPTIONAL,
  jsonName: name,
});
const SET = toBinary(
  FileDescriptorSetSchema,
  create(FileDescriptorSetSchema, {
    file: [
      {
        name: "greet.proto",
        package: "greet",
        syntax: "proto3",
        messageType: [
          {
            name: "Hello",
            field: [
              field("name", 1, FieldDescriptorProto_Type.STRING),
              field("inner", 2, FieldDescriptorProto_Type.MESSAGE, ".greet.Hello"),
            ],
          },
        ],
        service: [
          { name: "Greeter", method: [{ name: "Greet", inputType: ".greet.Hello", outputType: ".greet.Hello" }] },
        ],
      },
    ],
  }),
);
const descriptorInline = Buffer.from(SET).toString("base64");
const PATH = "/greet.Greeter/Greet";

const frame = (message: Buffer, flag = 0): Buffer => {
  const head = Buffer.alloc(5);
  head[0] = flag;
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
};
const GOOD = Buffer.from("0a03416e6e12050a03426f62", "hex");
const UNKNOWN = Buffer.from("1a0178", "hex");
const INNER_UNKNOWN = Buffer.from("12031a0178", "hex");
const BROKEN = Buffer.from("0aff", "hex");

async function sent(body: Buffer | Source, spec: ProtoSpec = {}, fields: Record<string, string> = {}, target = PATH) {
  const around = madeAround();
  const readBytes = (path: string): Uint8Array => {
    if (path === "greet.bin") return SET;
    throw new Error("no such file");
  };
  const filter = protoFilter({ enabled: true, descriptorInline, ...spec }, { ...around, readBytes })!;
  const call = madeCall({ method: "POST", target, isGrpc: true, fields, body });
  const early = await filter.request?.(call);
  if (early !== undefined) return { status: early.status, got: undefined, flag: call.trail.flag, notes: around.notes };
  let got: Buffer | undefined;
  let answer = madeAnswer();
  try {
    const all = await collect(call.body!, 1e7);
    got = all === "too-large" ? undefined : all.bytes;
  } catch {
    answer = localAnswer(502, "upstream_reset", "the body broke off");
  }
  const { status } = (await filter.response?.(call, answer)) ?? answer;
  return { status, got, flag: call.trail.flag, notes: around.notes };
}

test("messages of the right type pass as they came", async () => {
  const body = Buffer.concat([frame(GOOD), frame(Buffer.alloc(0)), frame(GOOD)]);
  const { status, got } = await sent(body);
  assert.equal(status, 200);
  assert.deepEqual(got, body);
});

test("packed messages are looked into", async () => {
  assert.equal((await sent(frame(gzipSync(GOOD), 1), {}, { "grpc-encoding": "gzip" })).status, 200);
  assert.equal((await sent(frame(gzipSync(UNKNOWN), 1), {}, { "grpc-encoding": "gzip" })).status, 400);
  assert.equal((await sent(frame(GOOD, 1), {}, { "grpc-encoding": "gzip" })).status, 400);
  assert.equal((await sent(frame(GOOD, 1))).status, 400);
});

for (const [title, body] of [
  ["fields that the type does not have", frame(UNKNOWN)],
  ["such fields further in", frame(INNER_UNKNOWN)],
  ["bytes that are no message", frame(BROKEN)],
  ["half a message", frame(GOOD).subarray(0, 9)],
  ["a message that says it is huge", Buffer.from("00ffffffff", "hex")],
  ["a second message that is wrong", Buffer.concat([frame(GOOD), frame(BROKEN)])],
] as const)
  test(`${title}: refused`, async () => {
    assert.equal((await sent(body)).status, 400);
  });

test("messages are put together from pieces, and go on one by one", async () => {
  const body = Buffer.concat([frame(GOOD), frame(GOOD)]);
  let sink: Sink | undefined;
  const pieces: Source = {
    length: undefined,
    open(given) {
      sink = given;
      for (const byte of body) sink.write(Buffer.from([byte]));
      sink.end();
    },
    cancel() {},
  };
  assert.deepEqual((await sent(pieces)).got, body);
});

test("nothing of a wrong message is passed on", async () => {
  const filter = protoFilter({ enabled: true, descriptorInline }, { ...madeAround(), readBytes: () => SET })!;
  const call = madeCall({ target: PATH, body: Buffer.concat([frame(GOOD), frame(BROKEN)]), isGrpc: true });
  await filter.request?.(call);
  const got: Buffer[] = [];
  let aborted = false;
  call.body?.open({
    write: (chunk) => got.push(Buffer.from(chunk)) > 0,
    end() {},
    abort: () => (aborted = true),
    onDrain() {},
  });
  assert.deepEqual(Buffer.concat(got), frame(GOOD));
  assert.equal(aborted, true);
});

test("methods that are not described are not implemented", async () => {
  assert.equal((await sent(frame(GOOD), {}, {}, "/greet.Greeter/Other")).status, 404);
  assert.equal((await sent(frame(GOOD), {}, {}, "/other.Service/Greet")).status, 404);
});

test("what is wrong can be let through, and shows in the log", async () => {
  for (const body of [
    Buffer.concat([frame(GOOD), frame(BROKEN), frame(GOOD)]),
    frame(GOOD).subarray(0, 9),
    Buffer.from("00ffffffff", "hex"),
  ]) {
    const { status, flag, got } = await sent(body, { failOnError: false });
    assert.deepEqual([status, flag], [200, "invalid_request"]);
    assert.deepEqual(got, body);
  }
});

test("messages need not be checked", async () => {
  assert.equal((await sent(frame(BROKEN), { validateRequestMessage: false })).status, 200);
});

test("a file can have the descriptors", async () => {
  assert.equal((await sent(frame(GOOD), { descriptorInline: "", descriptorFile: "greet.bin" })).status, 200);
});

for (const spec of [
  { descriptorInline: "AAAA" },
  { descriptorInline: "" },
  { descriptorInline: "", descriptorFile: "missing" },
])
  test(`${JSON.stringify(spec)} closes the route`, async () => {
    const { status, notes } = await sent(frame(GOOD), spec);
    assert.deepEqual([status, notes[0]?.severity, notes[0]?.closed], [503, "error", true]);
  });
