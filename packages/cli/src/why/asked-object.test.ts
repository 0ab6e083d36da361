import assert from "node:assert/strict";
import { test } from "node:test";
import { askedObject } from "./asked-object.ts";

const told = (...words: readonly string[]): string => {
  const asked = askedObject(words);
  if ("hostname" in asked) return `hostname ${asked.hostname}`;
  const kinds = asked.kinds.map(({ resource }) => `${resource.kind}.${resource.group}`).join(" or ");
  return `${kinds} ${asked.namespace === undefined ? "" : `${asked.namespace}/`}${asked.name}`;
};

test("objects are named as kubectl takes them", () => {
  assert.equal(told("application/web"), "Application.cloudnative.elide.dev web");
  assert.equal(told("Applications", "web"), "Application.cloudnative.elide.dev web");
  assert.equal(told("ghr/shop/web"), "GatewayHostnameRequest.gateway.opendi.com shop/web");
  assert.equal(told("svc/web"), "Service. web");
  assert.equal(told("grpcroute/a"), "GRPCRoute.avapigw.io or GRPCRoute.gateway.networking.k8s.io a");
  assert.equal(told("grpcroutes.avapigw.io/a"), "GRPCRoute.avapigw.io a");
  assert.equal(told("deployments.v1.apps/a"), "Deployment.apps a");
  assert.equal(told("domainclaim/shop.example.com"), "DomainClaim.gateway.opendi.com shop.example.com");
});

test("a hostname or URL stands for its request", () => {
  assert.equal(told("Test.Opendi.com"), "hostname test.opendi.com");
  assert.equal(told("https://test.opendi.com:8443/a?b"), "hostname test.opendi.com");
});

test("what is none of these is told with what would be", () => {
  assert.throws(() => told("aplication/web"), /did you mean application\?/);
  assert.throws(() => told("web"), /KIND\/NAME/);
  assert.throws(() => told("application/UPPER"), /no name of an object/);
  assert.throws(() => told("a", "b", "c"), /one object at a time/);
  assert.throws(() => told("qqqqqqqqqq/web"), /Kinds: apiroute, application/);
});
