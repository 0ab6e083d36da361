import assert from "node:assert/strict";
import { mkdir, mkdtemp, rename, rm, symlink, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { ManualClock, systemClock } from "@gatewright/ports";
import { SettingsError } from "../settings/settings-error.ts";
import type { FileConfiguration } from "./file-configuration.ts";
import { fileSource } from "./file-source.ts";
import type { FileSource, FileSourceOptions } from "./file-source.ts";

const settings = (rest = ""): string =>
  `apiVersion: gateway.avapigw.io/v1\nkind: Gateway\nmetadata: { name: edge }\nspec:\n  listeners: [{ name: http, port: 0 }]\n${rest}`;
const backend = (name: string, port = 80): string =>
  `apiVersion: avapigw.io/v1alpha1\nkind: Backend\nmetadata: { name: ${name} }\nspec: { hosts: [{ address: a, port: ${port} }] }\n`;

const namesOf = ({ objects }: FileConfiguration): string =>
  objects.map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}`).join(", ");
const problemsOf = ({ problems }: FileConfiguration): string[] =>
  problems.map(({ severity, line, message }) => `${severity}${line === undefined ? "" : ` ${line}`}: ${message}`);

suite("files that are followed", () => {
  let root: string;
  let made = 0;
  const ending = new AbortController();
  before(async () => {
    root = await mkdtemp(join(tmpdir(), "file-source-"));
  });
  after(async () => {
    ending.abort();
    await rm(root, { recursive: true });
  });

  /** A folder with these files, and what comes of it. */
  async function world(
    files: Readonly<Record<string, string>>,
    options: Partial<FileSourceOptions> = {},
  ): Promise<{ source: FileSource; path: (name: string) => string; told: FileConfiguration[]; clock: ManualClock }> {
    const folder = join(root, String(made++));
    const path = (name: string): string => join(folder, name);
    await mkdir(path("objects"), { recursive: true });
    for (const [name, text] of Object.entries(files)) await writeFile(path(name), text);
    const told: FileConfiguration[] = [];
    const clock = new ManualClock();
    const changed = (configuration: FileConfiguration): void => void told.push(configuration);
    const source = await fileSource(path("boot.yaml"), { clock, changed, ...options }, ending.signal);
    return { source, path, told, clock };
  }

  test("objects come from the file itself, from lists in the settings, from files and from directories", async () => {
    const { source } = await world({
      "boot.yaml": `${settings("  objects: [objects, more.json]\n  backends: [{ name: inline, hosts: [{ address: a, port: 1 }] }]")}\n---\n${backend("own")}`,
      "objects/b.yaml": `# nothing\n---\n${backend("b1")}---\n${backend("b2")}`,
      "objects/a.yml": `apiVersion: v1\nkind: List\nitems:\n- { apiVersion: avapigw.io/v1alpha1, kind: APIRoute, metadata: { name: r, namespace: shop, creationTimestamp: "2030-01-01T00:00:00Z" }, spec: {} }`,
      "objects/.hidden.yaml": backend("hidden"),
      "objects/readme.md": "no object",
      "more.json": JSON.stringify({ apiVersion: "v1", kind: "Service", metadata: { name: "s" } }),
    });
    assert.equal(
      namesOf(source.current),
      "Backend default/inline, Backend default/own, APIRoute shop/r, Backend default/b1, Backend default/b2",
    );
    assert.equal(source.current.objects[2]?.createdAt, "2030-01-01T00:00:00Z");
    assert.deepEqual(source.current.objects[0]?.spec, { hosts: [{ address: "a", port: 1 }] });
    assert.match(problemsOf(source.current).join(), /^warning 1: Service of v1 is not for gateways/);
  });

  test("only what changed is another value, and a look that finds nothing new tells nothing", async () => {
    const { source, path, told } = await world({
      "boot.yaml": settings("  objects: [objects]"),
      "objects/a.yaml": `${backend("a")}---\n${backend("b")}`,
    });
    const before = source.current;
    await source.reload();
    assert.equal(told.length, 0);
    await writeFile(path("objects/a.yaml"), `${backend("a")}---\n${backend("b", 81)}`);
    await source.reload();
    assert.equal(told.length, 1);
    assert.equal(told[0]?.objects[0], before.objects[0]);
    assert.notEqual(told[0]?.objects[1]?.version, before.objects[1]?.version);
    assert.equal(told[0]?.settings, before.settings);
  });

  test("a file that cannot be read as YAML counts as it was, and is told with its line", async () => {
    const { source, path, told } = await world({
      "boot.yaml": settings("  objects: [objects]"),
      "objects/a.yaml": backend("a"),
      "objects/b.yaml": backend("b"),
    });
    await writeFile(path("objects/a.yaml"), `${backend("a", 81)}---\nkind: [`);
    await writeFile(path("objects/b.yaml"), backend("c"));
    await source.reload();
    assert.equal(namesOf(told[0]!), "Backend default/a, Backend default/c");
    assert.deepEqual(told[0]?.objects[0]?.spec, { hosts: [{ address: "a", port: 80 }] });
    assert.match(problemsOf(told[0]).join(), /^error 6: the document that begins at line 6 cannot be read/);
    await writeFile(path("objects/a.yaml"), backend("a", 82));
    await source.reload();
    assert.deepEqual(problemsOf(told[1]!), []);
    assert.deepEqual(told[1]?.objects[0]?.spec, { hosts: [{ address: "a", port: 82 }] });
  });

  test("a file that is deleted takes its objects along; a place that the settings name and that is gone does not", async () => {
    const { source, path, told } = await world({
      "boot.yaml": settings("  objects: [objects, more.yaml]"),
      "objects/a.yaml": backend("a"),
      "more.yaml": backend("more"),
    });
    await unlink(path("objects/a.yaml"));
    await unlink(path("more.yaml"));
    await source.reload();
    assert.equal(namesOf(told[0]!), "Backend default/more");
    assert.deepEqual(told[0]?.problems, [
      { file: path("more.yaml"), line: undefined, severity: "error", message: "there is no such file" },
    ]);
  });

  test("settings that cannot be used count as they were; without any there is no gateway", async () => {
    const { source, path, told } = await world({ "boot.yaml": `${settings()}---\n${backend("a")}` });
    await writeFile(path("boot.yaml"), `${settings("  limits: { maxHeaders: -1 }")}\n---\n${backend("b")}`);
    await source.reload();
    assert.equal(told[0]?.settings.limits.maxHeaders, 100);
    assert.equal(namesOf(told[0]), "Backend default/b");
    assert.match(problemsOf(told[0]).join(), /error 1: spec\.limits\.maxHeaders: Invalid value: -1/);
    await unlink(path("boot.yaml"));
    await source.reload();
    assert.equal(namesOf(told[1]!), "Backend default/b");
    await assert.rejects(fileSource(path("boot.yaml"), { clock: new ManualClock(), changed() {} }, ending.signal), {
      name: SettingsError.name,
      problems: ["there is no such file"],
    });
  });

  test("of two objects of one name the first counts, and the other is told", async () => {
    const { source } = await world({ "boot.yaml": `${settings()}---\n${backend("a", 1)}---\n${backend("a", 2)}` });
    assert.deepEqual(source.current.objects[0]?.spec, { hosts: [{ address: "a", port: 1 }] });
    assert.match(problemsOf(source.current).join(), /warning 12: Backend default\/a is there already/);
  });

  test("a file with a document that is no object any more counts as it was, and at first as far as it is good", async () => {
    const nameless = "apiVersion: avapigw.io/v1alpha1\nkind: Backend\nmetadata: {}\nspec: {}\n";
    const misspelt = backend("b", 82).replace("kind: Backend", "kind: Backendd");
    const { source, path, told } = await world({
      "boot.yaml": settings("  objects: [objects]"),
      "objects/a.yaml": `${backend("a")}---\n${backend("b")}`,
      "objects/c.yaml": `${backend("c")}---\n${nameless}`,
    });
    assert.equal(namesOf(source.current), "Backend default/a, Backend default/b, Backend default/c");
    assert.match(problemsOf(source.current).join(), /^error 6: Backend: write metadata.name/);
    for (const [at, text] of [nameless, misspelt, "no object"].entries()) {
      await writeFile(path("objects/a.yaml"), `${backend("a", 81)}---\n${text}`);
      await source.reload();
      assert.equal(namesOf(told[at]!), "Backend default/a, Backend default/b, Backend default/c");
      assert.deepEqual(told[at]?.objects[0]?.spec, { hosts: [{ address: "a", port: 80 }] });
      assert.match(problemsOf(told[at]).join(), /^error 6: /);
    }
    await writeFile(path("objects/a.yaml"), backend("a", 82));
    await source.reload();
    assert.equal(namesOf(told[3]!), "Backend default/a, Backend default/c");
  });

  test("a change is found without the file system's help, now and then", async () => {
    const { path, told, clock } = await world(
      { "boot.yaml": settings() },
      { quietMs: 1_000_000, patienceMs: 1_000_000 },
    );
    await writeFile(path("boot.yaml"), `${settings()}---\n${backend("a")}`);
    while (told.length === 0) {
      clock.advance(5000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(namesOf(told[0]!), "Backend default/a");
  });

  /** The next configuration that the file system's word leads to. */
  function watched(): { next: () => Promise<FileConfiguration>; options: Partial<FileSourceOptions> } {
    const waiting: ((configuration: FileConfiguration) => void)[] = [];
    const come: FileConfiguration[] = [];
    const changed = (configuration: FileConfiguration): void => {
      const first = waiting.shift();
      if (first) first(configuration);
      else come.push(configuration);
    };
    const next = (): Promise<FileConfiguration> =>
      new Promise((resolve) => {
        const first = come.shift();
        if (first) resolve(first);
        else waiting.push(resolve);
      });
    return { next, options: { clock: systemClock, changed, quietMs: 5, pollMs: 1_000_000_000 } };
  }

  test("files that editors replace by others, and new ones, are noticed at once", async () => {
    const { next, options } = watched();
    const { path, source } = await world({ "boot.yaml": settings("  objects: [objects]") }, options);
    await writeFile(path("new"), backend("a"));
    await rename(path("new"), path("objects/a.yaml"));
    assert.equal(namesOf(await next()), "Backend default/a");
    await writeFile(path("new"), `${settings("  objects: [objects]")}\n---\n${backend("own")}`);
    await rename(path("new"), path("boot.yaml"));
    assert.equal(namesOf(await next()), "Backend default/own, Backend default/a");
    source.close();
  });

  test("what Kubernetes mounts from a ConfigMap is followed when its link moves on", async () => {
    const { next, options } = watched();
    const folder = join(root, "mounted");
    const version = async (name: string, port: number): Promise<void> => {
      await mkdir(join(folder, name), { recursive: true });
      await writeFile(join(folder, name, "boot.yaml"), `${settings()}---\n${backend("a", port)}`);
      await symlink(name, join(folder, "..data_tmp"));
      await rename(join(folder, "..data_tmp"), join(folder, "..data"));
    };
    await version("..1", 1);
    await symlink("..data/boot.yaml", join(folder, "boot.yaml"));
    const source = await fileSource(
      join(folder, "boot.yaml"),
      { clock: systemClock, changed() {}, ...options },
      ending.signal,
    );
    assert.deepEqual(source.current.objects[0]?.spec, { hosts: [{ address: "a", port: 1 }] });
    await version("..2", 2);
    assert.deepEqual((await next()).objects[0]?.spec, { hosts: [{ address: "a", port: 2 }] });
    source.close();
  });
});
