/** How a text is coloured; none of it where nobody looks. */
export type Paint = (style: "green" | "yellow" | "red" | "dim" | "bold", text: string) => string;

export const plainPaint: Paint = (_style, text) => text;

const CODES = { green: 32, yellow: 33, red: 31, dim: 2, bold: 1 } as const;

/** Colours of terminals. */
export const terminalPaint: Paint = (style, text) => `\u001b[${CODES[style]}m${text}\u001b[0m`;
