import fc from "fast-check";

/** One change to some bytes. */
interface Change {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

/** What smuggling is made of. */
const PIECES = [
  ..."\r\n\0 \t\x0b\xa0:;,0-+_/\\",
  "\r\n",
  "\r\n\r\n",
  "00",
  "0x",
  "%2f",
  "%00",
  "%0d%0a",
  "0\r\n\r\n",
  "1\r\na\r\n",
  " HTTP/1.1",
  "HTTP/1.0",
  "GET /evil HTTP/1.1\r\nHost: a\r\n\r\n",
  "HTTP/1.1 200 OK\r\n",
  "HTTP/1.1 100 Continue\r\n\r\n",
  "Host: b\r\n",
  "Content-Length: 5\r\n",
  "Content-Length: 0\r\n",
  "Transfer-Encoding: chunked\r\n",
  "Transfer-Encoding: x\r\n",
  "chunked",
  "Connection: close\r\n",
  "Connection: upgrade\r\nUpgrade: websocket\r\n",
  "Expect: 100-continue\r\n",
  "http://b/",
  "X: y\r\n z\r\n",
];

const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(400),
  remove: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat(4) }, fc.nat(40)),
  insert: fc.oneof(
    fc.constantFrom(...PIECES),
    fc.constant(""),
    fc.array(fc.nat(255), { maxLength: 3 }).map((codes) => String.fromCharCode(...codes)),
  ),
});

/** Texts that are a few changes away from those of `base`. Text stands for single bytes. */
export function changedBytes(base: fc.Arbitrary<string>): fc.Arbitrary<Buffer> {
  return fc
    .tuple(base, fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([text, changes]) => Buffer.from(changes.reduce(changed, text), "latin1"));
}

function changed(text: string, { at, remove, insert }: Change): string {
  const place = at % (text.length + 1);
  return text.slice(0, place) + insert + text.slice(place + remove);
}

/** How many inputs are tried, and the seeds that always are; those that once found something are kept. FUZZ_RUNS, FUZZ_SEED: others. */
export const FUZZ = {
  runs: Number(process.env["FUZZ_RUNS"] ?? 700),
  seeds: process.env["FUZZ_SEED"] === undefined ? [20_261_116, 7, 1_000_003] : [Number(process.env["FUZZ_SEED"])],
};
