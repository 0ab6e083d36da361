/** Writes text between tags. Carriage returns survive as references. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"\r]/g, (char) => {
    switch (char) {
      case "&":
        return "&amp;";
      case "<":
        return "&lt;";
      case ">":
        return "&gt;";
      case '"':
        return "&quot;";
      default:
        return "&#xD;";
    }
  });
}

/** An element around what is XML already. */
export function xmlElement(name: string, inner: string, attributes = ""): string {
  return inner === "" ? `<${name}${attributes}/>` : `<${name}${attributes}>${inner}</${name}>`;
}

/** The line that begins every document. */
export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
