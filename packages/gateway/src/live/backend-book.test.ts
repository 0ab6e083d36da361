import assert from "node:assert/strict";
import { test } from "node:test";
import type { Backend } from "../backends/backend.ts";
import { BackendBook } from "./backend-book.ts";

function backend(id: string): Backend {
  return {
    id,
    authority: undefined,
    pick: () => assert.fail("nothing is sent here"),
    describe: () => ({ id, circuit: "none", endpoints: [] }),
  };
}

function stage() {
  const book = new BackendBook(({ host, port }) => ({
    backend: backend(`address ${host}:${port}`),
    release: () => () => {},
  }));
  const list = (name: string, address: string | undefined): void => {
    book.list({ kind: "Backend", namespace: "shop", name, address, backend: backend(name) });
    book.refresh();
  };
  const unlist = (name: string): void => {
    book.unlist({ kind: "Backend", namespace: "shop", name });
    book.refresh();
  };
  const handle = (host: string) => book.handle({ kind: "Backend", namespace: "shop", host, port: 80 });
  return { list, unlist, handle };
}

test("an address is the backend whose only host it is, and one of several hosts is no backend", () => {
  const { list, unlist, handle } = stage();
  const one = handle("10.0.0.1");
  list("several", undefined);
  assert.equal(one.id, "address 10.0.0.1:80");
  assert.equal(handle("several").id, "several");
  list("single", "10.0.0.1:80");
  assert.equal(one.id, "single");
  list("single", undefined);
  assert.equal(one.id, "address 10.0.0.1:80");
  list("single", "10.0.0.1:80");
  unlist("single");
  assert.equal(one.id, "address 10.0.0.1:80");
});

test("of several backends with the same only host it is the first by name, whichever was edited last", () => {
  const { list, unlist, handle } = stage();
  const one = handle("10.0.0.1");
  list("b", "10.0.0.1:80");
  list("a", "10.0.0.1:80");
  assert.equal(one.id, "a");
  list("a", "10.0.0.1:80");
  assert.equal(one.id, "a");
  unlist("a");
  assert.equal(one.id, "b");
});
