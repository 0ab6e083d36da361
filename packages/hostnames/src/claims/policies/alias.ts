import { recordKey, sameRecord } from "@gatewright/aws";
import type { RecordSet } from "@gatewright/aws";
import { REASONS } from "../../reasons.ts";
import { aliasRecords } from "../alias-records.ts";
import { recordSet, recordsOf, remembering, wishOf } from "../claim.ts";
import type { ClaimRecord, Memory } from "../claim.ts";
import { remember, rest } from "../decision.ts";
import { publication, sharesPlace, withdrawal } from "../publication.ts";
import { proves } from "../validation-record.ts";
import { SELDOM_MS } from "./policy.ts";
import type { Policy } from "./policy.ts";
import { unpublished } from "./unpublished.ts";

const at = "DnsAliasReady";

/**
 * The hostname has no record, or one that leads elsewhere. Old and new are both remembered until the zone has swapped them, and who
 * serves goes on to: records are swapped, never taken away first.
 */
export const aliasNotReady: Policy = (seen) => {
  const { claim, memory, answers, drifted, published, settings } = seen;
  if (memory.loadBalancer === undefined) return undefined;
  const wanted = aliasRecords(claim, memory.loadBalancer);
  const remembered = recordsOf(memory, "alias").map(recordSet);
  const missing = wanted.filter((record) => !has(remembered, record));
  if (missing.length > 0) return remember(withRecords(memory, missing));
  const others = remembered.filter((record) => !has(wanted, record));
  for (const record of wanted) {
    const key = recordKey(record);
    const drift = drifted.has(key);
    if (published(record) && !others.some((other) => sharesPlace(other, record))) continue;
    if (drift && settings.drift === "report") return reported(record, drifted.get(key));
    const adopt = wishOf(claim).dns?.adopt === true || drift;
    const input = { wanted: record, ours: remembered, read: drifted.get(key), adopt, answer: answers.changes.get(key) };
    const decision = unpublished(at, record, publication(input), { serving: true });
    if (decision !== undefined) return decision;
  }
  // Those that are wanted no more; what was replaced has gone with the swap.
  for (const record of others) {
    if (wanted.some((each) => sharesPlace(each, record))) continue;
    const decision = unpublished(at, record, withdrawal(record, answers.changes.get(recordKey(record))), {
      serving: true,
    });
    if (decision !== undefined) return decision;
  }
  return others.length === 0 ? undefined : remember(onlyAliases(memory, wanted));
};

function reported(record: RecordSet, found: RecordSet | undefined) {
  const message = `${record.type} ${record.name} was ${found === undefined ? "removed" : "changed"} by somebody else.`;
  return rest({ at, reason: REASONS.RecordDrifted, message }, SELDOM_MS);
}

/** Validation records that somebody else has removed or changed: without them the certificate is not renewed. */
export const validationDrifted: Policy = (seen) => {
  const { memory, answers, drifted, settings } = seen;
  const validations = recordsOf(memory, "validation").map(recordSet);
  for (const record of validations) {
    const key = recordKey(record);
    if (!drifted.has(key)) continue;
    if (settings.drift === "report") {
      const message = `The validation record ${record.name} was removed or changed by somebody else: the certificate will not be renewed.`;
      return rest({ at: "DnsValidated", reason: REASONS.RecordDrifted, message, serving: true }, SELDOM_MS);
    }
    const input = {
      wanted: record,
      ours: validations,
      read: drifted.get(key),
      adopt: false,
      answer: answers.changes.get(key),
      suffices: proves,
    };
    const decision = unpublished("DnsValidated", record, publication(input), { serving: true });
    if (decision !== undefined) return decision;
  }
  return undefined;
};

function withRecords(memory: Memory, added: readonly RecordSet[]): Memory {
  const records = [...(memory.records ?? []), ...added.map((record): ClaimRecord => ({ ...record, purpose: "alias" }))];
  return remembering(memory, { records });
}

function onlyAliases(memory: Memory, wanted: readonly RecordSet[]): Memory {
  const stays = (record: ClaimRecord): boolean => record.purpose !== "alias" || has(wanted, recordSet(record));
  return remembering(memory, { records: (memory.records ?? []).filter(stays) });
}

function has(records: readonly RecordSet[], record: RecordSet): boolean {
  return records.some((each) => sameRecord(each, record));
}
