/**
 * Where a source takes operations out of a client, or gives a client another name: calls like that are not seen by who reads sources.
 * A client may be handed on under its service's own name, and an operation under its whole one.
 */
export function hiddenClients(source: string, services: readonly string[]): readonly string[] {
  const one = `(?:${services.join("|")})`;
  const forms = [
    // `const { x } = aws.ec2`, `const { x } = ec2`
    String.raw`\}\s*=\s*(?:[\w.]+\.)?${one}\s*[;,)\n]`,
    // `const client = aws.ec2`, `client: aws.ec2`
    String.raw`\b(\w+)\s*[=:]\s*(?:\w+\.)*aws\.(?!\1\b)${one}\s*[;,)}\n]`,
    // `call(aws.ec2, input)`
    String.raw`[(,[]\s*(?:\w+\.)*aws\.${one}\s*[,)\]]`,
    // `aws[service]`, `aws.ec2[name]`
    String.raw`\baws(?:\.${one})?\s*\[`,
    // `const { ec2: client } = aws`
    String.raw`\{[^{}]*\b${one}\s*:[^{}]*\}\s*=\s*(?:\w+\.)*aws\b`,
  ];
  return forms.flatMap((form) => Array.from(source.matchAll(new RegExp(form, "g")), ([found]) => found.trim()));
}
