import assert from "node:assert/strict";
import { test } from "node:test";
import { referencePage } from "./reference-page.ts";
import { Website } from "./testing/website.ts";

const page = referencePage(Website);
const has = (line: string): void => assert.ok(page.includes(`${line}\n`), `${line}\nis not in\n${page}`);

test("fields are listed with their type, default, constraints and description", () => {
  has("| `spec.title` | string | required | Shown in the browser's tab. At most 80 characters. |");
  has('| `spec.tier` | string | `"small"` | One of `small`, `large`. |');
  has("| `spec.replicas` | integer (int32) | `1` | At least 0; at most 100. |");
  has("| `spec.weight` | number |  | At least 0; below 1. |");
  has("| `spec.ports` | list of object |  | At most 5 items; no two with the same name. |");
  has("| `spec.ports[].name` | string | required | At most 15 characters. |");
  has("| `spec.note` | string or null |  | At most 10 characters. |");
  has("| `spec.tags` | list of string |  | At most 10 items; no item twice; each: at most 20 characters. |");
  has("| `spec.extra` | object |  | Other fields are kept. |");
});

test("rules are listed with their field, columns with their path, and bars do not break tables", () => {
  has("| `spec.image` | is immutable | `self == oldSelf` |");
  has("| `spec.ports[].port` | is immutable | `self == oldSelf` |");
  has("| the object | the name must fit into a label | `size(self.metadata.name) <= 63` |");
  has("| Image | `.spec.image` | With `-o wide`. |");
  has(
    "| `spec` | namespace can only be set together with target | `!has(self.__namespace__) \\|\\| (has(self.target))` |",
  );
});

test("the page has versions and an example that can be applied", () => {
  has("| Versions | `v1` (stored), `v1beta1` (deprecated) |");
  has("## v1beta1: spec");
  has("  name: shop");
});
