import assert from "node:assert/strict";
import { test } from "node:test";
import type { core } from "@gatewright/kube/api";
import type { Application } from "@gatewright/resources";
import { appOf, deploymentOf } from "../testing/objects.ts";
import { podTemplate } from "./pod-template.ts";
import { service } from "./service.ts";
import type { Before } from "./target-port.ts";

type Ports = NonNullable<Application["spec"]["ports"]>;
type Expose = Application["spec"]["expose"];

const port = (name: string, number: number, targetPort: number) => ({
  name,
  port: number,
  targetPort,
  protocol: "TCP" as const,
});
const expose = { hostname: "shop.example.com", zoneId: "Z1" };

/** Applies one list of ports after another, and says where the Service led each time. */
function led(steps: readonly Ports[], exposed?: Expose): readonly (readonly unknown[])[] {
  let before: Before = { service: undefined, deployment: undefined };
  return steps.map((ports) => {
    const app = appOf({ ports, ...(exposed && { expose: exposed }) });
    const made = service(app, before) as core.Service;
    const deployment = deploymentOf();
    before = { service: made, deployment: { ...deployment, spec: { selector: {}, template: podTemplate(app) } } };
    return (made.spec?.ports ?? []).map(({ targetPort }) => targetPort);
  });
}

test("a port of the Service leads to the number, until that changes; then to the name, which each pod has its own number for", () => {
  const [old, changed] = [[port("http", 80, 8080)], [port("http", 80, 9090)]];
  assert.deepEqual(led([old, old, changed, changed, old]), [[8080], [8080], ["http"], ["http"], ["http"]]);
  assert.deepEqual(led([old, changed], expose), [[8080], ["http"]]);
});

test("a name that pods of before do not know is not used", () => {
  const [old, changed] = [[port("http", 80, 8080)], [port("http", 80, 9090)]];
  const renamed = [port("web", 80, 9090)];
  assert.deepEqual(led([old, renamed, renamed]), [[8080], [9090], [9090]]);
  assert.deepEqual(led([old, changed, renamed, renamed]), [[8080], ["http"], [9090], [9090]]);
  assert.deepEqual(led([old, [...old, port("admin", 81, 9000)]]), [[8080], [8080, 9000]]);
});

test("ports that share one of the container's go by its name", () => {
  const both = (number: number) => [port("http", 80, number), port("also", 81, number)];
  assert.deepEqual(led([both(8080), both(9090)]), [
    [8080, 8080],
    ["http", "http"],
  ]);
  // What was known as http alone has a name of its own now.
  assert.deepEqual(led([both(8080), [port("http", 80, 9090), port("also", 81, 8080)]]).at(-1), ["http", 8080]);
});

test("where expose leads to several ports they keep numbers, by which their target groups are told apart", () => {
  const paths = ["http", "admin"].map((name) => ({ path: `/${name}`, type: "Prefix" as const, port: name }));
  const at = (http: number) => [port("http", 80, http), port("admin", 81, 9000), port("metrics", 82, http + 1)];
  assert.deepEqual(led([at(8080), at(8090)], { ...expose, paths }).at(-1), [8090, 9000, "metrics"]);
});
