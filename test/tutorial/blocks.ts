/** Commands of a page, as they stand there. */
export interface Block {
  readonly commands: string;
  /** A command that they take and not everybody has. */
  readonly needs: string | undefined;
  /** The exit code that they end with. */
  readonly exits: number;
  /** Of its first line in the page. */
  readonly line: number;
}

/** The `sh` blocks of a Markdown page, in order; behind `sh`, `needs=aws` names what one takes and `exits=2` how it ends. */
export function shellBlocks(page: string): readonly Block[] {
  const blocks: Block[] = [];
  let open: (Omit<Block, "commands"> & { readonly lines: string[] }) | undefined;
  for (const [at, line] of page.split("\n").entries()) {
    if (open !== undefined) {
      if (line !== "```") open.lines.push(line);
      else {
        const { lines, ...rest } = open;
        blocks.push({ ...rest, commands: lines.join("\n") });
        open = undefined;
      }
      continue;
    }
    const [, needs, exits] = /^```sh(?: needs=(\w+))?(?: exits=(\d+))?$/.exec(line) ?? [];
    if (line.startsWith("```sh")) open = { line: at + 2, needs, exits: Number(exits ?? 0), lines: [] };
  }
  return blocks;
}
