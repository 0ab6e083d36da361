import type { LiteralExpr } from "./ast.ts";
import type { Token } from "./lexer.ts";
import { unquoteBytes, unquoteString } from "./string-literal.ts";

/** The value of a literal token, why it has none, or undefined when the token is no literal. */
export function parseLiteral(
  token: Token,
  negative: boolean,
): Pick<LiteralExpr, "value" | "unsigned"> | { problem: string } | undefined {
  switch (token.kind) {
    case "int": {
      const value = negative ? -BigInt(token.text) : BigInt(token.text);
      return BigInt.asIntN(64, value) === value ? { value } : { problem: "invalid int literal" };
    }
    case "uint": {
      const value = BigInt(token.text.slice(0, -1));
      return BigInt.asUintN(64, value) === value ? { value, unsigned: true } : { problem: "invalid uint literal" };
    }
    case "double": {
      const value = Number(token.text);
      return Number.isFinite(value) ? { value: negative ? -value : value } : { problem: "invalid double literal" };
    }
    case "string": {
      const string = unquoteString(token.text);
      return "text" in string ? { value: string.text } : string;
    }
    case "bytes": {
      const bytes = unquoteBytes(token.text);
      return "bytes" in bytes ? { value: bytes.bytes } : bytes;
    }
    case "keyword":
      if (token.text === "in") return undefined;
      return { value: token.text === "null" ? null : token.text === "true" };
    default:
      return undefined;
  }
}
