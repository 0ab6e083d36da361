import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@gatewright/ports";
import type { Answer } from "../exchange/answer.ts";
import { collect } from "../exchange/bodies.ts";
import { Fields } from "../exchange/fields.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { RouteTable } from "../table/route-table.ts";
import { Pipeline } from "./pipeline.ts";
import type { PipelineParts } from "./pipeline.ts";

interface Asked {
  readonly answer: Answer;
  readonly text: string;
  /** Tables that were let go of, and requests that were told of. */
  readonly released: number;
  readonly told: readonly (string | undefined)[];
  readonly faults: number;
}

const NO_ROUTES: RouteTable = { match: () => undefined };
const tls = { serverName: "a.example.com", protocol: "TLSv1.3", certificate: undefined };

/** Lets a pipeline answer one request. */
async function asked(
  parts: Partial<PipelineParts> & { readonly table?: RouteTable },
  about: { readonly host?: string; readonly isTls?: boolean; readonly fields?: readonly string[] } = {},
): Promise<Asked> {
  const { table = NO_ROUTES, ...more } = parts;
  let [released, faults] = [0, 0];
  const told: (string | undefined)[] = [];
  const pipeline = new Pipeline({
    clock: new ManualClock(),
    observer: { started() {}, ended: ({ origin }) => void told.push(origin), fault: () => void faults++ },
    proxies: { trusts: () => false },
    lease: () => ({ table, release: () => void released++ }),
    ...more,
  });
  const answer = await new Promise<Answer>((resolve) => {
    const exchange: Exchange = {
      head: {
        method: "GET",
        scheme: about.isTls === true ? "https" : "http",
        authority: about.host ?? "a.example.com:8080",
        target: "/",
        version: "1.1",
        fields: new Fields([...(about.fields ?? [])]),
        upgrade: undefined,
      },
      body: undefined,
      client: { address: "10.0.0.1", port: 1, tls: about.isTls === true ? tls : undefined },
      listener: "http",
      send(given) {
        resolve(given);
        return Promise.resolve({ bytes: 0, failure: undefined });
      },
      onGone() {},
    };
    pipeline.handle(exchange);
  });
  const body = answer.body === undefined ? undefined : await collect(answer.body, 1000);
  const text = body === undefined || body === "too-large" ? "" : body.bytes.toString();
  return { answer, text, released, told, faults };
}

test("what no route takes is answered 404, told of, and lets go of its table", async () => {
  const { answer, text, released, told } = await asked({});
  assert.deepEqual([answer.status, text, released, told], [404, "no route for this request\n", 1, ["no_route"]]);
});

test("before the first whole configuration it may be tried again, by clients of gRPC too", async () => {
  const configured = (): boolean => false;
  const { answer } = await asked({ configured });
  assert.deepEqual([answer.status, answer.fields.get("retry-after"), answer.origin], [503, "1", "not_configured"]);
  const grpc = await asked({ configured }, { fields: ["content-type", "application/grpc"] });
  assert.deepEqual([grpc.answer.status, grpc.answer.fields.get("grpc-status")], [200, "14"]);
});

test("a host that the listener does not serve is none of its routes' business", async () => {
  let isAsked = false;
  const table: RouteTable = {
    match() {
      isAsked = true;
      return undefined;
    },
  };
  const servedHosts = () => new Map([["http", (host: string) => host === "a.example.com"]]);
  assert.equal((await asked({ servedHosts, table })).answer.origin, "no_route");
  assert.equal(isAsked, true);
  isAsked = false;
  const plain = await asked({ servedHosts, table }, { host: "b.example.com" });
  assert.deepEqual([plain.answer.status, plain.answer.origin], [404, "host_not_served"]);
  const secure = await asked({ servedHosts, table }, { host: "b.example.com", isTls: true });
  assert.equal(secure.answer.status, 421);
  assert.equal(isAsked, false);
});

test("a table that fails costs one request its route, and is a fault of ours", async () => {
  const table: RouteTable = {
    match() {
      throw new Error("broken");
    },
  };
  const { answer, faults, released } = await asked({ table });
  assert.deepEqual([answer.status, faults, released], [404, 1, 1]);
});
