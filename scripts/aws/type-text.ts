import type { ServiceModel, Shape } from "../../packages/aws-wire/src/model.ts";

/** TypeScript types of a service's structures, and a table of its operations from name to input and output. */
export function typeText(model: ServiceModel, marker: string): string {
  const structures = Object.entries(model.shapes).filter(([, shape]) => shape.type === "structure");
  const interfaces = structures.map(([name, shape]) => interfaceText(model, name, shape));
  const operations = Object.entries(model.operations).map(
    ([name, { input, output }]) => `  ${name}: { input: ${input ?? "object"}; output: ${output ?? "object"} };`,
  );
  const table = `/** Every operation that is spoken, with what it takes and gives. */\nexport interface Operations {\n${operations.join("\n")}\n}`;
  return `${marker}\n${[...interfaces, table].join("\n\n")}\n`;
}

function interfaceText(model: ServiceModel, name: string, shape: Shape): string {
  if (shape.type !== "structure") return "";
  const members = Object.entries(shape.members).map(([member, { shape: of }]) => {
    const optional = shape.required?.includes(member) === true ? "" : "?";
    return `  readonly ${member}${optional}: ${typeOf(model, of)}${optional && " | undefined"};`;
  });
  return members.length === 0
    ? `export type ${name} = Readonly<Record<string, never>>;`
    : `export interface ${name} {\n${members.join("\n")}\n}`;
}

function typeOf(model: ServiceModel, name: string): string {
  const shape = model.shapes[name]!;
  switch (shape.type) {
    case "structure":
      return name;
    case "list":
      return `readonly ${bracketed(typeOf(model, shape.member.shape))}[]`;
    case "map":
      return `Readonly<Record<string, ${typeOf(model, shape.value.shape)}>>`;
    case "string":
      return "string";
    case "boolean":
      return "boolean";
    case "blob":
      return "Uint8Array";
    case "timestamp":
    case "integer":
    case "long":
    case "float":
    case "double":
      return "number";
  }
}

function bracketed(type: string): string {
  return type.startsWith("readonly ") ? `(${type})` : type;
}
