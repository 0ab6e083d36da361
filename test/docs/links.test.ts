import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { brokenLinks } from "../../scripts/links/broken-links.ts";

const PAGE = `# One page

[good](other.md), [a heading](other.md#two-words-and-code), [here](#one-page), [again](other.md#twice-1), [web](https://example.com/#x)
![picture](missing.svg) and [away](other.md#nothing)

\`[no link](nowhere.md)\`

\`\`\`md
[no link](nowhere.md)
\`\`\`

[outside](../elsewhere.md)
`;

test("links that lead to no file or heading are found, with their line; code holds none", () => {
  const root = mkdtempSync(join(tmpdir(), "gatewright-links-"));
  try {
    writeFileSync(join(root, "page.md"), PAGE);
    writeFileSync(join(root, "other.md"), "# Two words, and `code`\n\n## Twice\n\n## Twice\n\n```sh\n# Nothing\n```\n");
    const found = brokenLinks(root, ["page.md"]);
    assert.deepEqual(
      found.map(({ line, target, why }) => `${line} ${target} ${why}`),
      [
        "4 missing.svg is not there",
        "4 other.md#nothing has no such heading",
        "12 ../elsewhere.md is outside of the repository",
      ],
    );
  } finally {
    rmSync(root, { recursive: true });
  }
});
