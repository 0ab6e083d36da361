/** A line of a comparison. */
export interface DiffLine {
  readonly sign: " " | "+" | "-";
  readonly text: string;
}

/** Beyond this the whole middle is told as replaced: nobody reads so much. */
const MOST = 4_000_000;

/** What it takes to get from one text to another, line by line, with the fewest lines changed. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const [a, b] = [linesOf(before), linesOf(after)];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const same = (text: string): DiffLine => ({ sign: " ", text });
  return [
    ...a.slice(0, head).map(same),
    ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...a.slice(a.length - tail).map(same),
  ];
}

function linesOf(text: string): readonly string[] {
  return text.replace(/\n$/, "").split("\n");
}

function middle(a: readonly string[], b: readonly string[]): readonly DiffLine[] {
  const removed = (text: string): DiffLine => ({ sign: "-", text });
  const added = (text: string): DiffLine => ({ sign: "+", text });
  if (a.length === 0 || b.length === 0 || a.length * b.length > MOST) return [...a.map(removed), ...b.map(added)];
  // Lengths of what is common from here to the ends.
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const here = i * width + j;
      common[here] =
        a[i] === b[j]
          ? (common[here + width + 1] ?? 0) + 1
          : Math.max(common[here + width] ?? 0, common[here + 1] ?? 0);
    }
  }
  const out: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]];
    if (left !== undefined && left === right) {
      out.push({ sign: " ", text: left });
      i++;
      j++;
    } else if (
      left !== undefined &&
      (right === undefined || (common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0))
    ) {
      out.push(removed(left));
      i++;
    } else if (right !== undefined) {
      out.push(added(right));
      j++;
    }
  }
  return out;
}

/** The changed lines with a few around them; `null` stands for lines that are left out. */
export function hunks(lines: readonly DiffLine[], around = 3): readonly (DiffLine | null)[] {
  const near = new Set<number>();
  lines.forEach(({ sign }, index) => {
    if (sign === " ") return;
    for (let each = index - around; each <= index + around; each++) near.add(each);
  });
  const out: (DiffLine | null)[] = [];
  lines.forEach((line, index) => {
    if (near.has(index)) out.push(line);
    else if (out.at(-1) !== null) out.push(null);
  });
  return out;
}
