import { LARGEST_DATAGRAM, writeMessage } from "./message.ts";
import { CODE, readQuery } from "./query.ts";
import type { Query } from "./query.ts";
import { typeName } from "./record-type.ts";
import { lookup } from "./zone-lookup.ts";
import type { FoundRecord } from "./zone-lookup.ts";
import type { ZoneView, ZoneViews } from "./zone-view.ts";

type Question = Query & { readonly kind: "question" };

/** What is said to a question. */
interface Reply {
  readonly code: number;
  readonly authoritative: boolean;
  readonly answers: readonly FoundRecord[];
  readonly authorities: readonly FoundRecord[];
}

const INTERNET = 1;
const ANY = 255;
const RESPONSE = 0x8000;
const AUTHORITATIVE = 0x0400;
/** The bits that an answer repeats: the kind of question, and that recursion was wished for. */
const REPEATED = 0x7900;
const SMALLEST_DATAGRAM = 512;
const LARGEST_MESSAGE = 65_535;

/** Answers one message; undefined when silence is the answer. */
export function answer(zones: ZoneViews, bytes: Uint8Array, transport: "udp" | "tcp"): Uint8Array | undefined {
  const query = readQuery(bytes);
  if (query.kind === "drop") return undefined;
  if (query.kind === "refuse") {
    return writeMessage({ ...bare(query, false), code: query.code }, SMALLEST_DATAGRAM);
  }
  const { extensions } = query;
  const reply = replyTo(zones, query);
  const asked = extensions ? Math.max(SMALLEST_DATAGRAM, extensions.size) : SMALLEST_DATAGRAM;
  return writeMessage(
    {
      ...bare(query, reply.authoritative),
      code: reply.code,
      question: query.question,
      name: query.name,
      answers: reply.answers,
      authorities: reply.authorities,
      extensions: extensions !== undefined,
    },
    transport === "tcp" ? LARGEST_MESSAGE : Math.min(asked, LARGEST_DATAGRAM),
  );
}

/** Says that nothing could be done, to a message that cannot be answered for a reason of the server's own. */
export function failureTo(bytes: Uint8Array): Uint8Array | undefined {
  const query = readQuery(bytes);
  if (query.kind === "drop") return undefined;
  const question = query.kind === "question" ? query.question : undefined;
  return writeMessage({ ...bare(query, false), code: CODE.failure, question }, SMALLEST_DATAGRAM);
}

function bare(query: { readonly id: number; readonly flags: number }, authoritative: boolean) {
  return {
    id: query.id,
    flags: RESPONSE | (query.flags & REPEATED) | (authoritative ? AUTHORITATIVE : 0),
    question: undefined,
    name: ".",
    answers: [],
    authorities: [],
    extensions: false,
  };
}

function replyTo(zones: ZoneViews, query: Question): Reply {
  const refused = (code: number): Reply => ({ code, authoritative: false, answers: [], authorities: [] });
  if (query.extensions && query.extensions.version > 0) return refused(CODE.badVersion);
  // Transfers and the like have numbers from 128 on; the one for all types is answered.
  if (query.class !== INTERNET || (query.type >= 128 && query.type < ANY) || query.type === 0)
    return refused(CODE.refused);
  const found = lookup(zones, query.name, query.type === ANY ? "ANY" : typeName(query.type));
  switch (found.kind) {
    case "outside":
      return refused(CODE.refused);
    case "found":
      return { code: CODE.ok, authoritative: true, answers: found.answers, authorities: [] };
    case "delegated":
      return {
        code: CODE.ok,
        authoritative: found.answers.length > 0,
        answers: found.answers,
        authorities: found.servers,
      };
    case "noData":
    case "noName":
      return {
        code: found.kind === "noName" ? CODE.noName : CODE.ok,
        authoritative: true,
        answers: found.answers,
        authorities: negative(found.zone),
      };
  }
}

/** The SOA record that says for how long an absence may be remembered: its own TTL or its last field, the smaller (RFC 2308). */
function negative(zone: ZoneView): FoundRecord[] {
  return zone.records(zone.name, "SOA").map(({ ttl, value }) => ({
    name: zone.name,
    type: "SOA",
    ttl: Math.min(ttl, Number(value.split(" ").at(-1))),
    value,
  }));
}
