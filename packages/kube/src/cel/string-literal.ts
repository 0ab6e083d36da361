const simpleEscapes: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "`": "`",
  "?": "?",
};

const encoder = new TextEncoder();

/** The text that a string token stands for, or why it stands for none. The token is known to be well delimited. */
export function unquoteString(token: string): { text: string } | { problem: string } {
  const { body, raw } = delimited(token);
  if (raw || !body.includes("\\")) return { text: body };
  let text = "";
  for (const piece of pieces(body)) {
    if (typeof piece === "string") text += piece;
    else if (piece.code > 0x10ffff || (piece.code >= 0xd800 && piece.code <= 0xdfff))
      return { problem: "invalid unicode code point" };
    else text += String.fromCodePoint(piece.code);
  }
  return { text };
}

/** The bytes that a bytes token (`b"..."`) stands for. Hex and octal escapes are bytes here, not code points. */
export function unquoteBytes(token: string): { bytes: Uint8Array } | { problem: string } {
  const { body, raw } = delimited(token.slice(1));
  if (raw || !body.includes("\\")) return { bytes: encoder.encode(body) };
  const bytes: number[] = [];
  for (const piece of pieces(body)) {
    if (typeof piece === "string") bytes.push(...encoder.encode(piece));
    else if (piece.unicode) return { problem: "unable to unescape string" };
    else bytes.push(piece.code);
  }
  return { bytes: Uint8Array.from(bytes) };
}

function delimited(token: string): { body: string; raw: boolean } {
  const raw = token[0] === "r" || token[0] === "R";
  const quoted = (raw ? token.slice(1) : token).replaceAll(/\r\n?/g, "\n");
  const width = quoted.length >= 6 && (quoted.startsWith('"""') || quoted.startsWith("'''")) ? 3 : 1;
  return { body: quoted.slice(width, quoted.length - width), raw };
}

function* pieces(body: string): Generator<string | { code: number; unicode: boolean }> {
  let at = 0;
  while (at < body.length) {
    const slash = body.indexOf("\\", at);
    if (slash < 0) {
      yield body.slice(at);
      return;
    }
    if (slash > at) yield body.slice(at, slash);
    const letter = body[slash + 1]!;
    const simple = simpleEscapes[letter];
    if (simple !== undefined) {
      yield simple;
      at = slash + 2;
    } else if (letter >= "0" && letter <= "3") {
      yield { code: Number.parseInt(body.slice(slash + 1, slash + 4), 8), unicode: false };
      at = slash + 4;
    } else {
      const digits = letter === "u" ? 4 : letter === "U" ? 8 : 2;
      yield { code: Number.parseInt(body.slice(slash + 2, slash + 2 + digits), 16), unicode: digits > 2 };
      at = slash + 2 + digits;
    }
  }
}
