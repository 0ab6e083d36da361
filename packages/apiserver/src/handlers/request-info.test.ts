import assert from "node:assert/strict";
import { test } from "node:test";
import { requestInfo } from "./request-info.ts";
import type { RequestInfo } from "./request-info.ts";

function read(method: string, url: string): RequestInfo {
  const { pathname, searchParams } = new URL(url, "http://x");
  return requestInfo(method, pathname, searchParams);
}

function summary(method: string, url: string): string {
  const info = read(method, url);
  if (info.type === "path") return `path ${info.verb} ${info.path}`;
  const { verb, group, version, namespace, resource, name, subresource } = info;
  return [verb, `${group}/${version}`, namespace, resource, name, subresource].join(" ");
}

test("URLs of the core group and of named groups are read alike", () => {
  assert.equal(summary("GET", "/api/v1/pods"), "list /v1  pods  ");
  assert.equal(summary("GET", "/api/v1/namespaces/a/pods/b"), "get /v1 a pods b ");
  assert.equal(
    summary("PUT", "/apis/apps/v1/namespaces/a/deployments/b/status"),
    "update apps/v1 a deployments b status",
  );
  assert.equal(
    summary("GET", "/apis/rbac.authorization.k8s.io/v1/clusterroles/x"),
    "get rbac.authorization.k8s.io/v1  clusterroles x ",
  );
});

test("a namespace is an object of its own, with its own subresources", () => {
  assert.equal(summary("GET", "/api/v1/namespaces"), "list /v1  namespaces  ");
  assert.equal(summary("GET", "/api/v1/namespaces/a"), "get /v1 a namespaces a ");
  assert.equal(summary("PUT", "/api/v1/namespaces/a/finalize"), "update /v1 a namespaces a finalize");
  assert.equal(summary("GET", "/api/v1/namespaces/a/status"), "get /v1 a namespaces a status");
});

test("a collection is listed, watched, created into or deleted as a whole", () => {
  assert.equal(summary("GET", "/api/v1/pods?watch=true"), "watch /v1  pods  ");
  assert.equal(summary("GET", "/api/v1/pods?watch=0"), "list /v1  pods  ");
  assert.equal(summary("GET", "/api/v1/pods?watch=banana"), "watch /v1  pods  ");
  assert.equal(summary("POST", "/api/v1/namespaces/a/pods"), "create /v1 a pods  ");
  assert.equal(summary("DELETE", "/api/v1/namespaces/a/pods"), "deletecollection /v1 a pods  ");
});

test("watching a name is a plain get, except under the old watch prefix", () => {
  assert.equal(summary("GET", "/api/v1/namespaces/a/pods/b?watch=1"), "get /v1 a pods b ");
  assert.equal(summary("GET", "/api/v1/watch/namespaces/a/pods/b"), "watch /v1 a pods b ");
});

test("everything shorter than a resource is a plain path", () => {
  assert.equal(summary("GET", "/api"), "path get /api");
  assert.equal(summary("GET", "/apis/apps/v1"), "path get /apis/apps/v1");
  assert.equal(summary("GET", "/readyz/ping"), "path get /readyz/ping");
});
