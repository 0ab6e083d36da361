import { globSync, readFileSync } from "node:fs";
import { ADAPTER_ROOMS, ROOMS, TEST_ROOMS } from "./rooms.ts";

/** Rules of this house that no linter knows. Prints what is wrong and exits with 1 if anything is. */
const MAX_LINES = 400;

const BANNED: readonly (readonly [RegExp, string])[] = [
  [/\bDate\.now\(/, "Date.now: take a Clock"],
  [/\bnew Date\(\)/, "new Date(): take a Clock"],
  [/\bperformance\.now\(/, "performance.now: take a Clock"],
  [/(?<![.\w])set(?:Timeout|Interval|Immediate)\(/, "timers: take a Clock"],
  [/\bAbortSignal\.timeout\(/, "AbortSignal.timeout: use deadline() with a Clock"],
  [/\bMath\.random\(/, "Math.random: take a Random"],
  [/\brandom(?:UUID|Bytes|FillSync|Int)\(/, "node:crypto randomness: take a Random"],
  [/(?<![.\w])fetch\(/, "fetch: take a transport"],
];

const IMPORT = /(?:from|import)\s*\(?\s*"([^"]+)"/g;

interface Finding {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

function checkFile(file: string): Finding[] {
  const findings: Finding[] = [];
  const room = /^packages\/([^/]+)\//.exec(file)?.[1];
  const isTest = file.endsWith(".test.ts") || file.includes("/testing/");
  const lines = readFileSync(file, "utf8").split("\n");
  const tell = (index: number, text: string): void => void findings.push({ file, line: index + 1, text });
  if (lines.length > MAX_LINES && !isTest) tell(MAX_LINES, `longer than ${MAX_LINES} lines: is it one idea?`);
  lines.forEach((line, index) => {
    if (/^\s*(?:\/\/|\*|\/\*)/.test(line)) return;
    if (room !== undefined && !isTest && !ADAPTER_ROOMS.has(room)) {
      for (const [pattern, why] of BANNED) if (pattern.test(line)) tell(index, why);
    }
    for (const [, specifier = ""] of line.matchAll(IMPORT)) {
      if (room !== undefined) checkImport(file, room, specifier, isTest, (text) => tell(index, text));
    }
  });
  return findings;
}

function checkImport(
  file: string,
  room: string,
  specifier: string,
  isTest: boolean,
  tell: (text: string) => void,
): void {
  if (specifier.startsWith("../") && /(?:^|\/)packages\//.test(specifier)) {
    tell(`${specifier}: other rooms are imported by their name`);
  }
  const other = /^@gatewright\/([^/]+)/.exec(specifier)?.[1];
  if (other === undefined || other === room || (isTest && TEST_ROOMS.includes(other))) return;
  const folder = /^packages\/[^/]+\/src\/([^/]+)\//.exec(file)?.[1];
  const allowed = ROOMS.get(`${room}/${folder}`) ?? ROOMS.get(room) ?? [];
  if (!allowed.includes(other)) tell(`${room} may not import ${other}`);
}

const files = globSync("{packages/*/src,examples,scripts,bench,test,testbed}/**/*.ts").sort();
const findings = files.flatMap(checkFile);
for (const room of new Set(files.map((file) => /^packages\/([^/]+)\//.exec(file)?.[1]))) {
  if (room !== undefined && !ROOMS.has(room)) {
    findings.push({ file: "scripts/rooms.ts", line: 1, text: `the room ${room} is not on the map` });
  }
}
for (const { file, line, text } of findings) console.error(`${file}:${line}: ${text}`);
console.log(`${files.length} files, ${findings.length} findings`);
process.exitCode = findings.length > 0 ? 1 : 0;
