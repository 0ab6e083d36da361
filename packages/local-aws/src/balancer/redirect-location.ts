import type { RedirectActionConfig } from "@gatewright/aws-wire/types/elbv2";

/** The parts of the address that a client asked for. */
export interface AskedUrl {
  readonly protocol: "http" | "https";
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly query: string;
}

/** Where a redirect sends a client, port included as application load balancers do. */
export function redirectLocation(
  config: RedirectActionConfig,
  asked: AskedUrl,
  portOnMachine: (port: number) => number,
): string {
  const {
    Protocol = "#{protocol}",
    Port = "#{port}",
    Host = "#{host}",
    Path = "/#{path}",
    Query = "#{query}",
  } = config;
  const parts = new Map([
    ["protocol", asked.protocol],
    ["host", asked.host],
    ["port", String(asked.port)],
    ["path", asked.path.replace(/^\//, "")],
    ["query", asked.query],
  ]);
  const filled = (text: string): string =>
    text.replaceAll(/#\{(protocol|host|port|path|query)\}/g, (_all, name: string) => parts.get(name) ?? "");
  const protocol = filled(Protocol).toLowerCase();
  const query = filled(Query).replace(/^\?/, "");
  const location = `${protocol}://${filled(Host)}:${portOnMachine(Number(filled(Port)))}${filled(Path)}`;
  return encoded(query === "" ? location : `${location}?${query}`);
}

/** Headers are ASCII: other characters go percent-encoded. */
function encoded(url: string): string {
  return url.toWellFormed().replaceAll(/[^!-~]/gu, (letter) => encodeURIComponent(letter));
}
