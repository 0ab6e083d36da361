import assert from "node:assert/strict";
import { test } from "node:test";
import { createMetrics } from "./create-metrics.ts";

const lines = (body: string): string[] =>
  body.split("\n").filter((line) => !line.includes("gatewright_metrics_dropped"));

test("counters, gauges and histograms are told in the Prometheus text format", () => {
  const metrics = createMetrics();
  metrics.counter({ name: "adds_total", help: "Adds", labels: ["name"] }).inc(["a"], 2);
  metrics.gauge({ name: "depth", help: "Depth" }).set(3);
  const seconds = metrics.histogram({ name: "seconds", help: "Time", labels: ["name"], buckets: [0.1, 1] });
  for (const value of [0.1, 0.5, 7]) seconds.observe(value, ["a"]);
  const { contentType, body } = metrics.exposition();
  assert.equal(contentType, "text/plain; version=0.0.4; charset=utf-8");
  assert.deepEqual(lines(body), [
    "# HELP adds_total Adds",
    "# TYPE adds_total counter",
    'adds_total{name="a"} 2',
    "# HELP depth Depth",
    "# TYPE depth gauge",
    "depth 3",
    "# HELP seconds Time",
    "# TYPE seconds histogram",
    'seconds_bucket{name="a",le="0.1"} 1',
    'seconds_bucket{name="a",le="1"} 2',
    'seconds_bucket{name="a",le="+Inf"} 3',
    'seconds_sum{name="a"} 7.6',
    'seconds_count{name="a"} 3',
    "",
  ]);
});

test("a scraper that accepts OpenMetrics gets it: no _total in the family's name, whole bounds with a fraction, an end mark", () => {
  const metrics = createMetrics();
  metrics.counter({ name: "adds_total", help: 'Adds "up"' }).inc();
  metrics.histogram({ name: "seconds", help: "Time", buckets: [1] });
  const { contentType, body } = metrics.exposition("application/openmetrics-text;version=1.0.0,text/plain;q=0.5");
  assert.match(contentType, /^application\/openmetrics-text/);
  assert.deepEqual(lines(body), [
    '# HELP adds Adds \\"up\\"',
    "# TYPE adds counter",
    "adds_total 1",
    "# HELP seconds Time",
    "# TYPE seconds histogram",
    'seconds_bucket{le="1.0"} 0',
    'seconds_bucket{le="+Inf"} 0',
    "seconds_sum 0",
    "seconds_count 0",
    "# EOF",
    "",
  ]);
});

test("label values are escaped, and values of different labels never meet", () => {
  const metrics = createMetrics();
  const counter = metrics.counter({ name: "c_total", help: "one\ntwo", labels: ["x", "y"] });
  counter.inc(['a"\\\n', "b"]);
  counter.inc(["a", 'b","c']);
  counter.inc(['a","b', "c"]);
  const { body } = metrics.exposition();
  assert.ok(body.includes("# HELP c_total one\\ntwo\n"));
  assert.ok(body.includes('c_total{x="a\\"\\\\\\n",y="b"} 1\n'));
  assert.equal(body.match(/^c_total/gm)?.length, 3);
});

test("what is to be present is there at zero before anything happened", () => {
  const metrics = createMetrics();
  metrics.counter({ name: "runs_total", help: "Runs", labels: ["result"], present: [["success"], ["error"]] });
  metrics.counter({ name: "bare_total", help: "Bare" });
  const { body } = metrics.exposition();
  for (const line of ['runs_total{result="success"} 0', 'runs_total{result="error"} 0', "bare_total 0"]) {
    assert.ok(body.includes(`${line}\n`), line);
  }
});

test("a metric is made once; the same name with another type, other labels or a wrong number of values is a mistake", () => {
  const metrics = createMetrics();
  const options = { name: "c_total", help: "", labels: ["x"] };
  assert.equal(metrics.counter(options), metrics.counter(options));
  assert.throws(() => metrics.gauge(options), /another type/);
  assert.throws(() => metrics.counter({ ...options, labels: ["y"] }), /other labels/);
  assert.throws(() => metrics.counter(options).inc([]), /has 1 labels, not 0/);
  assert.throws(() => metrics.counter(options).inc(["a"], -1), /only rises/);
  assert.throws(() => metrics.counter({ name: "a-b", help: "" }), /no name of a metric/);
  assert.throws(() => metrics.counter({ name: "ab", help: "", labels: ["le"] }), /no name of a label/);
});

test("label values beyond the limit are dropped and counted instead of filling the memory", () => {
  const metrics = createMetrics({ maxSeries: 2 });
  const counter = metrics.counter({ name: "c_total", help: "", labels: ["x"] });
  for (const x of ["a", "b", "c", "d", "a"]) counter.inc([x]);
  const { body } = metrics.exposition();
  assert.equal(body.match(/^c_total/gm)?.length, 2);
  assert.ok(body.includes('c_total{x="a"} 2\n'));
  assert.ok(body.includes('gatewright_metrics_dropped_total{metric="c_total"} 2\n'));
});

test("values can be read at the scrape, and one that cannot be read costs only its own metric", () => {
  const metrics = createMetrics();
  let depth = 1;
  metrics.gauge({ name: "depth", help: "" }).from(() => depth);
  metrics.gauge({ name: "broken", help: "" }).from(() => {
    throw new Error("no");
  });
  metrics.sampled({ name: "s_total", help: "", labels: ["x"], type: "counter" }, () => [{ labels: ["a"], value: 5 }]);
  depth = 2;
  const { body } = metrics.exposition();
  assert.ok(body.includes("depth 2\n"));
  assert.ok(body.includes('s_total{x="a"} 5\n'));
  assert.ok(!body.includes("broken"));
});
